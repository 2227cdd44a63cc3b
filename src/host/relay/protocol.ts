/** Messages between relay and engine, see relay/PROTOCOL.md. */

import { isUtf8 } from 'node:buffer'
import { hmacWith, MAC_START } from '../../fast/digest.ts'
import { checkUtf8, type Utf8Check } from '../../fast/utf8-in-pieces.ts'
import type { Reply } from '../../spec/dialect.ts'

export interface WarmRequest {
  version: string
  agent: string
  event?: string
  cwd: string
  /** `NAME=value`, a zero byte after each; see `parseEnvironment`. */
  env: string
  /** The challenge that the engine's answer must be proven for: see `createProver`. */
  challenge: Buffer
  /** The process that started the relay. */
  parent: number
  /** A large payload stays as bytes; `large-payload.ts` reads it. */
  payload: string | Buffer
}

export const PROTOCOL_VERSION = 2
export const HEARTBEAT = Buffer.from([0x06])
export const ANSWERED = 0
export const DECLINED = 1
export const LEAVING = 2

const LARGE_PAYLOAD_BYTES = 1024 * 1024
const CHALLENGE_AT = 32
const CHALLENGE_BYTES = 16
const PARENT_AT = CHALLENGE_AT + CHALLENGE_BYTES
const REQUEST_HEAD = 52
/** Offset of the proof, which fills the rest of the head. */
const ANSWER_START = 20
export const PROOF_BYTES = 32
const ANSWER_HEAD = ANSWER_START + PROOF_BYTES
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024

/** Sizes in the order of the frame. */
const FIELDS = [
  { name: 'version', least: 0, most: 64 },
  { name: 'agent', least: 1, most: 256 },
  { name: 'event', least: 0, most: 256 },
  { name: 'cwd', least: 1, most: 16_384 },
  { name: 'env', least: 0, most: 8 * 1024 * 1024 },
  { name: 'payload', least: 0, most: 64 * 1024 * 1024 },
] as const
const PAYLOAD_FIELD = 5
const PAYLOAD = FIELDS[PAYLOAD_FIELD]
/** In place of the payload's size: the payload lasts until the other side ends, followed by its size. */
const UNKNOWN = 0xffffffff
const END = 8

export interface RequestReader {
  /** Returns the request once it is complete; throws when it violates the protocol. */
  add(chunk: Buffer): WarmRequest | undefined
  /** Nothing more comes: a payload of unknown size may be complete now. */
  end(): WarmRequest | undefined
}

/** Reads a request that arrives in pieces. */
export function requestReader(): RequestReader {
  let bytes: Buffer | undefined
  let have = 0
  let size: Size | undefined
  let utf8: Utf8Check | undefined
  // Released at once: the reader is held for longer than the bytes are needed.
  const give = (end: number) => {
    const request = requestFrom(bytes!, size!.payload, end, utf8)
    bytes = undefined
    return request
  }
  return {
    add(chunk) {
      bytes = bytes === undefined ? chunk : joined(bytes, have, chunk, size)
      have += chunk.length
      if (size === undefined) {
        checkStart(bytes, have)
        if (have < REQUEST_HEAD) return undefined
        size = sizeOf(bytes)
      }
      if (have > size.most) throw new Error(`${have - size.most} bytes too many after the request`)
      const soFar = size.isOpen ? have - END : have
      if (soFar - size.payload > LARGE_PAYLOAD_BYTES) (utf8 ??= checkUtf8(size.payload)).look(bytes, soFar)
      return have === size.least && !size.isOpen ? give(have) : undefined
    },
    end: () => (bytes && size?.isOpen && isEnded(bytes, have, size) ? give(have - END) : undefined),
  }
}

/** Size of a whole request in bytes. An open-ended one lasts as long as its payload. */
interface Size {
  /** Where the payload begins. */
  payload: number
  least: number
  most: number
  isOpen: boolean
}

