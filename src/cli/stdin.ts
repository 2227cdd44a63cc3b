/** Reads stdin as text. */

import { isUtf8 } from 'node:buffer'
import { fstatSync, readSync } from 'node:fs'
import { CrosshookError, messageOf } from '../spec/errors.ts'
import { parseJson } from '../spec/json.ts'

const MAX_BYTES = 256 * 1024 * 1024

export function readStdin(): string {
  const chunks: Buffer[] = []
  const chunk = Buffer.allocUnsafe(65536)
  let size = 0
  for (;;) {
    let read: number
    try {
      read = readSync(0, chunk, 0, chunk.length, null)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EOF') break
      if (code === 'EAGAIN') {
        // A nonblocking pipe without data yet.
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2)
        continue
      }
      throw new CrosshookError('bad_input', `stdin cannot be read: ${messageOf(error)}`)
    }
    if (read === 0) break
    size += read
    if (size > MAX_BYTES) throw new CrosshookError('bad_input', 'stdin is larger than 256 MiB')
    chunks.push(Buffer.from(chunk.subarray(0, read)))
  }
  const bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
  if (!isUtf8(bytes)) throw new CrosshookError('bad_input', 'stdin is not UTF-8 text')
  const text = bytes.toString('utf8')
  return text.startsWith('\ufeff') ? text.slice(1) : text
}

/** Is something piped in? A terminal and /dev/null do not count. */
export function hasStdin(): boolean {
  try {
    return !fstatSync(0).isCharacterDevice()
  } catch {
    return false // closed
  }
}

/** One JSON object; empty input counts as {}. */
export function parseObject(text: string, what: string, fix?: string): Record<string, unknown> {
  if (text.trim() === '') return {}
  const bad = (message: string) => new CrosshookError('bad_input', message, fix === undefined ? {} : { fix })
  let value: unknown
  try {
    value = parseJson(text)
  } catch (error) {
    throw bad(`${what} is not JSON: ${messageOf(error)}`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw bad(`${what} is JSON, but not an object`)
  return value as Record<string, unknown>
}
