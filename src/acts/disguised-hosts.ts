/** Addresses that lead elsewhere than they seem to: letters of other scripts, names before an `@`, numbers. */

import { domainToUnicode } from 'node:url'

/** Letters of other scripts that look like latin ones. */
const LOOKS_LIKE: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    a: 'аɑα',
    b: 'Ьƅ',
    c: 'сϲ',
    d: 'ԁ',
    e: 'еҽ',
    f: 'ք',
    g: 'ɡց',
    h: 'һհ',
    i: 'іıɩι',
    j: 'јϳ',
    k: 'кκ',
    l: 'ӏǀ',
    m: 'м',
    n: 'ոп',
    o: 'оοօ',
    p: 'рρ',
    q: 'ԛգ',
    r: 'г',
    s: 'ѕ',
    t: 'тτ',
    u: 'υսц',
    v: 'ѵν',
    w: 'ԝѡ',
    x: 'хχ',
    y: 'уγү',
    z: 'ᴢ',
  }).flatMap(([latin, others]) => [...others].map((other) => [other, latin])),
)
/** What people fetch programs from. */
const WELL_KNOWN =
  'github githubusercontent gitlab bitbucket npmjs pypi pythonhosted rubygems microsoft google googleapis amazonaws cloudflare anthropic openai docker apple paypal debian ubuntu nodejs'.split(
    ' ',
  )
const MAX_CHARS = 253

/** `text`: the address as it was written. */
export function isDisguised(host: string, text: string): boolean {
  if (host.length > MAX_CHARS) return false
  if (/^(?:https?|ftp):\/\/[^/@\s:?#]*[\w-]\.[a-z]{2,}(?::[^/@\s]*)?@/i.test(text)) return true
  if (/^https?:/i.test(text) && /^(?:0x[\da-f]+|0\d{2,}|\d{8,10})(?:\.(?:0x[\da-f]+|\d+)){0,3}$/i.test(host))
    return true
  const labels = (host.includes('xn--') ? domainToUnicode(host) || host : host).toLowerCase().split('.')
  return labels.some(seemsLatin) || seemsWellKnown(labels.at(-2) ?? '')
}

/** Letters of another script among latin ones, or so many that nothing else is there and all look latin. */
function seemsLatin(label: string): boolean {
  if (!/[^\x20-\x7e]/.test(label)) return false
  if (/[\uff01-\uff5e\u{1d400}-\u{1d7ff}]/u.test(label)) return true
  const foreign = [...label].filter((letter) => letter in LOOKS_LIKE)
  return foreign.length > 0 && [...label].every((letter) => letter in LOOKS_LIKE || /[\w-]/.test(letter))
}

/** `githüb`, `g1thub`, `githbu`: one letter away from a name that people trust. */
function seemsWellKnown(name: string): boolean {
  if (name.length < 4 || WELL_KNOWN.includes(name)) return false
  const plain = name.normalize('NFD').replace(/\p{M}/gu, '')
  const read = plain.replaceAll('0', 'o').replaceAll('rn', 'm').replaceAll('vv', 'w')
  return WELL_KNOWN.some(
    (known) =>
      (plain !== name && plain === known) ||
      [read.replaceAll('1', 'l'), read.replaceAll('1', 'i')].includes(known) ||
      (DISTANT.has(known) && isOneAway(name, known)),
  )
}

/** Those that no other name of a company or a tool is close to. */
const DISTANT: ReadonlySet<string> = new Set(
  'github githubusercontent gitlab bitbucket pythonhosted rubygems microsoft googleapis cloudflare anthropic'.split(
    ' ',
  ),
)

/** A letter more, less, another, or two in the other order. */
function isOneAway(a: string, b: string): boolean {
  let start = 0
  while (start < a.length && a[start] === b[start]) start++
  let end = 0
  while (end < Math.min(a.length, b.length) - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++
  const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)]
  if (left.length + right.length === 0) return false
  return (
    (left.length <= 1 && right.length <= 1) ||
    (left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0])
  )
}
