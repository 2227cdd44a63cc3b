/** Messages to and from the spawner, see relay/PROTOCOL.md. */

import { isUtf8 } from 'node:buffer'
import { isAbsolute } from 'node:path'
import { textOf } from './output.ts'
import type { Limits, Start } from './process.ts'

export const READY = 0
export const EXITED = 1
export const SIGNALLED = 2
export const NOT_STARTED = 3
export const OVERFLOWED = 4
export const ENDED = 5

export interface SpawnerReply {
  id: number
  kind: number
  /** Exit code, signal number or error number. */
  code: number
  stdout: string
  stderr: string
  truncated: boolean
  stderrTruncated: boolean
  garbled: boolean
}

const START = 1
const END = 2
const AWAITS_OUTPUT = 1
const OVERFLOW_FAILS = 2
const AS_CALLER = 4
const CHILDREN_STAY = 8
const START_HEAD = 28
const REPLY_HEAD = 20
/** Larger input is rare, and slow however it is started. */
const MAX_BYTES = 1024 * 1024
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024
const MAX_REPLY_BYTES = REPLY_HEAD + 2 * MAX_OUTPUT_BYTES

/** Undefined when Node must start this program. */
export function startMessage(id: number, start: Start, limits: Limits): Buffer | undefined {
  const { file, args, cwd, env, input, caller } = start
  // Without a PATH the C library decides where to look, and there are several.
  if (!file.includes('/') && !env.PATH) return undefined
  if (!isAbsolute(cwd) || !(limits.limit <= MAX_OUTPUT_BYTES)) return undefined
  const list = [cwd, file, ...args]
  const variables = Object.keys(env)
  for (const name of variables) list.push(`${name}=${env[name]}`)
  if (list.some((text) => text.includes('\0'))) return undefined
  const texts = `${list.join('\0')}\0`
  const textsSize = Buffer.byteLength(texts)
  const head = START_HEAD + (caller === undefined ? 0 : 4)
  const size = head + textsSize + Buffer.byteLength(input)
  if (size > MAX_BYTES) return undefined
  const bytes = Buffer.allocUnsafe(size)
  writeHead(bytes, id, START, flagsOf(limits) | (caller === undefined ? 0 : AS_CALLER))
  bytes.writeUInt32LE(limits.limit, 12)
  bytes.writeUInt32LE(args.length + 1, 16)
  bytes.writeUInt32LE(variables.length, 20)
  bytes.writeUInt32LE(textsSize, 24)
  if (caller !== undefined) bytes.writeUInt32LE(caller, START_HEAD)
  bytes.write(texts, head)
  bytes.write(input, head + textsSize)
  return bytes
}

export function endMessage(id: number): Buffer {
  const bytes = Buffer.allocUnsafe(12)
  writeHead(bytes, id, END, 0)
  return bytes
}

/** Takes pieces as they arrive and passes each whole reply to `use`. */
export function replyReader(use: (reply: SpawnerReply) => void): (chunk: Buffer) => void {
  let pieces: Buffer[] = []
  let have = 0
  let need = 4
  return (chunk) => {
    pieces.push(chunk)
    have += chunk.length
    if (have < need) return
    let bytes = pieces.length === 1 ? chunk : Buffer.concat(pieces, have)
    need = 4
    while (bytes.length >= need) {
      need = bytes.readUInt32LE(0)
      if (need < REPLY_HEAD || need > MAX_REPLY_BYTES) throw new Error(`it began a reply of ${need} bytes`)
      if (bytes.length < need) break
      use(readReply(bytes.subarray(0, need)))
      bytes = bytes.subarray(need)
      need = 4
    }
    pieces = bytes.length > 0 ? [bytes] : []
    have = bytes.length
  }
}

function readReply(bytes: Buffer): SpawnerReply {
  const flags = bytes[9]!
  const stdoutEnd = REPLY_HEAD + bytes.readUInt32LE(16)
  const truncated = (flags & 1) !== 0
  const stderrTruncated = (flags & 2) !== 0
  const printed = bytes.subarray(REPLY_HEAD, stdoutEnd)
  return {
    id: bytes.readUInt32LE(4),
    kind: bytes[8]!,
    code: bytes.readUInt32LE(12),
    stdout: text(printed, truncated),
    stderr: text(bytes.subarray(stdoutEnd), stderrTruncated),
    truncated,
    stderrTruncated,
    garbled: !isUtf8(printed),
  }
}

/** Text that was not cut ends with a whole character. */
function text(bytes: Buffer, isCut: boolean): string {
  return isCut ? textOf(bytes, true) : bytes.toString('utf8')
}

function writeHead(bytes: Buffer, id: number, kind: number, flags: number): void {
  bytes.writeUInt32LE(bytes.length, 0)
  bytes.writeUInt32LE(id, 4)
  bytes[8] = kind
  bytes[9] = flags
  bytes[10] = bytes[11] = 0
}

function flagsOf({ awaitsOutput, onOverflow, childrenStay }: Limits): number {
  const atTheEnd = (awaitsOutput ? AWAITS_OUTPUT : 0) | (childrenStay ? CHILDREN_STAY : 0)
  return atTheEnd | (onOverflow === 'fail' ? OVERFLOW_FAILS : 0)
}