function sizeOf(bytes: Buffer): Size {
  let payload = REQUEST_HEAD
  for (let i = 0; i < PAYLOAD_FIELD; i++) payload += sizeIn(bytes, i)
  const size = sizeIn(bytes, PAYLOAD_FIELD)
  const isOpen = size === UNKNOWN
  const least = isOpen ? payload : payload + size
  return { payload, least, most: isOpen ? least + PAYLOAD.most + END : least, isOpen }
}

/** A relay killed while sending has not sent the final size. */
function isEnded(bytes: Buffer, have: number, { least }: Size): boolean {
  if (have < least + END) return false
  const at = have - END
  return bytes.toString('latin1', at, at + 4) === 'XHEN' && bytes.readUInt32LE(at + 4) === at - least
}

/** More than most payloads need. */
const FIRST_BUFFER_BYTES = 16 * 1024 * 1024

/** A large request is not copied again for each piece. Memory is committed only as it fills. */
function joined(bytes: Buffer, have: number, chunk: Buffer, size: Size | undefined): Buffer {
  const needed = have + chunk.length
  // The first piece is not ours to write to and has no spare room.
  const isRoom = bytes.length > have && bytes.length >= needed
  const room = isRoom
    ? bytes
    : Buffer.allocUnsafeSlow(
        size?.isOpen ? Math.max(FIRST_BUFFER_BYTES, 4 * needed) : Math.max(needed, size?.least ?? 0),
      )
  if (!isRoom) bytes.copy(room, 0, 0, have)
  chunk.copy(room, have)
  return room
}

/** Usually equal to that of the previous call, so it is cached. Do not modify it. */
export function parseEnvironment(block: string): NodeJS.ProcessEnv {
  if (block !== last.block) last = { block, env: Object.freeze(environmentIn(block)) }
  return last.env
}

let last: { block: string; env: NodeJS.ProcessEnv } = { block: '', env: Object.freeze(Object.create(null)) }

function environmentIn(block: string): NodeJS.ProcessEnv {
  const env = Object.create(null) as NodeJS.ProcessEnv
  for (const entry of block.split('\0')) {
    const equals = entry.indexOf('=')
    if (equals > 0) env[entry.slice(0, equals)] = entry.slice(equals + 1)
  }
  return env
}

/** Writes the proof of an answer into its frame. */
export type Prove = (frame: Buffer) => void

/**
 * How the engine proves its identity to the relay: any process of the user may listen at the engine's socket, but only
 * one that can read the state's key can compute the MAC over the relay's challenge and the answer. The MAC covers the
 * pid, which the relay learns from the kernel, so a process in the middle cannot pass on an answer to another question.
 */
export function createProver(key: Uint8Array, pid = process.pid): (challenge: Uint8Array) => Prove {
  // Not imported: the cold path also encodes answers but needs no crypto.
  const mac = hmacWith(process.getBuiltinModule('node:crypto').hash, key)
  const start = MAC_START + PURPOSE.length
  const body = start + CHALLENGE_BYTES + 4 + ANSWER_START
  return (challenge) => (frame) => {
    const bytes = Buffer.allocUnsafe(body + frame.length - ANSWER_HEAD)
    bytes.set(PURPOSE, MAC_START)
    bytes.set(challenge, start)
    bytes.writeUInt32LE(pid, start + CHALLENGE_BYTES)
    frame.copy(bytes, body - ANSWER_START, 0, ANSWER_START)
    frame.copy(bytes, body, ANSWER_HEAD)
    frame.write(mac.after(bytes), ANSWER_START, 'hex')
  }
}

/** The same prefix as in `mac` of config/state-key.ts. */
const PURPOSE = Buffer.from('engine\0')

