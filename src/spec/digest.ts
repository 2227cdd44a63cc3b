/** One text for one value, and its digest: for keys, pins and records that must agree across processes. */

import { sha256 } from './sha256.ts'

/** Compact JSON with the keys of every object sorted, characters outside ASCII as they are. */
export function canonicalJson(value: unknown): string {
  return sortedJson(value) ?? 'null'
}

export function sha256Hex(text: string | Uint8Array): string {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text
  // A short process is quicker without the library; one that goes on and on is not.
  if (bytes.length <= SHORT && ++count < MANY) return sha256(bytes)
  return process.getBuiltinModule('node:crypto').hash('sha256', bytes, 'hex')
}

const SHORT = 4096
const MANY = 64
let count = 0

/** SHA-256 of the canonical JSON. */
export function digest(value: unknown): string {
  return sha256Hex(canonicalJson(value))
}

// Built by hand: an object always lists keys such as "10" first and by number. What JSON leaves out is left out.
function sortedJson(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (typeof (value as { toJSON?: unknown }).toJSON === 'function')
    return sortedJson(JSON.parse(JSON.stringify(value) ?? 'null'))
  if (Array.isArray(value)) return `[${value.map((item) => sortedJson(item) ?? 'null').join(',')}]`
  const record = value as Record<string, unknown>
  let text = ''
  for (const key of sortedKeys(record)) {
    const field = sortedJson(record[key])
    if (field !== undefined) text += `${text && ','}${JSON.stringify(key)}:${field}`
  }
  return `{${text}}`
}

const SURROGATE = /[\ud800-\udfff]/

// UTF-16 order and the UTF-8 order that other languages sort by differ once surrogates are involved.
function sortedKeys(record: object): string[] {
  const keys = Object.keys(record).sort()
  if (!SURROGATE.test(keys.join(''))) return keys
  return keys.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
}
