/** Hooks that failed for good, one file for each, so that not even a damaged database loses one. */

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { CrosshookError, messageOf } from '../spec/errors.ts'
import { redactClipped } from './redact.ts'
import { dropResolutions, readLedger, resolveInLedger } from './resolutions.ts'
import { uniqueHex } from './unique.ts'
import { writeWhole } from './write-whole.ts'

export interface DeadLetter {
  hook_name: string
  event: string
  subject?: string
  session_id?: string
  run_id?: string
  /** Of `safeTarget`. */
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

export interface DeadLetterSummary {
  count: number
  unresolved_count: number
  last_at?: string
  last_at_ms?: number
  last_hook?: string
  last_unresolved_at?: string
  last_unresolved_at_ms?: number
  last_unresolved_hook?: string
  /** Files that could not be read, and why. */
  read_error?: string
}

export interface DeadLetters {
  /** Never throws; the record is on the disk when there is no error. */
  add(letter: DeadLetter): { record: DeadLetterRecord; error?: CrosshookError }
  /** Newest last, resolved ones included. */
  list(limit?: number): DeadLetterRecord[]
  get(id: string): DeadLetterRecord | undefined
  /** The first resolution stays. Undefined when there is no such record. */
  resolve(id: string, reason?: string): DeadLetterRecord | undefined
  summary(): DeadLetterSummary
  /** Removes the oldest beyond the limits. `add` does so by itself. */
  prune(): void
}

const LIMITS = { records: 5000, bytes: 64 * 1024 * 1024 }
const ERROR_LIMIT = 2048
const FIELD_LIMIT = 512
/** No file of ours is larger: below this times the count, nothing need be measured. */
const LARGEST = 12 * 1024

export function deadLetters(stateDir: string, limits: Partial<typeof LIMITS> = {}): DeadLetters {
  const folder = join(stateDir, 'dead-letters')
  const bounds = { ...LIMITS, ...limits }
  const list = (limit = Number.POSITIVE_INFINITY) => {
    const { records, unusable } = readAll(folder)
    if (unusable) throw unusable
    return records.slice(Math.max(0, records.length - limit))
  }
  const get = (id: string) => list().find((record) => record.id === id)
  return {
    list,
    get,
    add(letter) {
      const record = toRecord(letter)
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        writeWhole(join(folder, fileName(record)), `${JSON.stringify(record)}\n`)
        const count = recordFiles(folder).length
        if (count > bounds.records || count * LARGEST > bounds.bytes) prune(folder, bounds)
        return { record }
      } catch (error) {
        const what = `A failure of hook ${record.hook_name} could not be kept in ${folder}`
        return { record, error: storeError(what, error) }
      }
    },
    resolve(id, reason = '') {
      if (!get(id)) return undefined
      try {
        resolveInLedger(folder, id, reason)
      } catch (error) {
        throw storeError(`The resolution of ${id} could not be kept in ${folder}`, error)
      }
      return get(id)
    },
    summary() {
      const { records, count, read_error } = readAll(folder)
      const unresolved = records.filter((record) => record.resolved_at === undefined)
      const last = records.at(-1)
      const lastUnresolved = unresolved.at(-1)
      return {
        count,
        unresolved_count: unresolved.length,
        ...(last && { last_at: last.at, last_at_ms: last.at_ms, last_hook: last.hook_name }),
        ...(lastUnresolved && {
          last_unresolved_at: lastUnresolved.at,
          last_unresolved_at_ms: lastUnresolved.at_ms,
          last_unresolved_hook: lastUnresolved.hook_name,
        }),
        ...(read_error !== undefined && { read_error }),
      }
    },
    prune: () => prune(folder, bounds),
  }
}

let lastAt = 0

