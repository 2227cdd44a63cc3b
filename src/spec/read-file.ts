/**
 * Reads files that crosshook relies on. Someone may have put a pipe without a writer, an endless device or a huge file
 * in their place: reading must neither block nor fill the memory.
 */

import { closeSync, constants, fstatSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs'

/** Far above the size of any file of settings, hooks or state. */
const MAX_BYTES = 64 * 1024 * 1024

export function readText(path: string, most = MAX_BYTES): string {
  return readBytes(path, most).toString('utf8')
}

/** Throws a system error when it is not a plain file, or larger than `most`. */
export function readBytes(path: string, most = MAX_BYTES): Buffer {
  const file = openPlain(path)
  try {
    const { size } = fstatSync(file)
    if (size > most) throw unreadable('EFBIG', `it has ${size} bytes, and ${most} are the most`, path)
    const bytes = Buffer.allocUnsafe(size + 1)
    let read = 0
    // One byte more than its size, to see the end: a file may grow, and some file systems report no size.
    for (let got = 1; got > 0 && read < bytes.length; read += got)
      got = readSync(file, bytes, read, bytes.length - read, read)
    return read < bytes.length ? bytes.subarray(0, read) : grown(file, bytes, most, path)
  } finally {
    closeSync(file)
  }
}

/** Opens for reading, unless the flags say more. The caller closes the descriptor. */
export function openPlain(path: string, flags: number = constants.O_RDONLY): number {
  const file = openSync(path, flags | (constants.O_NONBLOCK ?? 0), 0o600)
  const stat = fstatSync(file)
  if (stat.isFile()) return file
  closeSync(file)
  throw unreadable(stat.isDirectory() ? 'EISDIR' : 'EINVAL', 'it is not a plain file', path)
}

/** Creates the file when it does not exist. `flush`: it is on the disk when this returns. */
export function appendText(path: string, text: string, { flush = false } = {}): void {
  const file = openPlain(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT)
  try {
    writeSync(file, text)
    if (flush) fsyncSync(file)
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
