/** Secrets that a name announces: `password=x`, `"apiKey": "x"`, `--token x`, `Authorization: Basic x`. */

import { HINT, isCount, isSecretKey, isSecretParameter } from './secret-keys.ts'

// Each starts only where a word starts, so that no stretch of text is read twice.
const KEY = /(?<![\w$.-])[\w$.-]+(?=\\{0,4}["'`]?\]?\s{0,4}(?:=>|:=|[:=]))/g
const FLAG = /(?<![\w-])--?[A-Za-z][\w-]*(?=\s{1,4}[^\s-])/g
const LOGIN = /(?<![\w-])(-u|--user|--proxy-user)([ =]{1,4}["']?[^\s:"']{1,256}:)[^\s"']+/g
const SPOKEN =
  /(?<![A-Za-z])((?:token|secret|password|passwd|passphrase|passcode|api[ _-]?key|access[ _-]?key|private[ _-]?key|credentials?)(?:\s{1,3}(?:is|was|are|value|of|to|be))?\s{1,3}["'`]?)([A-Za-z0-9+/_=.!@#$%^&*-]{6,})/gi
const SEPARATOR = /\\{0,4}["'`]?\]?\s{0,4}(?:=>|:=|[:=])/y
const OPENING = /[ \t]{0,8}(?:\r?\n[ \t]{0,8})?(\\{0,4}["'`])?/y
const WHOLE_LINE = /authorization|cookie/i

export function redactPairs(text: string, mark: string): string {
  if (!HINT.test(text)) return text
  let out = replaceValues(text, KEY, (key, at, before) => pairValue(text, key, at, before), mark)
  if (out.includes('-')) {
    const source = out
    out = replaceValues(source, FLAG, (flag, at) => flagValue(source, flag, at), mark)
    out = out.replace(LOGIN, `$1$2${mark}`)
  }
  return out.replace(SPOKEN, (all, before: string, value: string) =>
    /\d/.test(value) && /[A-Za-z]/.test(value) ? before + mark : all,
  )
}

/** Where a secret lies; `joint` replaces what stands between the name and it. */
interface Found {
  start: number
  end: number
  joint?: string
}

function replaceValues(
  text: string,
  names: RegExp,
  find: (name: string, at: number, before: string) => Found | undefined,
  mark: string,
): string {
  let out = ''
  let done = 0
  for (const match of text.matchAll(names)) {
    if (match.index < done) continue
    const after = match.index + match[0].length
    const found = find(match[0], after, text[match.index - 1] ?? '')
    if (!found) continue
    out += text.slice(done, found.joint === undefined ? found.start : after) + (found.joint ?? '') + mark
    done = found.end
  }
  return out + text.slice(done)
}

function pairValue(text: string, key: string, at: number, before: string): Found | undefined {
  const inQuery = before === '?' || before === '&'
  if (!isSecretKey(key) && !(inQuery && isSecretParameter(key))) return undefined
  SEPARATOR.lastIndex = at
  const separator = SEPARATOR.exec(text)![0]
  const from = at + separator.length
  if (separator.endsWith('=') && text[from] === '=') return undefined
  const value = valueAt(text, from, { inQuery, wholeLine: WHOLE_LINE.test(key) })
  if (!value || isCount(key, text.slice(value.start, value.end))) return undefined
  return separator === ':' && value.start === from ? { ...value, joint: '=' } : value
}

function flagValue(text: string, flag: string, at: number): Found | undefined {
  if (!isSecretKey(flag)) return undefined
  const value = valueAt(text, at, { inQuery: false, wholeLine: false })
  return value && !isCount(flag, text.slice(value.start, value.end)) ? value : undefined
}

function valueAt(
  text: string,
  from: number,
  { inQuery, wholeLine }: { inQuery: boolean; wholeLine: boolean },
): Found | undefined {
  OPENING.lastIndex = from
  const [space, quote] = OPENING.exec(text)!
  const start = from + space.length
  const closing = quote && closingQuote(text, start, quote)
  if (closing) return closing > start ? { start, end: closing } : undefined
  const ends = wholeLine ? LINE_END : inQuery ? QUERY_END : WORD_END
  ends.lastIndex = start
  let end = ends.exec(text)?.index ?? text.length
  while (end > start && TRAILING.includes(text[end - 1]!) && !text.startsWith('[REDACTED]', end - 10)) end--
  return end > start ? { start, end } : undefined
}

const WORD_END = /[\s"'`<>\\]/g
const QUERY_END = /[\s"'`<>\\&#]/g
const LINE_END = /[\r\n"'`\\]/g
const TRAILING = ',;)}]'

/** The place of the quote that ends the value; undefined when the text ends first. */
function closingQuote(text: string, start: number, quote: string): number | undefined {
  const plain = quote.length === 1
  for (let i = start; i < text.length; i++) {
    if (text[i] === '\n' && plain) return i
    if (plain && text[i] === '\\') i++
    else if (text.startsWith(quote, i)) return i
  }
  return undefined
}
