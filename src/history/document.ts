/** A transcript that is one JSON document. */

import type { Tally } from './reading.ts'
import type { OpenFile } from './transcript-files.ts'

/** It has to be in memory as a whole. */
const MAX_BYTES = 32 * 1024 * 1024

export async function* documentOf(
  { handle, size }: OpenFile,
  path: string,
  tally: Tally,
): AsyncGenerator<Record<string, unknown>> {
  if (size > MAX_BYTES) {
    tally.unreadable++
    return tally.leaveOut(`the document is larger than ${MAX_BYTES / 1024 / 1024} MiB`, path)
  }
  const bytes = Buffer.alloc(size)
  const { bytesRead } = await handle.read(bytes, 0, size, 0)
  tally.bytes += bytesRead
  let value: unknown
  try {
    value = JSON.parse(bytes.toString('utf8', 0, bytesRead))
  } catch {
    tally.unreadable++
    return
  }
  if (Array.isArray(value)) yield { messages: value }
  else if (typeof value === 'object' && value !== null) yield value as Record<string, unknown>
  else tally.unreadable++
}
