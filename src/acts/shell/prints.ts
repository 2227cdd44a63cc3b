/** What programs print, when the line tells it: `echo`, `printf`, and filters over a known text. */

import { posix } from 'node:path'
import { cutShort } from '../cut.ts'
import type { Call } from '../program.ts'
import type { Flow } from '../word.ts'
import type { World } from '../world.ts'
import { NOTHING } from './state.ts'

interface Around {
  cwd: string | null
  world: World
  /** What it read from files. */
  read: Flow
}

export function printed(call: Call, around: Around): string | undefined {
  const print = Object.hasOwn(PRINTS, call.name) ? PRINTS[call.name]! : undefined
  if (!print) return undefined
  const isKnown = call.args.every(({ unknown }) => !unknown)
  // A text with unknown parts goes on as it is spelled, so that the shell it is piped into still sees the rest.
  if ((!isKnown || call.input?.partly) && !PASSES.has(call.name)) return undefined
  const hasFiles = call.operands.length > 0 && around.read.text !== undefined && around.read !== NOTHING
  const input = call.input?.text ?? (hasFiles ? around.read.text : undefined)
  try {
    return print({
      words: call.args.map(({ text }) => text),
      operands: call.operands.map(({ text }) => text),
      call,
      input,
      around,
      isKnown,
    })
  } catch {
    // A program text that is no valid pattern here: what it prints is not known.
    return undefined
  }
}

export function isPrinted(name: string): boolean {
  return Object.hasOwn(PRINTS, name)
}

interface Print {
  words: string[]
  operands: string[]
  call: Call
  input: string | undefined
  around: Around
  isKnown: boolean
}

const PASSES: ReadonlySet<string> = new Set(['echo', 'printf', 'cat', 'tee'])
const MAX_CHARS = 100_000

