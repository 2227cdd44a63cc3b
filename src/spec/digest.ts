/** One text for one value, and its digest: for keys, pins and records that must agree across processes. */

import { sha256 } from './sha256.ts'

/** Compact JSON with the keys of every object sorted, characters outside ASCII as they are. */
export function canonicalJson(value: unknown): string {
  return sortedJson(JSON.parse(JSON.stringify(value) ?? 'null'))
}

export function sha256Hex(text: string | Uint8Array): string {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text
  if (bytes.length <= SHORT) return sha256(bytes)
  return process.getBuiltinModule('node:crypto').createHash('sha256').update(bytes).digest('hex')
}

const SHORT = 4096

/** SHA-256 of the canonical JSON. */
export function digest(value: unknown): string {
  return sha256Hex(canonicalJson(value))
}

// Built by hand: an object always lists keys such as "10" first and by number.
function sortedJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(',')}]`
  const fields = Object.entries(value).sort(([a], [b]) => byCodePoint(a, b))
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${sortedJson(field)}`).join(',')}}`
}

const SURROGATE = /[\ud800-\udfff]/

// UTF-16 order and the UTF-8 order that other languages sort by differ once surrogates are involved.
function byCodePoint(a: string, b: string): number {
  if (!SURROGATE.test(a + b)) return a < b ? -1 : Number(a > b)
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
