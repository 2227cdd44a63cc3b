/** How far a value extends that begins after `password=` or `"password": `. */

export interface Span {
  start: number
  end: number
}

/** A quoted text or a word. Undefined when there is none. */
export function valueAt(text: string, from: number, inQuery: boolean): Span | undefined {
  const { start, quote } = opening(text, from)
  const closing = quote === undefined ? undefined : closingQuote(text, start, quote)
  if (closing !== undefined) return span(start, closing)
  return word(text, start, inQuery ? QUERY_END : WORD_END)
}

/** The rest of a header's line, up to the quote that opened before its name, if any. */
export function lineOf(text: string, from: number, before: string): Span | undefined {
  const { start, quote } = opening(text, from)
  const closing = closingQuote(text, start, quote ?? (QUOTES.includes(before) ? before : '\n'))
  const end = closing ?? text.length
  return span(start, start + endAt(text.slice(start, end), 0, LINE_END))
}

/** `Bearer x`, or the many words of schemes that sign a request. */
export function wordsOf(text: string, from: number, before: string): Span | undefined {
  const { start, quote } = opening(text, from)
  if (quote !== undefined) return valueAt(text, from, false)
  SIGNING.lastIndex = start
  if (SIGNING.test(text)) return lineOf(text, from, before)
  SCHEME.lastIndex = start
  const scheme = SCHEME.exec(text)
  const credential = word(text, start + (scheme?.[0].length ?? 0), WORD_END)
  return credential && { start, end: credential.end }
}

const QUOTES = ['"', "'", '`']
// A value may be on the next line when it is quoted or announced by YAML's `|`.
const OPENING = /[ \t]{0,8}(?:[|>][+-]?\r?\n[ \t]{1,16}|\r?\n[ \t]{0,16}(?=\\{0,4}["'`]))?(\\{0,4}["'`])?/y
const WORD_END = /(?<!\\)\s|["'`]|\\["'`n]/g
const QUERY_END = /[\s"'`<>&#]|\\["'`n]/g
const LINE_END = /[\r\n]|\\[rn]/g
const SIGNING = /(?:digest|aws4-|oauth|hawk|signature|negotiate)\S*[ \t]/iy
const SCHEME = /[A-Za-z][\w-]{1,30}(?:\\? ){1,4}(?=[^\s"'])/y
const TRAILING = ',;)}]'
const MAX_CHARS_TO_QUOTE = 4096

function opening(text: string, from: number): { start: number; quote: string | undefined } {
  OPENING.lastIndex = from
  const quote = OPENING.exec(text)?.[1]
  return { start: OPENING.lastIndex, quote }
}

function word(text: string, start: number, ends: RegExp): Span | undefined {
  let end = endAt(text, start, ends)
  while (end > start && TRAILING.includes(text[end - 1]!)) end--
  return span(start, end)
}

function span(start: number, end: number): Span | undefined {
  return end > start ? { start, end } : undefined
}

function endAt(text: string, start: number, ends: RegExp): number {
  ends.lastIndex = start
  return ends.exec(text)?.index ?? text.length
}

/** Position of the closing quote; the end of the line if that is far; undefined when there is neither. */
function closingQuote(text: string, start: number, quote: string): number | undefined {
  let closing = text.indexOf(quote, start)
  while (closing !== -1 && quote.length === 1 && isEscaped(text, start, closing))
    closing = text.indexOf(quote, closing + 1)
  if (closing !== -1 && closing < start + MAX_CHARS_TO_QUOTE) return closing
  const lineEnd = text.indexOf('\n', start)
  const ends = [closing, lineEnd].filter((end) => end !== -1)
  return ends.length > 0 ? Math.min(...ends) : undefined
}

function isEscaped(text: string, start: number, at: number): boolean {
  let backslashes = 0
  while (at - backslashes > start && text[at - backslashes - 1] === '\\') backslashes++
  return backslashes % 2 === 1
}
