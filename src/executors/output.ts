/** Collects what a process prints, up to a limit. */

import { isUtf8 } from 'node:buffer'
import type { Readable } from 'node:stream'

export interface Output {
  text(): string
  isCut(): boolean
  /** Is some of it not UTF-8? */
  isGarbled(): boolean
  /** Number of bytes so far, kept or not. */
  received(): number
}

/** Keeps reading beyond the limit, so that a process that prints much is not blocked. */
export function collect(stream: Readable, limit: number, onOverflow: () => void): Output {
  const chunks: Buffer[] = []
  let received = 0
  stream.on('data', (chunk: Buffer) => {
    const room = limit - received
    received += chunk.length
    if (room >= chunk.length) chunks.push(chunk)
    else if (room >= 0) {
      chunks.push(chunk.subarray(0, room))
      onOverflow()
    }
  })
  stream.on('error', () => {}) // a reset by the other end counts as the end of the output
  return {
    text: () => textOf(Buffer.concat(chunks), received > limit),
    isCut: () => received > limit,
    isGarbled: () => !isUtf8(Buffer.concat(chunks)),
    received: () => received,
  }
}

/** Without a partial character at the cut. */
export function textOf(bytes: Buffer, isCut: boolean): string {
  return bytes.toString('utf8', 0, isCut ? wholeCharacters(bytes) : bytes.length)
}

/** Length without a last character that is incomplete. */
function wholeCharacters(bytes: Buffer): number {
  let start = bytes.length - 1
  while (start > 0 && bytes.length - start < 4 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start--
  const lead = bytes[start] ?? 0
  const size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1
  return start >= 0 && bytes.length - start < size ? start : bytes.length
}
