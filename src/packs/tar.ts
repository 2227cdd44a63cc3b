/** Archives: read with strict checks, written deterministically. */

import { gunzipSync } from 'node:zlib'
import { CrosshookError, messageOf } from '../spec/errors.ts'
import { checkFiles, MAX_BYTES, type PackFile, shown } from './files.ts'

const BLOCK = 512
/** Most bytes of an unpacked archive, including files that are not taken: documents, sources. */
const MAX_UNPACKED_BYTES = 4 * MAX_BYTES
const MAX_ENTRIES = 5000
/** Of an extended header. */
const MAX_HEADER_BYTES = 64 * 1024

export interface ReadOptions {
  /** Leading path parts that are dropped, such as npm's `package/`. */
  strip?: number
}

/** The plain files in it. Throws for links, devices, paths that lead out of it and anything unusual. */
export function readArchive(bytes: Uint8Array, what: string, options: ReadOptions = {}): PackFile[] {
  const tar = unzip(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), what)
  const files: PackFile[] = []
  let at = 0
  let entries = 0
  let longName: string | undefined
  while (at + BLOCK <= tar.length) {
    const header = tar.subarray(at, at + BLOCK)
    at += BLOCK
    if (header.every((byte) => byte === 0)) {
      if (tar.subarray(at).some((byte) => byte !== 0)) throw odd(what, 'something follows its end')
      return files
    }
    if (++entries > MAX_ENTRIES) throw odd(what, `it holds more than ${MAX_ENTRIES} entries`)
    if (checksum(header) !== octal(header, 148, 8)) throw odd(what, 'a header is damaged')
    const size = octal(header, 124, 12)
    if (size === undefined || at + size > tar.length) throw odd(what, 'it is cut off')
    const content = tar.subarray(at, at + size)
    at += Math.ceil(size / BLOCK) * BLOCK
    const type = String.fromCharCode(header[156]!)
    const kind = Object.hasOwn(KINDS, type) ? KINDS[type]! : 'refused'
    if (kind === 'header') {
      if (size > MAX_HEADER_BYTES) throw odd(what, 'a header is too large')
      longName = type === 'L' ? text(content) : (paxPath(content, what) ?? longName)
      continue
    }
    if (kind === 'global') continue
    const name = longName ?? joined(text(header.subarray(345, 500)), text(header.subarray(0, 100)), header)
    longName = undefined
    if (kind === 'refused') throw odd(what, `${shown(name)} is a link or a special file`)
    const path = stripped(name, options.strip ?? 0)
    if (kind === 'folder') {
      if (size > 0) throw odd(what, 'a folder has content')
      if (/(?:^|\/)\.\.(?:\/|$)|^\//.test(name)) throw odd(what, `${shown(name)} leads out of it`)
      continue
    }
    if (/(?:^|\/)\.\.(?:\/|$)|^\/|\\|\0/.test(name)) throw odd(what, `${shown(name)} leads out of it`)
    if (path === '') continue
    files.push({ path, bytes: Buffer.from(content), executable: (octal(header, 100, 8)! & 0o111) !== 0 })
  }
  throw odd(what, 'it is cut off: its end is missing')
}

/** `0`, NUL and `7` are files; PAX and GNU names are supported; everything else is a link, a device or unknown. */
const KINDS: Readonly<Record<string, 'file' | 'folder' | 'header' | 'global'>> = {
  '0': 'file',
  '\0': 'file',
  '5': 'folder',
  x: 'header',
  L: 'header',
  g: 'global',
}

/** Ustar, sorted, without owner and time: the same files give the same bytes on every machine. */
export function writeArchive(files: readonly PackFile[]): Buffer {
  const parts: Buffer[] = []
  for (const { path, bytes, executable } of checkFiles(files, 'the archive')) {
    const [prefix, name] = split(path)
    const header = Buffer.alloc(BLOCK)
    header.write(name, 0, 100)
    header.write(executable ? '0000755\0' : '0000644\0', 100, 'latin1')
    header.write('0000000\0' + '0000000\0', 108, 'latin1')
    header.write(`${bytes.length.toString(8).padStart(11, '0')}\0`, 124, 'latin1')
    header.write(`${'0'.repeat(11)}\0`, 136, 'latin1')
    header.write('0', 156, 'latin1')
    header.write('ustar\0' + '00', 257, 'latin1')
    header.write(prefix, 345, 155)
    header.write(`${checksum(header).toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
    parts.push(header, bytes, Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK))
  }
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)])
}

function unzip(bytes: Buffer, what: string): Buffer {
  if (bytes.length < 2 || bytes[0] !== 0x1f || bytes[1] !== 0x8b) {
    if (bytes.length > MAX_UNPACKED_BYTES)
      throw odd(what, `it is larger than ${MAX_UNPACKED_BYTES / 1024 / 1024} MiB`)
    return bytes
  }
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_UNPACKED_BYTES })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw odd(
      what,
      code === 'ERR_BUFFER_TOO_LARGE'
        ? `unpacked it is larger than ${MAX_UNPACKED_BYTES / 1024 / 1024} MiB`
        : `it cannot be unpacked: ${messageOf(error)}`,
    )
  }
}

function checksum(header: Buffer): number {
  let sum = 8 * 0x20
  for (const [at, byte] of header.entries()) if (at < 148 || at >= 156) sum += byte
  return sum
}

/** Numbers too large for octal digits are refused with the file's size. */
function octal(header: Buffer, at: number, length: number): number | undefined {
  const digits = /^ *([0-7]+)[ \0]*$/.exec(header.toString('latin1', at, at + length))?.[1]
  return digits === undefined ? undefined : Number.parseInt(digits, 8)
}

function text(bytes: Buffer): string {
  const end = bytes.indexOf(0)
  return bytes.toString('utf8', 0, end < 0 ? undefined : end)
}

function joined(prefix: string, name: string, header: Buffer): string {
  return prefix !== '' && header.toString('latin1', 257, 262) === 'ustar' ? `${prefix}/${name}` : name
}

/** `LENGTH path=VALUE\n`, each record with its own length. */
function paxPath(content: Buffer, what: string): string | undefined {
  let found: string | undefined
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(0x20, at)
    const length = Number(content.toString('latin1', at, space))
    if (space < 0 || !Number.isInteger(length) || length < 5 || at + length > content.length)
      throw odd(what, 'a header is damaged')
    const record = content.toString('utf8', space + 1, at + length - 1)
    if (record.startsWith('path=')) found = record.slice(5)
    if (/^(?:size|linkpath|GNU\.sparse)/.test(record)) throw odd(what, 'a header says what it may not')
    at += length
  }
  return found
}

function stripped(name: string, parts: number): string {
  const clean = name.replace(/^(?:\.\/)+/, '')
  return parts === 0 ? clean : clean.split('/').slice(parts).join('/')
}

function split(path: string): [string, string] {
  if (Buffer.byteLength(path) <= 100) return ['', path]
  for (let at = path.indexOf('/'); at > 0; at = path.indexOf('/', at + 1)) {
    const [prefix, name] = [path.slice(0, at), path.slice(at + 1)]
    if (Buffer.byteLength(prefix) <= 155 && Buffer.byteLength(name) <= 100) return [prefix, name]
  }
  throw new CrosshookError('refused', `${path} is too long for an archive`, {
    fix: 'Use shorter names of folders and files.',
  })
}

function odd(what: string, why: string): CrosshookError {
  return new CrosshookError('refused', `the archive ${what} is refused: ${why}`, {
    fix: 'Nothing was written. Fetch it again; if that does not help, tell whoever published it.',
  })
}
