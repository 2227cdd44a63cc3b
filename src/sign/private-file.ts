/** Reads a file with a key only if nobody but its owner could have read or written it. */

import { closeSync, constants, fstatSync, openSync, type Stats } from 'node:fs'
import { messageOf } from '../spec/errors.ts'

const MAX_BYTES = 1024 * 1024

/** Undefined when there is no such file. Throws the result of `unusable` when it must not be used. */
export function readPrivate<T>(
  file: string,
  unusable: (file: string, why: string, cause?: unknown) => Error,
  read: (descriptor: number, stat: Stats) => T,
): T | undefined {
  let descriptor: number
  try {
    descriptor = openSync(
      file,
      constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
    )
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw unusable(file, messageOf(error), error)
  }
  try {
    const stat = fstatSync(descriptor)
    const uid = process.getuid?.()
    if (!stat.isFile()) throw unusable(file, 'it is not a regular file')
    if (uid !== undefined && stat.uid !== uid) throw unusable(file, 'it belongs to another user')
    if (uid !== undefined && (stat.mode & 0o077) !== 0)
      throw unusable(file, 'other users may read or write it')
    if (stat.size > MAX_BYTES) throw unusable(file, `it has ${stat.size} bytes: no key is that long`)
    return read(descriptor, stat)
  } finally {
    closeSync(descriptor)
  }
}
