/**
 * Digests and MACs. Digests of values are for keys, pins and records that must agree across processes. `digest` is the
 * plain form; the quicker ones spare a cold start `node:crypto` (bench/cold.ts) and a large payload its JSON
 * (bench/race.ts, 10 MB).
 */

import { hasPostponed } from './large-text.ts'
import { sha256 } from './sha256.ts'

/** Compact JSON with the keys of every object sorted, characters outside ASCII as they are. */
export function canonicalJson(value: unknown): string {
  return sortedJson(value) ?? 'null'
}

export function sha256Hex(text: string | Uint8Array): string {
  // Faster in our own code until the library is loaded; a process that lives longer loads it.
  if (text.length <= WORTH_LOADING_BYTES && ++count < DIGESTS_OF_A_RESIDENT)
    return sha256(typeof text === 'string' ? Buffer.from(text) : text)
  crypto ??= process.getBuiltinModule('node:crypto')
  return crypto.hash('sha256', text, 'hex')
}

let crypto: typeof import('node:crypto') | undefined

/** Above this size loading the library is faster. */
const WORTH_LOADING_BYTES = 4096
/** After this many digests the process is assumed to be resident. */
const DIGESTS_OF_A_RESIDENT = 64
let count = 0

/** SHA-256 of the canonical JSON. */
export function digest(value: unknown): string {
  return sha256Hex(canonicalJson(value))
}

/**
 * A digest to compare values within one program version. Long texts are included as their own digests: writing them as
 * JSON takes many times as long as reading them.
 */
export function quickDigest(value: unknown): string {
  return sha256Hex(sortedJson(value, LONG_CHARS) ?? 'null')
}

/**
 * Faster still: the order of fields matters. Undefined for texts of megabytes, which would take longer than everything
 * else done with them.
 */
export function plainDigest(value: unknown): string | undefined {
  return hasHugeText(value, 0) ? undefined : sha256Hex(JSON.stringify(value) ?? 'null')
}

/** Also true when the value is nested too deep to walk. */
function hasHugeText(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return value.length > HUGE_CHARS
  if (typeof value !== 'object' || value === null) return false
  if (depth > MAX_DEPTH || hasPostponed(value)) return true
  for (const key in value) if (hasHugeText((value as Record<string, unknown>)[key], depth + 1)) return true
  return false
}

/** Above this length a plain digest of a text would take too long. */
const HUGE_CHARS = 1024 * 1024
/** Above this length a text is included as its own digest. */
const LONG_CHARS = 64 * 1024

// Built by hand: an object always lists keys such as "10" first and in numeric order. Skips what JSON skips.
function sortedJson(value: unknown, longest = Number.POSITIVE_INFINITY, depth = 0): string | undefined {
  if (depth > MAX_DEPTH) return flatText(value)
  // Without quotes, so that no shorter text can produce the same JSON.
  if (typeof value === 'string' && value.length > longest) return `sha256:${sha256Hex(value)}`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (typeof (value as { toJSON?: unknown }).toJSON === 'function')
    return sortedJson(JSON.parse(JSON.stringify(value) ?? 'null'), longest, depth + 1)
  if (Array.isArray(value))
    return `[${value.map((item) => sortedJson(item, longest, depth + 1) ?? 'null').join(',')}]`
  const record = value as Record<string, unknown>
  let text = ''
  for (const key of sortedKeys(record)) {
    const field = sortedJson(record[key], longest, depth + 1)
    if (field !== undefined) text += `${text && ','}${JSON.stringify(key)}:${field}`
  }
  return `{${text}}`
}

const SURROGATE = /[\ud800-\udfff]/

/** Most levels walked by recursion: nothing that a model sends may exhaust the stack. */
const MAX_DEPTH = 500

/** Without recursion: each list with its length, each object with its keys, then what is in them. */
function flatText(value: unknown): string {
  const parts: string[] = []
  const open: unknown[] = [value]
  while (open.length > 0) {
    const next = open.pop()
    if (typeof next !== 'object' || next === null) {
      parts.push(JSON.stringify(next) ?? 'null')
      continue
    }
    const record = next as Record<string, unknown>
    const keys = Array.isArray(next) ? [...next.keys()].map(String) : sortedKeys(next)
    parts.push(Array.isArray(next) ? `[${keys.length}` : `{${JSON.stringify(keys)}`)
    for (const key of keys.toReversed()) open.push(record[key])
  }
  return parts.join(',')
}

/** UTF-16 order differs from the UTF-8 order of other languages once surrogates are involved. */
function sortedKeys(record: object): string[] {
  const keys = Object.keys(record).sort()
  if (!SURROGATE.test(keys.join(''))) return keys
  return keys.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
}

/** `hash` of `node:crypto` is one. */
type Hash = (algorithm: 'sha256', data: Uint8Array, encoding: 'hex') => string

const BLOCK_BYTES = 64
const HASH_BYTES = 32

/** Bytes that are given to `after` begin with so many unused ones. */
export const MAC_START = BLOCK_BYTES

/** In hexadecimal: V8 makes a short text in half the time of a Buffer, which is collected later, too. */
export interface Hmac {
  (parts: readonly Uint8Array[]): string
  /** Of what follows the first MAC_START bytes, which it overwrites: nothing is copied. */
  after(bytes: Uint8Array): string
}

/**
 * HMAC-SHA-256 with one key of at most a block (64 bytes), many times: the key's blocks are made once, without a
 * `node:crypto` object per call. Takes a tenth of the time of its slow twin `createHmac` in the warm engine, which needs
 * two per event (bench/race.ts).
 */
export function hmacWith(hash: Hash, key: Uint8Array): Hmac {
  const inner = padded(key, 0x36)
  const outer = Buffer.concat([padded(key, 0x5c), Buffer.alloc(HASH_BYTES)])
  const after = (bytes: Uint8Array) => {
    bytes.set(inner)
    outer.write(hash('sha256', bytes, 'hex'), BLOCK_BYTES, 'hex')
    return hash('sha256', outer, 'hex')
  }
  return Object.assign((parts: readonly Uint8Array[]) => after(joined(parts)), { after })
}

/** `Buffer.concat` would read each part twice more. */
function joined(parts: readonly Uint8Array[]): Buffer {
  let size = BLOCK_BYTES
  for (let i = 0; i < parts.length; i++) size += parts[i]!.length
  const bytes = Buffer.allocUnsafe(size)
  for (let i = 0, at = BLOCK_BYTES; i < parts.length; at += parts[i++]!.length) bytes.set(parts[i]!, at)
  return bytes
}

function padded(key: Uint8Array, filler: number): Buffer {
  const pad = Buffer.alloc(BLOCK_BYTES, filler)
  for (const [i, byte] of key.entries()) pad[i]! ^= byte
  return pad
}

/** For so few MACs loading the library takes longer than it saves. */
const MACS_OF_A_RESIDENT = 32

/**
 * MACs of texts for one purpose, in hexadecimal. The key is asked for with the first text; while there is none, `unkeyed`
 * stands in for the MAC.
 */
export function textMacs(
  purpose: string,
  keyOf: () => Uint8Array | undefined,
  unkeyed: string,
): (text: string) => string {
  let key: Uint8Array | undefined
  let mac: Hmac | undefined
  let made = 0
  return (text) => {
    key ??= keyOf()
    if (!key) return unkeyed
    if (++made === MACS_OF_A_RESIDENT) mac = hmacWith(process.getBuiltinModule('node:crypto').hash, key)
    mac ??= hmacWith((_, bytes) => sha256(bytes), key)
    return mac([Buffer.from(`${purpose}\0${text}`)])
  }
}
