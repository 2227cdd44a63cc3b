/** What happened: one record for each event, redacted before it is written. */

import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { isHarmless, redact, redactClipped, redactDeep, redactName } from '../redact/redact.ts'
import { CrosshookError, messageOf } from '../spec/errors.ts'
import type { Decision, HookReport } from '../spec/outcome.ts'
import { append, type Line } from './intake.ts'
import { read, type Store } from './store.ts'
import type { Counts } from './summary.ts'
import { catchUp, type JournalLimits } from './take-in.ts'
import { recordHex } from './unique.ts'

export interface JournalEntry {
  event: string
  agent?: string
  session_id: string
  work_dir: string
  tool_name?: string
  subject?: string
  decision: Decision
  reason: string | null
  stop: string | null
  duration_ms: number
  /** The door it came in by. */
  source: 'cli' | 'hook' | 'library' | 'daemon'
  hooks: JournalHook[]
  /** Of the tool's input, so that equal calls can be found without keeping them. None where a text is longer than 1 MiB. */
  input_digest?: string
  /** Effects that the agent could not carry out. */
  dropped?: string[]
}

export type JournalHook = HookReport & { definition_digest?: string; invocation_digest?: string }

export interface JournalRecord extends JournalEntry {
  /** Grows with every record: give it back as `after` to read on. */
  seq: number
  id: string
  at: string
}

export interface JournalFilter {
  /** The newest so many (100 unless said otherwise), oldest first. */
  limit?: number
  after?: number
  session?: string
  hook?: string
  decision?: Decision
  event?: string
  since?: Date
}

export interface Journal {
  /** Never throws. The id is that of the record, also when it could not be kept. */
  record(entry: JournalEntry, counts?: Partial<Counts>): { id: string; error?: CrosshookError }
  list(filter?: JournalFilter): JournalRecord[]
  /** Records as they come, from those after `after` (or from now on) until the signal. */
  follow(filter?: JournalFilter, signal?: AbortSignal): AsyncGenerator<JournalRecord>
}

const TEXT_LIMIT = 4096
const POLL = 200

export function journal(store: Store, limits: Partial<JournalLimits> = {}): Journal {
  const list = (filter: JournalFilter = {}) => {
    catchUp(store, limits)
    return read(store, (db) => select(db, filter))
  }
  return {
    record: (entry, counts) => record(store, entry, counts),
    list,
    async *follow(filter = {}, signal) {
      const { setTimeout } = await import('node:timers/promises')
      let after = filter.after ?? list({ limit: 1 })[0]?.seq ?? 0
      while (!signal?.aborted) {
        for (const record of list({ ...filter, after, limit: -1 })) {
          yield record
          after = record.seq
        }
        await setTimeout(POLL, undefined, signal ? { signal } : {}).catch(ignoreAbort)
      }
    },
  }
}

/** As `record` of a journal, for whoever keeps many. */
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

function keep(store: Store, given: Line): CrosshookError | undefined {
  let line: string
  try {
    if (!isHarmless(given.entry, TEXT_LIMIT)) given.entry = redactDeep(clipTexts(given.entry))
    line = JSON.stringify(given)
  } catch (error) {
    return new CrosshookError('internal', `A record could not be written down: ${messageOf(error)}.`, {
      cause: error,
    })
  }
  return append(store, line, given.counts)
}

const CONDITIONS: Readonly<Record<string, string>> = {
  after: 'seq > ?',
  session: 'session_id = ?',
  hook: 'instr(hooks, char(10) || ? || char(10)) > 0',
  decision: 'decision = ?',
  event: 'event = ?',
  since: 'at_ms >= ?',
}

function select(db: DatabaseSync, { limit = 100, since, ...filter }: JournalFilter): JournalRecord[] {
  const given = Object.entries({ ...filter, since: since?.getTime() }).filter(
    (pair): pair is [string, string | number] => pair[1] !== undefined,
  )
  const where = given.length > 0 ? `WHERE ${given.map(([name]) => CONDITIONS[name]).join(' AND ')}` : ''
  // Names were redacted when they were written, so what is looked for must be too.
  const values: SQLInputValue[] = given.map(([name, value]) =>
    typeof value === 'string' ? (name === 'hook' ? redactName(value) : redact(value)) : value,
  )
  return db
    .prepare(`SELECT seq, id, at_ms, body FROM events ${where} ORDER BY seq DESC LIMIT ?`)
    .all(...values, limit)
    .reverse()
    .map(({ seq, id, at_ms, body }) => ({
      seq: Number(seq),
      id: String(id),
      at: new Date(Number(at_ms)).toISOString(),
      ...(JSON.parse(String(body)) as JournalEntry),
    }))
}

/** Long texts are cut before they are searched for secrets, so that one record stays cheap. */
function clipTexts(entry: JournalEntry): JournalEntry {
  return JSON.parse(JSON.stringify(entry), (_, value: unknown) =>
    typeof value === 'string' && value.length > TEXT_LIMIT ? redactClipped(value, TEXT_LIMIT) : value,
  ) as JournalEntry
}

function ignoreAbort(error: Error): void {
  if (error.name !== 'AbortError') throw error
}
