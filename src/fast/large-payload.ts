/**
 * `JSON.parse` for large payloads. Most of one is a single long text (a file, an image, a tool's output) that few hooks
 * read, so it is not decoded (fast/large-text.ts). 8 MB of plain text or base64 take 0.1 ms instead of 30; a text with
 * thousands of quotes takes as long as before. The slow twin is `JSON.parse`; see bench/race.ts, a payload of 10 MB.
 */

import { randomUUID } from 'node:crypto'
import { parseJson } from '../spec/json.ts'
import { postpone } from './large-text.ts'

/** Shorter texts are decoded at once. */
const LONG_BYTES = 1024 * 1024
/** A text with more quotes is faster to decode than to find the end of. */
const MAX_QUOTES = 4096
const QUOTE = 0x22
const BACKSLASH = 0x5c

/**
 * Like `JSON.parse` of its text. Throws in the same cases, except for an error inside a long text, which stays
 * unnoticed.
 */
export function parseLarge(bytes: Buffer, long = LONG_BYTES): unknown {
  const texts = longTexts(bytes, long)
  if (texts.length === 0) return parseJson(bytes.toString('utf8'))
  // A placeholder for each that nobody could have written.
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
  // A long text as a field name has no field to wait in.
  return places.size === 0 ? holder.value : JSON.parse(bytes.toString('utf8'))
}

/** Including the quotes. */
interface Span {
  start: number
  end: number
}

/** Empty when there are too many quotes. */
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
      if (end < 0 || ++quotes > MAX_QUOTES) return []
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
      // Invalid text from an agent is passed on.
      text = bytes.toString('utf8', start + 1, end - 1)
    }
    return text
  }
}

/** Replaces each placeholder. Without its long texts the payload is small, but may be deep. */
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
