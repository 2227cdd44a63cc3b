/** One hook that failed after all attempts. */

import { redactClipped, redactName } from '../redact/redact.ts'
import { readText } from '../spec/read-file.ts'
import { uniqueHex } from './unique.ts'

export interface DeadLetter {
  hook_name: string
  event: string
  subject?: string
  session_id?: string
  run_id?: string
  /** From `safeTarget`. */
  target: string
  attempt_count: number
  failure_mode: 'open' | 'closed'
  invocation_digest: string
  definition_digest: string
  error: string
}

export interface DeadLetterRecord extends DeadLetter {
  id: string
  at: string
  at_ms: number
  contract_version: 1
  resolved_at?: string
  resolved_at_ms?: number
  resolution_reason?: string
}

const MAX_ERROR_CHARS = 2048
const MAX_FIELD_CHARS = 512

let lastAt = 0

export function toRecord(letter: DeadLetter): DeadLetterRecord {
  // No two records of one process share a millisecond, so their order is kept.
  lastAt = Math.max(Date.now(), lastAt + 1)
  const { invocation_digest, definition_digest } = letter
  const digests = `${invocation_digest.slice(0, 8)}-${definition_digest.slice(0, 8)}`
  return redactRecord({
    id: `hook-dlq-${lastAt}-${digests}-${uniqueHex(16)}`,
    at: new Date(lastAt).toISOString(),
    at_ms: lastAt,
    ...letter,
    contract_version: 1,
  })
}

/** Contain only names and origins: see `safeTarget`. */
const NAMES = new Set(['hook_name', 'target', 'event'])
const PLAIN = new Set(['id', 'at', 'invocation_digest', 'definition_digest'])

/** Also applied when reading: records of older versions may contain what today's rules would redact. */
export function redactRecord(record: DeadLetterRecord): DeadLetterRecord {
  return Object.fromEntries(
    Object.entries(record).map(([field, value]) => [
      field,
      typeof value === 'string' && !PLAIN.has(field)
        ? NAMES.has(field)
          ? redactName(value.slice(0, MAX_FIELD_CHARS))
          : redactClipped(value, field === 'error' ? MAX_ERROR_CHARS : MAX_FIELD_CHARS)
        : value,
    ]),
  ) as unknown as DeadLetterRecord
}

export function fileName({ at_ms, hook_name, id }: DeadLetterRecord): string {
  return `${at_ms}-${hook_name.replace(/[^A-Za-z0-9._-]+/g, '_').slice(0, 64)}-${id.slice(-16)}.json`
}

/** Throws when the file is damaged. */
export function readRecord(path: string): DeadLetterRecord {
  const value: unknown = JSON.parse(readText(path))
  const { id, at_ms, hook_name } = (value ?? {}) as Partial<DeadLetterRecord>
  if (typeof id !== 'string' || typeof at_ms !== 'number' || typeof hook_name !== 'string')
    throw new Error('it is not a dead letter: id, at_ms or hook_name is missing')
  return { ...(value as DeadLetterRecord), at: new Date(at_ms).toISOString() }
}
