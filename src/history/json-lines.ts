/** Reads a file of JSON lines record by record, in constant memory. */

import type { Tally } from './reading.ts'
import type { OpenFile } from './transcript-files.ts'

const CHUNK_BYTES = 256 * 1024
/** The longest real lines are tool results and images, which are not needed here. */
const MAX_LINE_CHARS = 32 * 1024 * 1024
const NEWLINE = 10

export async function* records(
  { handle, size }: OpenFile,
  path: string,
  tally: Tally,
): AsyncGenerator<Record<string, unknown>> {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
  let kept: Buffer[] = []
  let length = 0
  let isTooLong = false
  for (let at = 0; at < size; ) {
    const { bytesRead } = await handle.read(chunk, 0, Math.min(CHUNK_BYTES, size - at), at)
    if (bytesRead === 0) break // it was truncated
    at += bytesRead
    tally.bytes += bytesRead
    const bytes = chunk.subarray(0, bytesRead)
    let start = 0
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      const line = bytes.subarray(start, end)
      start = end + 1
      const record = isTooLong ? undefined : parse(kept.length > 0 ? Buffer.concat([...kept, line]) : line)
      if (isTooLong) tooLong(path, tally)
      else if (record === null) tally.unreadable++
      else if (record) yield record
      kept = []
      length = 0
      isTooLong = false
    }
    length += bytesRead - start
    if (length > MAX_LINE_CHARS) {
      isTooLong = true
      kept = []
    } else if (start < bytesRead) kept.push(Buffer.from(bytes.subarray(start)))
  }
  if (isTooLong) tooLong(path, tally)
  else if (kept.length > 0) {
    const record = parse(Buffer.concat(kept))
    if (record) yield record
    else if (record === null) tally.unreadable++
  }
}

function tooLong(path: string, tally: Tally): void {
  tally.unreadable++
  tally.leaveOut(`a line is longer than ${MAX_LINE_CHARS / 1024 / 1024} MiB`, path)
}

/** Null when it is not a record, undefined for an empty line. */
function parse(line: Buffer): Record<string, unknown> | null | undefined {
  if (line.length === 0) return undefined
  const text = line.toString('utf8')
  if (text.trim() === '') return undefined
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}
