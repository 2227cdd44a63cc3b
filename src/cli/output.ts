/** Writes text synchronously. Node's own streams take milliseconds to set up. */

import { writeSync } from 'node:fs'
import { CrosshookError, messageOf } from '../spec/errors.ts'

export const out = (text: string) => void writeAll(1, text)
export const err = (text: string) => void writeAll(2, text)

/** False when the reader is gone. */
export function writeAll(fd: number, text: string | Buffer): boolean {
  let rest = typeof text === 'string' ? Buffer.from(text) : text
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(fd, rest))
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EPIPE') return false
      if (code !== 'EAGAIN')
        throw new CrosshookError(
          'refused',
          `${fd === 1 ? 'stdout' : 'stderr'} cannot be written: ${messageOf(error)}`,
          {
            fix: 'Make room where the output goes, or send it elsewhere.',
            cause: error,
          },
        )
      // A full nonblocking pipe: wait for the reader.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2)
    }
  }
  return true
}