function toRecord(letter: DeadLetter): DeadLetterRecord {
  // Two of one process never share a millisecond, so that their order is kept.
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

const PLAIN = new Set(['id', 'at', 'invocation_digest', 'definition_digest'])

/** Also when records are read: those of older versions may hold what today's rules would take out. */
function redactRecord(record: DeadLetterRecord): DeadLetterRecord {
  return Object.fromEntries(
    Object.entries(record).map(([field, value]) => [
      field,
      typeof value === 'string' && !PLAIN.has(field)
        ? redactClipped(value, field === 'error' ? ERROR_LIMIT : FIELD_LIMIT)
        : value,
    ]),
  ) as unknown as DeadLetterRecord
}

function fileName({ at_ms, hook_name, id }: DeadLetterRecord): string {
  return `${at_ms}-${hook_name.replace(/[^A-Za-z0-9._-]+/g, '_').slice(0, 64)}-${id.slice(-16)}.json`
}

/** Oldest first. */
function recordFiles(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => /^\d+-.*\.json$/.test(name))
    .sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10) || (a < b ? -1 : 1))
}

interface Everything {
  records: DeadLetterRecord[]
  /** Of the files, damaged ones included. */
  count: number
  read_error?: string
  /** The folder itself cannot be read. */
  unusable?: CrosshookError
}

function readAll(folder: string): Everything {
  try {
    return readRecords(folder)
  } catch (error) {
    const unusable = storeError(`The dead letters in ${folder} cannot be read`, error)
    return { records: [], count: 0, read_error: unusable.message, unusable }
  }
}

function readRecords(folder: string): Everything {
  const names = recordFiles(folder)
  const resolutions = readLedger(folder)
  const records: DeadLetterRecord[] = []
  const unreadable: string[] = []
  for (const name of names) {
    try {
      const record = readRecord(join(folder, name))
      records.push(redactRecord({ ...record, ...resolutions.get(record.id) }))
    } catch (error) {
      if (!isGone(error)) unreadable.push(`${name}: ${messageOf(error)}`)
    }
  }
  if (unreadable.length === 0) return { records, count: names.length }
  const read_error = `${unreadable.length} of ${names.length} files in ${folder} cannot be read (${unreadable[0]})`
  return { records, count: names.length, read_error }
}

function readRecord(path: string): DeadLetterRecord {
  const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
  const { id, at_ms, hook_name } = (value ?? {}) as Partial<DeadLetterRecord>
  if (typeof id !== 'string' || typeof at_ms !== 'number' || typeof hook_name !== 'string')
    throw new Error('it is not a dead letter: id, at_ms or hook_name is missing')
  return { ...(value as DeadLetterRecord), at: new Date(at_ms).toISOString() }
}

function prune(folder: string, { records, bytes }: typeof LIMITS): void {
  const newestFirst = recordFiles(folder).reverse()
  const beyond = newestFirst.slice(records)
  let total = 0
  if (newestFirst.length * LARGEST > bytes)
    for (const [i, name] of newestFirst.slice(0, records).entries()) {
      total += statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0
      if (total > bytes && i > 0) beyond.push(name)
    }
  const removed = new Set(beyond.map((name) => idIn(join(folder, name))))
  for (const name of [...beyond, ...abandoned(folder)]) rmSync(join(folder, name), { force: true })
  dropResolutions(folder, removed)
}

/** The id of a record that is about to go; a damaged one has none. */
function idIn(path: string): string | undefined {
  try {
    return readRecord(path).id
  } catch {
    return undefined
  }
}

/** What processes left that were killed while they wrote. */
function abandoned(folder: string): string[] {
  return readdirSync(folder).filter((name) => {
    if (!name.includes('.tmp-')) return false
    const found = statSync(join(folder, name), { throwIfNoEntry: false })
    return found !== undefined && Date.now() - found.mtimeMs > 60_000
  })
}

function isGone(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT'
}

function storeError(what: string, cause: unknown): CrosshookError {
  return new CrosshookError('store', `${what}: ${messageOf(cause)}.`, { cause })
}
