/**
 * `JSON.parse` for large payloads. Most of one is a single long text (a file, an image, a tool's output) that few hooks
 * read: it stays unread (fast/large-text.ts). 8 MB of plain text or base64 take 0.1 ms in place of 30; a text with
 * thousands of quotes takes as long as before. The slow twin is `JSON.parse`; see bench/race.ts, a payload of 10 MB.
 */

import { randomUUID } from 'node:crypto'
import { parseJson } from '../spec/json.ts'
import { postpone } from './large-text.ts'

/** Shorter texts are read at once. */
const LONG_BYTES = 1024 * 1024
/** A text with more quotes in it is quicker to read than to find the end of. */
const MOST_QUOTES = 4096
const QUOTE = 0x22
const BACKSLASH = 0x5c

/** As `JSON.parse` of its text. Throws where that would, unless what is wrong is within a long text: that stays as it is. */
export function parseLarge(bytes: Buffer, long = LONG_BYTES): unknown {
  const texts = longTexts(bytes, long)
  if (texts.length === 0) return parseJson(bytes.toString('utf8'))
  // In place of each something that nobody could have written.
  const mark = randomUUID()
  const places = new Map(texts.map((text, i) => [`${mark} ${i}`, reader(bytes, text)]))
  let short = ''
  let at = 0
  for (const [i, { start, end }] of texts.entries()) {
    short += `${bytes.toString('utf8', at, start)}"${mark} ${i}"`
    at = end
  }
  const holder = { value: parseJson(short + bytes.toString('utf8', at)) }
  put(holder, places)
  // One that names a field has no place to wait in.
  return places.size === 0 ? holder.value : JSON.parse(bytes.toString('utf8'))
}

/** With their quotes. */
interface Span {
  start: number
  end: number
}

/** None when there are too many quotes to tell. */
function longTexts(bytes: Buffer, long: number): Span[] {
  const found: Span[] = []
  let quotes = 0
  let end = 0
  for (;;) {
    const start = bytes.indexOf(QUOTE, end)
    if (start < 0) return found
    end = start
    do {
      end = bytes.indexOf(QUOTE, end + 1)
      if (end < 0 || ++quotes > MOST_QUOTES) return []
    } while (isEscaped(bytes, end))
    end++
    if (end - start > long) found.push({ start, end })
  }
}

function isEscaped(bytes: Buffer, quote: number): boolean {
  let at = quote
  while (bytes[at - 1] === BACKSLASH) at--
  return (quote - at) % 2 === 1
}

function reader(bytes: Buffer, { start, end }: Span): () => string {
  let text: string | undefined
  return () => {
    if (text !== undefined) return text
    try {
      text = JSON.parse(bytes.toString('utf8', start, end)) as string
    } catch {
      // Whatever an agent sends is passed on.
      text = bytes.toString('utf8', start + 1, end - 1)
    }
    return text
  }
}

/** Each where its mark stands. What is left of a large payload without its long texts is small, but may be deep. */
function put(holder: object, places: Map<string, () => string>): void {
  const open = [holder]
  for (let owner = open.pop(); owner !== undefined; owner = open.pop()) {
    for (const [field, value] of Object.entries(owner)) {
      if (typeof value === 'object' && value !== null) open.push(value)
      const read = typeof value === 'string' ? places.get(value) : undefined
      if (!read) continue
      postpone(owner, field, read)
      places.delete(value)
    }
  }
}