/** Without `prove` for a relay that started us itself and reads the answer from its own pipe. */
export function encodeAnswer(status: number, { stdout, stderr, exit_code }: Reply, prove?: Prove): Buffer {
  const out = Buffer.byteLength(stdout)
  const err = stderr === '' ? 0 : Buffer.byteLength(stderr)
  if (out > MAX_OUTPUT_BYTES || err > MAX_OUTPUT_BYTES)
    return encodeAnswer(
      DECLINED,
      { stdout: '', stderr: 'the answer is larger than 64 MiB', exit_code: 0 },
      prove,
    )
  const frame = Buffer.alloc(ANSWER_HEAD + out + err)
  frame.write('XHAN', 'latin1')
  frame[4] = PROTOCOL_VERSION
  frame[5] = status
  frame.writeUInt32LE(exit_code & 0xff, 8)
  frame.writeUInt32LE(out, 12)
  frame.writeUInt32LE(err, 16)
  if (out > 0) frame.write(stdout, ANSWER_HEAD, 'utf8')
  if (err > 0) frame.write(stderr, ANSWER_HEAD + out, 'utf8')
  prove?.(frame)
  return frame
}

const START = Buffer.from(`XHRQ${String.fromCharCode(PROTOCOL_VERSION)}\0\0\0`, 'latin1')

/** Throws at the first wrong byte, without waiting for the rest. */
function checkStart(bytes: Buffer, have: number): void {
  for (let i = 0; i < START.length && i < have; i++)
    if (bytes[i] !== START[i]) throw new Error('not a request of this protocol, or of another version of it')
}

/** Size of the field at this position of the frame. */
function sizeIn(bytes: Buffer, i: number): number {
  const size = bytes.readUInt32LE(8 + 4 * i)
  const { name, least, most } = FIELDS[i]!
  if ((size < least || size > most) && !(name === PAYLOAD.name && size === UNKNOWN))
    throw new Error(`${name} has ${size} bytes; ${least} to ${most} are right`)
  return size
}

function requestFrom(bytes: Buffer, payloadAt: number, end: number, utf8?: Utf8Check): WarmRequest {
  const { version, agent, event, cwd, env } = headIn(bytes, payloadAt)
  const request: WarmRequest = {
    version,
    agent,
    cwd,
    env,
    challenge: Buffer.from(bytes.subarray(CHALLENGE_AT, PARENT_AT)),
    parent: bytes.readUInt32LE(PARENT_AT),
    payload: utf8 ? utf8.end(bytes, end) : payloadIn(bytes, payloadAt, end),
  }
  if (event !== '') request.event = event
  return request
}

/** Invalid UTF-8 stays as bytes, so that it is refused rather than read as something else. */
function payloadIn(bytes: Buffer, start: number, end: number): string | Buffer {
  const text = bytes.toString('utf8', start, end)
  // Reading invalid bytes gives this character; so does the character itself.
  if (!text.includes('\ufffd')) return text
  const payload = bytes.subarray(start, end)
  return isUtf8(payload) ? text : payload
}

/** What a request says before its payload. */
interface Head {
  version: string
  agent: string
  event: string
  cwd: string
  env: string
}

/** The calls of a session differ in little but their payloads, so the texts of the last few heads are kept. */
const heads: { bytes: Buffer; head: Head }[] = []
const MAX_HEADS = 8
const MAX_HEAD_BYTES = 64 * 1024
const SIZES_AT = 8
const SIZES_END = SIZES_AT + 4 * PAYLOAD_FIELD

function headIn(bytes: Buffer, end: number): Head {
  for (let i = 0; i < heads.length; i++) {
    const known = heads[i]!
    if (
      known.bytes.length === end &&
      known.bytes.compare(bytes, SIZES_AT, SIZES_END, SIZES_AT, SIZES_END) === 0 &&
      known.bytes.compare(bytes, REQUEST_HEAD, end, REQUEST_HEAD, end) === 0
    )
      return known.head
  }
  const head = readHead(bytes)
  if (end > MAX_HEAD_BYTES) return head
  if (heads.length >= MAX_HEADS) heads.shift()
  heads.push({ bytes: Buffer.from(bytes.subarray(0, end)), head })
  return head
}

function readHead(bytes: Buffer): Head {
  let at = REQUEST_HEAD
  const text = (i: number) => bytes.toString('utf8', at, (at += sizeIn(bytes, i)))
  return { version: text(0), agent: text(1), event: text(2), cwd: text(3), env: text(4) }
}
