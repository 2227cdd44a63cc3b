/**
 * Digests of values, for keys, pins and records that must agree across processes. `digest` is the plain form; the quicker
 * ones spare a cold start `node:crypto` (bench/cold.ts) and a large payload its JSON (bench/race.ts, 10 MB).
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
