/** Hooks that failed after all attempts, one file each, so that not even a damaged database loses one. */

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { CrosshookError } from '../spec/errors.ts'
import { type DeadLetterLimits, isOver, prune, readAll, storeError } from './dead-letter-files.ts'
import { type DeadLetter, type DeadLetterRecord, fileName, toRecord } from './dead-letter-record.ts'
import { resolveInLedger } from './resolutions.ts'
import { writeDurably } from './write-durably.ts'

export type { DeadLetter, DeadLetterRecord } from './dead-letter-record.ts'

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
  /** Never throws; without an error the record is on disk. */
  add(letter: DeadLetter): { record: DeadLetterRecord; error?: CrosshookError }
  /** Newest last, resolved ones included. */
  list(limit?: number): DeadLetterRecord[]
  get(id: string): DeadLetterRecord | undefined
  /** The first resolution is kept. Undefined when there is no such record. */
  resolve(id: string, reason?: string): DeadLetterRecord | undefined
  summary(): DeadLetterSummary
  /** Removes the oldest beyond the limits. `add` does so by itself. */
  prune(): void
}

const LIMITS: DeadLetterLimits = { records: 5000, bytes: 64 * 1024 * 1024 }

export function deadLetters(stateDir: string, limits: Partial<DeadLetterLimits> = {}): DeadLetters {
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
        writeDurably(join(folder, fileName(record)), `${JSON.stringify(record)}\n`)
        if (isOver(folder, bounds)) prune(folder, bounds)
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
