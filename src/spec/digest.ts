/** One text for one value, and its digest: for keys, pins and records that must agree across processes. */

import { createHash } from 'node:crypto'

/** Compact JSON with the keys of every object sorted, characters outside ASCII as they are. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(JSON.parse(JSON.stringify(value) ?? 'null')))
}

export function sha256Hex(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('hex')
}

/** SHA-256 of the canonical JSON. */
export function digest(value: unknown): string {
  return sha256Hex(canonicalJson(value))
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const out: Record<string, unknown> = Object.create(null)
  for (const key of Object.keys(value).sort(byCodePoint)) out[key] = sorted((value as Record<string, unknown>)[key])
  return out
}

// UTF-16 order and the UTF-8 order that other languages sort by differ once surrogates are involved.
function byCodePoint(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
