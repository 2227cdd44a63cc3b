/** The folder of dead letters: one file each; the oldest beyond the limits are removed. */

import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { CrosshookError, messageOf } from '../spec/errors.ts'
import { type DeadLetterRecord, readRecord, redactRecord } from './dead-letter-record.ts'
import { dropResolutions, readLedger } from './resolutions.ts'

export interface DeadLetterLimits {
  records: number
  bytes: number
}

/** Upper bound for one of our files: below this times the count, no sizes need to be read. */
const MAX_RECORD_BYTES = 12 * 1024

/** Oldest first. */
function recordFiles(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => /^\d+-.*\.json$/.test(name))
    .sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10) || (a < b ? -1 : 1))
}

interface Everything {
  records: DeadLetterRecord[]
  /** Number of files, including damaged ones. */
  count: number
  read_error?: string
  /** The folder itself cannot be read. */
  unusable?: CrosshookError
}

export function readAll(folder: string): Everything {
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

export function prune(folder: string, { records, bytes }: DeadLetterLimits): void {
  const newestFirst = recordFiles(folder).reverse()
  const beyond = newestFirst.slice(records)
  let total = 0
  if (newestFirst.length * MAX_RECORD_BYTES > bytes)
    for (const [i, name] of newestFirst.slice(0, records).entries()) {
      total += statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0
      if (total > bytes && i > 0) beyond.push(name)
    }
  const removed = new Set(beyond.map((name) => idIn(join(folder, name))))
  for (const name of [...beyond, ...abandoned(folder)]) rmSync(join(folder, name), { force: true })
  dropResolutions(folder, removed)
}

/** The id of a record about to be removed; undefined for a damaged one. */
function idIn(path: string): string | undefined {
  try {
    return readRecord(path).id
  } catch {
    return undefined
  }
}

/** Files left by processes killed while writing. */
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

export function storeError(what: string, cause: unknown): CrosshookError {
  return new CrosshookError('store', `${what}: ${messageOf(cause)}.`, { cause })
}

/** A quick check at each new record: may there be too many? */
export function isOver(folder: string, { records, bytes }: DeadLetterLimits): boolean {
  const count = recordFiles(folder).length
  return count > records || count * MAX_RECORD_BYTES > bytes
}
