/** Secrets that a name announces: `password=x`, `"apiKey": "x"`, `--token x`, `<secret>x</secret>`. */

import { redactCommands } from './secret-commands.ts'
import { HINT, isCount, isSecretKey, isSecretParameter } from './secret-keys.ts'
import { lineOf, valueAt, wordsOf } from './secret-values.ts'

export function redactPairs(text: string, mark: string): string {
  let out = redactCommands(text, mark)
  if (!HINT.test(out)) return out
  out = replaceValues(out, KEY, pairValue, mark)
  if (out.includes('</'))
    out = out.replace(ELEMENT, (all, name) => (isSecretKey(name) ? `<${name}>${mark}` : all))
  if (out.includes('-')) out = replaceValues(out, FLAG, flagValue, mark)
  return out.replace(SPOKEN, (all, before, value) =>
    /\d/.test(value) && /[A-Za-z]/.test(value) ? before + mark : all,
  )
}

// Each of these starts only where a word starts, and what may repeat without end never has to be read again.
const KEY = /(?<![\w$.-])[\w$.-]+(?=\\{0,4}["'`]?\]?\s{0,4}(?:=>|:=|[:=]|%3[AD]))/gi
const SEPARATOR = /\\{0,4}["'`]?\]?\s{0,4}(?:=>|:=|[:=]|%3[AD])/iy
const FLAG = /(?<![\w-])--?[A-Za-z][\w-]*(?=\s{1,4}[^\s-])/g
const NOT_THE_SECRET = /-(?:stdin|file|path)$/
const ELEMENT = /<([A-Za-z][\w:.-]*)>[^<]+/g
const SPOKEN =
  /((?:token|secret|password|passwd|passphrase|passcode|(?:api|access|private)[ _-]?key|credentials?)["'`]?(?:\s{1,3}(?:is|was|are|value|of|to|be|->|→))?\s{1,3}["'`]?)([\w+/=.!@#$%^&*-]{6,})/gi

/** Where a secret lies; `joint` replaces what stands between the name and it. */
interface Found {
  start: number
  end: number
  joint?: string
}

type Find = (text: string, name: string, nameStart: number, mark: string) => Found | undefined

function replaceValues(text: string, names: RegExp, find: Find, mark: string): string {
  let out = ''
  let done = 0
  for (const { 0: name, index } of text.matchAll(names)) {
    if (index < done) continue
    const found = find(text, name, index, mark)
    if (!found) continue
    const { start, end, joint } = found
    out += joint === undefined ? text.slice(done, start) : text.slice(done, index + name.length) + joint
    out += mark
    done = end
  }
  return out + text.slice(done)
}

function pairValue(text: string, key: string, keyStart: number, mark: string): Found | undefined {
  const before = text[keyStart - 1] ?? ''
  const inQuery = before === '?' || before === '&'
  if (!isSecretKey(key) && !(inQuery && isSecretParameter(key)) && !isSecretHere(text, key, keyStart))
    return undefined
  SEPARATOR.lastIndex = keyStart + key.length
  const separator = SEPARATOR.exec(text)![0]
  const from = SEPARATOR.lastIndex
  SEPARATOR.lastIndex = 0
  if (separator.endsWith('=') && text[from] === '=') return undefined // a comparison
  const value = /cookie$/i.test(key)
    ? lineOf(text, from, before)
    : /authorization$/i.test(key)
      ? wordsOf(text, from, before)
      : valueAt(text, from, inQuery)
  if (!value || isCount(key, text.slice(value.start, value.end))) return undefined
  if (text.startsWith(`${mark}@`, value.start)) return undefined // the login of an address, done already
  return separator === ':' && value.start === from ? { ...value, joint: '=' } : value
}

/** Names that are secret only after others: `API key: x`, `name: DB_PASSWORD, value: x`. */
function isSecretHere(text: string, key: string, keyStart: number): boolean {
  if (/^pwd$/i.test(key)) return !FOLDER.test(text.slice(keyStart + 3, keyStart + 8))
  if (/^key$/i.test(key))
    return /(?:api|access|secret|private|signing|encryption) $/i.test(
      text.slice(Math.max(0, keyStart - 12), keyStart),
    )
  if (!/^value$/i.test(key)) return false
  const name = NAMED.exec(text.slice(Math.max(0, keyStart - 160), keyStart))?.[1]
  return name !== undefined && isSecretKey(name)
}

const FOLDER = /^\W{0,3}(?:[/~.$\\]|[A-Z]:)/i
const NAMED = /\b(?:name|key)\\?["']?\s{0,4}[:=]\s{0,4}\\?["']?([\w.-]{1,80})\\?["']?[\s,;]{1,24}\\?["']?$/i

function flagValue(text: string, flag: string, flagStart: number): Found | undefined {
  if (!isSecretKey(flag) || NOT_THE_SECRET.test(flag)) return undefined
  const value = valueAt(text, flagStart + flag.length, false)
  return value && !isCount(flag, text.slice(value.start, value.end)) ? value : undefined
}
