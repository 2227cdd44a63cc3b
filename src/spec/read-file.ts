/**
 * Reads files that crosshook relies on. What stands in place of one may be a pipe that nobody writes to, a device
 * without end or a file without measure: a call must neither wait for it nor keep it in memory.
 */

import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from 'node:fs'

/** No file of settings, hooks or state comes near. */
const MOST_BYTES = 64 * 1024 * 1024

export function readText(path: string, most = MOST_BYTES): string {
  return readBytes(path, most).toString('utf8')
}

/** Throws an error of the system where it is no plain file, or larger than `most`. */
export function readBytes(path: string, most = MOST_BYTES): Buffer {
  const file = openPlain(path)
  try {
    const { size } = fstatSync(file)
    if (size > most) throw unreadable('EFBIG', `it has ${size} bytes, and ${most} are the most`, path)
    const bytes = Buffer.allocUnsafe(size + 1)
    let read = 0
    // One more than its size, to see the end: a file may grow meanwhile, and some file systems tell no size.
    for (let got = 1; got > 0 && read < bytes.length; read += got)
      got = readSync(file, bytes, read, bytes.length - read, read)
    return read < bytes.length ? bytes.subarray(0, read) : grown(file, bytes, most, path)
  } finally {
    closeSync(file)
  }
}

/** For reading, unless the flags say more. The descriptor is the caller's to close. */
export function openPlain(path: string, flags: number = constants.O_RDONLY): number {
  const file = openSync(path, flags | (constants.O_NONBLOCK ?? 0), 0o600)
  const stat = fstatSync(file)
  if (stat.isFile()) return file
  closeSync(file)
  throw unreadable(stat.isDirectory() ? 'EISDIR' : 'EINVAL', 'it is not a plain file', path)
}

/** Made where it is not there. */
export function appendText(path: string, text: string): void {
  const file = openPlain(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT)
  try {
    writeSync(file, text)
  } finally {
    closeSync(file)
  }
}

function grown(file: number, first: Buffer, most: number, path: string): Buffer {
  const parts = [first]
  let total = first.length
  for (;;) {
    const part = Buffer.allocUnsafe(64 * 1024)
    const got = readSync(file, part, 0, part.length, total)
    if (got === 0) return Buffer.concat(parts)
    parts.push(part.subarray(0, got))
    total += got
    if (total > most) throw unreadable('EFBIG', `it has more than ${most} bytes`, path)
  }
}

function unreadable(code: string, why: string, path: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: ${why}, read '${path}'`), { code, syscall: 'read', path })
}