const PRINTS: Readonly<Record<string, (print: Print) => string | undefined>> = {
  echo({ words, isKnown }) {
    // A text with unknown parts is given as it is spelled, so that the shell it is piped into still sees the rest.
    const flags = words.findIndex((word) => !/^-[neE]+$/.test(word))
    const [options, rest] = flags === -1 ? [words, []] : [words.slice(0, flags), words.slice(flags)]
    const text = rest.join(' ')
    void isKnown
    const decoded = options.some((option) => option.includes('e')) ? decodeEscapes(text) : text
    return options.some((option) => option.includes('n')) ? decoded : `${decoded}\n`
  },
  awk({ words }) {
    const [, text] = /^\s*BEGIN\s*\{\s*print\s+"([^"\\]*)"[;\s]*\}\s*$/.exec(words.at(-1) ?? '') ?? []
    return text === undefined ? undefined : `${text}\n`
  },
  printf: ({ words }) => formatted(words[0] === '--' ? words.slice(1) : words),
  cat: ({ input }) => input,
  tac: ({ input }) =>
    input
      ?.split('\n')
      .filter((line, at, all) => line !== '' || at < all.length - 1)
      .reverse()
      .join('\n'),
  tee: ({ input }) => input,
  sort: ({ input, words }) =>
    input !== undefined && lines(input).length <= 1 && words.length === 0 ? input : undefined,
  uniq: ({ input }) => (input !== undefined && lines(input).length <= 1 ? input : undefined),
  rev: ({ input }) =>
    input &&
    lines(input)
      .map((line) => [...line].reverse().join(''))
      .join('\n'),
  base64: ({ input, call }) =>
    call.given('-d -D --decode') || call.args.some(({ text }) => /^-\w*[dD]/.test(text))
      ? decodeBytes(input, 'base64')
      : input && Buffer.from(input).toString('base64'),
  xxd: ({ input, words }) =>
    words.some((word) => /^-\w*r/.test(word))
      ? words.some((word) => /^-\w*p|^-ps/.test(word))
        ? decodeBytes(input?.replace(/\s/g, ''), 'hex')
        : undefined
      : undefined,
  openssl: ({ input, words }) =>
    /base64|enc/.test(words[0] ?? '') &&
    words.includes('-d') &&
    (words.includes('-base64') || words.includes('-a') || words[0] === 'base64') &&
    !words.some((word) => /^-(?:aes|des|k|pass)/.test(word))
      ? decodeBytes(input, 'base64')
      : undefined,
  tr: translate,
  head: ({ input, call, words }) => {
    if (input === undefined) return undefined
    const bytes = count(call.values('-c --bytes')[0]?.text)
    if (bytes !== undefined) return input.slice(0, bytes)
    const number =
      count(call.values('-n --lines')[0]?.text ?? words.find((word) => /^-\d+$/.test(word))?.slice(1)) ?? 10
    return input.split('\n').slice(0, number).join('\n')
  },
  tail: ({ input, call, words }) => {
    if (input === undefined) return undefined
    const bytes = call.values('-c --bytes')[0]?.text
    if (bytes !== undefined)
      return bytes.startsWith('+') ? input.slice(Number(bytes) - 1) : input.slice(-Number(bytes))
    const number =
      call.values('-n --lines')[0]?.text ?? words.find((word) => /^-\d+$/.test(word))?.slice(1) ?? '10'
    const all = lines(input)
    return (number.startsWith('+') ? all.slice(Number(number) - 1) : all.slice(-Number(number))).join('\n')
  },
  cut: ({ input, words }) => cut(input, words),
  sed: ({ input, operands, words }) =>
    substituted(input, words.filter((word) => !word.startsWith('-'))[0] ?? operands[0]),
  grep: ({ input, words }) => grep(input, words),
  dirname: ({ operands }) => operands.map((path) => posix.dirname(path)).join('\n') || undefined,
  basename: ({ operands }) =>
    operands[0] === undefined ? undefined : posix.basename(operands[0], operands[1]),
  realpath: ({ operands, around }) =>
    operands[0] === undefined || around.cwd === null ? undefined : posix.resolve(around.cwd, operands[0]),
  readlink: ({ operands, around, call }) =>
    operands[0] === undefined || around.cwd === null || !call.args.some(({ text }) => /^-\w*[fem]/.test(text))
      ? undefined
      : posix.resolve(around.cwd, operands[0]),
  pwd: ({ around }) => around.cwd ?? undefined,
  seq: ({ operands }) => {
    const [from, to] =
      operands.length > 1 ? [Number(operands[0]), Number(operands.at(-1))] : [1, Number(operands[0])]
    if (!Number.isInteger(from) || !Number.isInteger(to) || to - from > 200 || to < from) return undefined
    return Array.from({ length: to - from + 1 }, (_, at) => from + at).join('\n')
  },
  ls: ({ operands, call, around }) => listed(operands, call, around),
  find: ({ words }) => foundByName(words),
  whoami: ({ around }) => around.world.user || undefined,
  true: () => '',
  ':': () => '',
  false: () => '',
  test: () => '',
}

/** The names in a folder of this disk. */
function listed(operands: readonly string[], call: Call, { cwd, world }: Around): string | undefined {
  if (
    cwd === null ||
    operands.length > 1 ||
    !world.disk ||
    call.args.some(({ text }) => /^-\w*[lR]/.test(text))
  )
    return undefined
  const folder = posix.resolve(cwd, operands[0] ?? '.')
  if (!world.disk.isFolder(folder)) return operands[0]
  const hidden = call.args.some(({ text }) => /^-\w*[aA]/.test(text))
  return world.disk
    .entries(folder)
    .filter((name) => hidden || !name.startsWith('.'))
    .sort()
    .join('\n')
}

