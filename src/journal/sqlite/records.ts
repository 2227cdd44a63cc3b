/** Writes records, redacted, and finds them again. */

import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite'
import { isHarmless, redact, redactClipped, redactDeep, redactName } from '../../redact/redact.ts'
import { CrosshookError, messageOf } from '../../spec/errors.ts'
import type { Counts, JournalEntry, JournalFilter, JournalLimits, JournalRecord } from '../port.ts'
import { uniqueHex } from '../unique.ts'
import { append } from './intake.ts'
import { read, type Store } from './store.ts'
import { catchUp } from './take-in.ts'

export interface Records {
  record(entry: JournalEntry, counts?: Partial<Counts>): { id: string; error?: CrosshookError }
  list(filter?: JournalFilter): JournalRecord[]
  follow(filter?: JournalFilter, signal?: AbortSignal): AsyncGenerator<JournalRecord>
}

/** Longest text in a record; longer ones are truncated. */
const MAX_TEXT_CHARS = 4096
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

/** Never throws. Returns the record's id even if it could not be stored. */
export function record(
  store: Store,
  entry: JournalEntry,
  counts: Partial<Counts> = {},
): { id: string; error?: CrosshookError } {
  const at = Date.now()
  const id = `${at}-${recordHex()}`
  const error = keep(store, { counts, id, at, entry })
  return error ? { id, error } : { id }
}

const own = uniqueHex(6)
let count = 0

/** Twelve digits, unique within a millisecond; cheaper than `uniqueHex`. */
function recordHex(): string {
  count = (count + 1) % 16 ** 6
  return own + count.toString(16).padStart(6, '0')
}

interface Given {
  counts: Partial<Counts>
  id: string
  at: number
  entry: JournalEntry
}

function keep(store: Store, given: Given): CrosshookError | undefined {
  const { counts, id, at } = given
  try {
    const entry = isHarmless(given.entry, MAX_TEXT_CHARS) ? given.entry : redactDeep(clipTexts(given.entry))
    // `lineOf` rebuilds the same text from the database's columns.
    const head = `{"counts":${JSON.stringify(counts)},"id":"${id}","at":${at}`
    return append(store, { head, tail: `"entry":${JSON.stringify(entry)}}` }, counts)
  } catch (error) {
    return new CrosshookError('internal', `A record could not be written down: ${messageOf(error)}.`, {
      cause: error,
    })
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

/** Long texts are truncated before they are searched for secrets, to limit the cost of a record. */
function clipTexts(entry: JournalEntry): JournalEntry {
  return JSON.parse(JSON.stringify(entry), (_, value: unknown) =>
    typeof value === 'string' && value.length > MAX_TEXT_CHARS ? redactClipped(value, MAX_TEXT_CHARS) : value,
  ) as JournalEntry
}

function ignoreAbort(error: Error): void {
  if (error.name !== 'AbortError') throw error
}
