/** The words of relay and engine, as relay/PROTOCOL.md describes them. */

import type { Reply } from '../spec/dialect.ts'

export interface WarmRequest {
  version: string
  agent: string
  event?: string
  cwd: string
  /** `NAME=value`, a zero byte after each; see `parseEnvironment`. */
  env: string
  payload: string
}

export const PROTOCOL_VERSION = 1
export const HEARTBEAT = Buffer.from([0x06])
export const ANSWERED = 0
export const DECLINED = 1
export const LEAVING = 2

const REQUEST_HEAD = 32
const ANSWER_HEAD = 20
const MOST_OUTPUT = 64 * 1024 * 1024

/** Sizes in the order of the frame. */
const FIELDS = [
  { name: 'version', least: 0, most: 64 },
  { name: 'agent', least: 1, most: 256 },
  { name: 'event', least: 0, most: 256 },
  { name: 'cwd', least: 1, most: 16_384 },
  { name: 'env', least: 0, most: 8 * 1024 * 1024 },
  { name: 'payload', least: 0, most: 64 * 1024 * 1024 },
] as const

/** Takes a request as it comes in pieces. `add` gives it back once it is whole; what breaks the rules throws. */
export function requestReader(): { add(chunk: Buffer): WarmRequest | undefined } {
  let bytes: Buffer | undefined
  let have = 0
  let total: number | undefined
  return {
    add(chunk) {
      if (bytes === undefined) bytes = chunk
      else if (have + chunk.length <= bytes.length) chunk.copy(bytes, have)
      else bytes = Buffer.concat([bytes.subarray(0, have), chunk])
      have += chunk.length
      checkStart(bytes, Math.min(have, REQUEST_HEAD))
      if (have < REQUEST_HEAD) return undefined
      if (total === undefined) {
        total = REQUEST_HEAD + sizesIn(bytes).reduce((sum, size) => sum + size, 0)
        if (have < total) bytes = withRoom(bytes, have, total)
      }
      if (have > total) throw new Error(`${have - total} bytes too many after the request`)
      return have === total ? requestFrom(bytes) : undefined
    },
  }
}

export function parseEnvironment(block: string): NodeJS.ProcessEnv {
  const env = Object.create(null) as NodeJS.ProcessEnv
  for (const entry of block.split('\0')) {
    const equals = entry.indexOf('=')
    if (equals > 0) env[entry.slice(0, equals)] = entry.slice(equals + 1)
  }
  return env
}

export function encodeAnswer(status: number, { stdout, stderr, exit_code }: Reply): Buffer {
  const out = Buffer.byteLength(stdout)
  const err = Buffer.byteLength(stderr)
  if (out > MOST_OUTPUT || err > MOST_OUTPUT)
    return encodeAnswer(DECLINED, { stdout: '', stderr: 'the answer is larger than 64 MiB', exit_code: 0 })
  const frame = Buffer.alloc(ANSWER_HEAD + out + err)
  frame.write('XHAN', 'latin1')
  frame[4] = PROTOCOL_VERSION
  frame[5] = status
  frame.writeUInt32LE(exit_code & 0xff, 8)
  frame.writeUInt32LE(out, 12)
  frame.writeUInt32LE(err, 16)
  frame.write(stdout, ANSWER_HEAD, 'utf8')
  frame.write(stderr, ANSWER_HEAD + out, 'utf8')
  return frame
}

const START = Buffer.from(`XHRQ${String.fromCharCode(PROTOCOL_VERSION)}\0\0\0`, 'latin1')

/** Told at the first wrong byte, so that nobody waits for the rest of something else. */
function checkStart(bytes: Buffer, have: number): void {
  const length = Math.min(have, START.length)
  if (START.compare(bytes, 0, length, 0, length) !== 0)
    throw new Error('not a request of this protocol, or of another version of it')
}

function sizesIn(bytes: Buffer): number[] {
  return FIELDS.map(({ name, least, most }, i) => {
    const size = bytes.readUInt32LE(8 + 4 * i)
    if (size < least || size > most)
      throw new Error(`${name} has ${size} bytes; ${least} to ${most} are right`)
    return size
  })
}

/** A large request is not copied again with each piece. Its memory is taken as it fills. */
function withRoom(bytes: Buffer, have: number, total: number): Buffer {
  const room = Buffer.allocUnsafeSlow(total)
  bytes.copy(room, 0, 0, have)
  return room
}

function requestFrom(bytes: Buffer): WarmRequest {
  let at = REQUEST_HEAD
  const texts = sizesIn(bytes).map((size) => bytes.toString('utf8', at, (at += size)))
  const [version, agent, event, cwd, env, payload] = texts as [string, string, string, string, string, string]
  return { version, agent, ...(event === '' ? {} : { event }), cwd, env, payload }
}