/** `find . -name .env` prints paths that end with that name. */
function foundByName(words: readonly string[]): string | undefined {
  const at = words.findIndex((word) => /^-i?name$/.test(word))
  if (at === -1 || words.some((word) => /^-(?:exec|execdir|ok|okdir|delete|printf|not|o|or)$|^!$/.test(word)))
    return undefined
  const name = words[at + 1]
  const start = words[0]?.startsWith('-') ? '.' : (words[0] ?? '.')
  return name === undefined || /[*?[]/.test(name) ? undefined : `${start.replace(/\/$/, '')}/${name}`
}

function lines(text: string): string[] {
  return text.replace(/\n$/, '').split('\n')
}

function count(text: string | undefined): number | undefined {
  const number = Number(text)
  return text === undefined || !Number.isInteger(number) ? undefined : number
}

function decodeBytes(text: string | undefined, encoding: 'base64' | 'hex'): string | undefined {
  return text === undefined || text.length > MAX_CHARS
    ? undefined
    : Buffer.from(text, encoding).toString('utf8')
}

const ESCAPES = new Map(
  Object.entries({ n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', e: '\x1b', f: '\f', v: '\v' }),
)
for (const itself of '\\"\'') ESCAPES.set(itself, itself)

/** `\n`, `\x41`, `\101`; others stay. A callback for each of a million would take too long. */
export function decodeEscapes(text: string): string {
  let decoded = ''
  let start = 0
  for (let at = text.indexOf('\\'); at !== -1; at = text.indexOf('\\', at)) {
    const letter = ESCAPES.get(text.charAt(at + 1))
    const code = letter === undefined ? codeAt(text, at + 1) : undefined
    if (letter === undefined && code === undefined) {
      at += 1
      continue
    }
    decoded += text.slice(start, at) + (letter ?? code?.letter)
    at += letter === undefined ? (code?.length ?? 0) + 1 : 2
    start = at
  }
  return decoded + text.slice(start)
}

function codeAt(text: string, at: number): { letter: string; length: number } | undefined {
  const found = /^(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|0?([0-7]{1,3}))/.exec(text.slice(at, at + 5))
  if (!found) return undefined
  const [{ length }, hex, unicode, octal] = found
  const code =
    octal === undefined ? Number.parseInt(hex ?? unicode ?? '', 16) : Number.parseInt(octal, 8) & 0xff
  return { letter: String.fromCharCode(code), length }
}

const MAX_FORMATS = 5_000

/** printf: the format is used again while there are arguments. */
export function formatted([format = '', ...values]: string[]): string {
  let next = 0
  let text = ''
  const decoded = decodeEscapes(format)
  for (let round = 0; round < MAX_FORMATS; round++) {
    const before = next
    text += decoded.replace(/%(?:-?\d*(?:\.\d+)?)([sbcdiqxXouf%])/g, (whole, kind: string) => {
      if (kind === '%') return '%'
      const value = values[next++] ?? ''
      if (kind === 'b') return decodeEscapes(value)
      if (kind === 'c') return value.slice(0, 1)
      if (kind === 'x') return Number(value).toString(16)
      if (kind === 'o') return Number(value).toString(8)
      const width = /\.(\d+)s$/.exec(whole)
      return width ? value.slice(0, Number(width[1])) : value
    })
    if (next >= values.length || next === before) return text
    if (text.length > MAX_CHARS) break
  }
  cutShort('the text that printf prints is too long')
  return text
}

const MAX_SET_CHARS = 300

/** `tr a-z n-za-m`, `tr -d x`. */
function translate({ input, words }: Print): string | undefined {
  if (input === undefined || input.length > MAX_CHARS) return undefined
  const flags = words.filter((word) => /^-[cCdst]+$/.test(word)).join('')
  const sets = words.filter((word) => !/^-[cCdst]+$/.test(word))
  if (sets.some((set) => set.length > MAX_SET_CHARS)) return undefined
  const [from = '', to = ''] = sets.map(characters)
  if (/[cC]/.test(flags))
    return flags.includes('d') ? [...input].filter((char) => from.includes(char)).join('') : undefined
  if (flags.includes('d')) return [...input].filter((char) => !from.includes(char)).join('')
  const last = [...to].at(-1) ?? ''
  return [...input]
    .map((char) => {
      const at = from.lastIndexOf(char)
      return at === -1 || to === '' ? char : (to[at] ?? last)
    })
    .join('')
}

function characters(set: string): string {
  return decodeEscapes(set)
    .replace(
      /\[:(\w+):\]/g,
      (_, name: string) =>
        ({ lower: 'a-z', upper: 'A-Z', digit: '0-9', space: ' \t\n', alpha: 'A-Za-z', alnum: 'A-Za-z0-9' })[
          name
        ] ?? '',
    )
    .replace(/([\s\S])-([\s\S])/g, (whole, first: string, last: string) => {
      const [from, to] = [first.charCodeAt(0), last.charCodeAt(0)]
      if (to < from || to - from > 256) return whole
      return Array.from({ length: to - from + 1 }, (_, at) => String.fromCharCode(from + at)).join('')
    })
}

function cut(input: string | undefined, words: readonly string[]): string | undefined {
  if (input === undefined) return undefined
  const value = (letter: string) => {
    const at = words.findIndex((word) => word.startsWith(`-${letter}`))
    return at === -1 ? undefined : words[at]!.slice(2) || words[at + 1]
  }
  const range = value('c') ?? value('b') ?? value('f')
  if (range === undefined) return undefined
  const pick = (items: readonly string[]) =>
    range.split(',').flatMap((each) => {
      const [, from, dash, to] = /^(\d*)(-?)(\d*)$/.exec(each) ?? []
      const start = Number(from || 1)
      return items.slice(start - 1, dash ? (to ? Number(to) : undefined) : start)
    })
  const delimiter = value('d') ?? '\t'
  const isFields = value('f') !== undefined
  return lines(input)
    .map((line) => (isFields ? pick(line.split(delimiter)).join(delimiter) : pick([...line]).join('')))
    .join('\n')
}

/** One `s/x/y/` over a known text. */
function substituted(input: string | undefined, script: string | undefined): string | undefined {
  if (input === undefined || script === undefined || input.length > 2000) return undefined
  if (script === 'p' || script === '') return input
  const line = /^(\d+)p$/.exec(script)
  if (line) return lines(input)[Number(line[1]) - 1] ?? ''
  const [, delimiter, rest] = /^s([^\w\s\\])([\s\S]*)$/.exec(script) ?? []
  if (delimiter === undefined) return undefined
  const parts = rest!.split(delimiter)
  if (parts.length !== 3 || /[\\*+()[\]{}]/.test(parts[0]!)) return undefined
  const [pattern = '', replacement = '', flags = ''] = parts
  if (/e/.test(flags)) return undefined
  const plain = pattern.replace(/^\^|\$$/g, '')
  const change = (line: string) =>
    flags.includes('g') ? line.replaceAll(plain, () => replacement) : line.replace(plain, () => replacement)
  return /[.^$]/.test(plain) ? undefined : lines(input).map(change).join('\n')
}

/** Lines with a word in them; with -o only what was found. */
function grep(input: string | undefined, words: readonly string[]): string | undefined {
  if (input === undefined || input.length > 5000) return undefined
  const pattern = words.find((word) => !word.startsWith('-'))
  if (pattern === undefined || words.some((word) => /^-\w*[vclqrR]/.test(word)) || pattern.length > 100)
    return undefined
  const simple = /^(\^?)([\w ./:@=-]*?)(\.\*)?(\$?)$/.exec(pattern)
  if (!simple) return undefined
  const [, start, text = '', rest] = simple
  const isOnly = words.some((word) => /^-\w*o/.test(word))
  return lines(input)
    .flatMap((line) => {
      const at = line.indexOf(text)
      if (at === -1 || (start && at !== 0)) return []
      return [isOnly ? (rest ? line.slice(at) : text) : line]
    })
    .join('\n')
}
