/** Finds records again. */

import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite'
import { redact, redactName } from '../../redact/redact.ts'
import type { CrosshookError } from '../../spec/errors.ts'
import type { Counts, JournalEntry, JournalFilter, JournalLimits, JournalRecord } from '../port.ts'
import { read } from './database.ts'
import { record } from './intake.ts'
import type { Store } from './store.ts'
import { catchUp } from './take-in.ts'

export interface Records {
  record(entry: JournalEntry, counts?: Partial<Counts>): { id: string; error?: CrosshookError }
  list(filter?: JournalFilter): JournalRecord[]
  follow(filter?: JournalFilter, signal?: AbortSignal): AsyncGenerator<JournalRecord>
}

/** How often followers poll for new records. */
const POLL_MS = 200

export function journal(store: Store, limits: Partial<JournalLimits> = {}): Records {
  const list = (filter: JournalFilter = {}) => {
    catchUp(store, limits)
    return read(store, (db) => select(db, filter))
  }
  return {
    record: (entry, counts) => record(store, entry, counts),
    list,
    async *follow(filter = {}, signal) {
      // Read before waiting, so that a record written meanwhile counts as new.
      let after = filter.after ?? list({ limit: 1 })[0]?.seq ?? 0
      const { setTimeout } = await import('node:timers/promises')
      while (!signal?.aborted) {
        for (const record of list({ ...filter, after, limit: -1 })) {
          yield record
          after = record.seq
        }
        await setTimeout(POLL_MS, undefined, signal ? { signal } : {}).catch(ignoreAbort)
      }
    },
  }
}

const CONDITIONS: Readonly<Record<string, string>> = {
  after: 'seq > ?',
  before: 'seq < ?',
  session: 'session_id = ?',
  hook: 'instr(hooks, char(10) || ? || char(10)) > 0',
  decision: 'decision = ?',
  event: 'event = ?',
  since: 'at_ms >= ?',
}

function select(
  db: DatabaseSync,
  { limit = 100, since, isOldestFirst = false, ...filter }: JournalFilter,
): JournalRecord[] {
  const given = Object.entries({ ...filter, since: since?.getTime() }).filter(
    (pair): pair is [string, string | number] => pair[1] !== undefined,
  )
  const where = given.length > 0 ? `WHERE ${given.map(([name]) => CONDITIONS[name]).join(' AND ')}` : ''
  // Stored names are redacted, so the search value must be, too.
  const values: SQLInputValue[] = given.map(([name, value]) =>
    typeof value === 'string' ? (name === 'hook' ? redactName(value) : redact(value)) : value,
  )
  const order = isOldestFirst ? 'ASC' : 'DESC'
  const rows = db
    .prepare(`SELECT seq, id, at_ms, body FROM events ${where} ORDER BY seq ${order} LIMIT ?`)
    .all(...values, limit)
  return (isOldestFirst ? rows : rows.reverse()).map(recordOf)
}

export function recordOf({ seq, id, at_ms, body }: Record<string, SQLOutputValue>): JournalRecord {
  return {
    seq: Number(seq),
    id: String(id),
    at: new Date(Number(at_ms)).toISOString(),
    ...(JSON.parse(String(body)) as JournalEntry),
  }
}

function ignoreAbort(error: Error): void {
  if (error.name !== 'AbortError') throw error
}
