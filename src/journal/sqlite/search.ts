/** Searches records newest first, a bounded number of rows at a time: the process also answers agents. */

import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { redact, redactName } from '../../redact/redact.ts'
import type { JournalRecord, LastCall, SearchFilter, SearchResult } from '../port.ts'
import { HOUR } from './record-sums.ts'
import { recordOf } from './records.ts'

/** A condition, and its value as stored: names and texts are redacted. */
const CONDITIONS: {
  readonly [Name in keyof SearchFilter]-?: readonly [
    sql: string,
    value: (given: NonNullable<SearchFilter[Name]>) => SQLInputValue,
  ]
} = {
  session: ['session_id = ?', redact],
  hook: ['instr(hooks, char(10) || ? || char(10)) > 0', redactName],
  decision: ['decision = ?', String],
  event: ['event = ?', String],
  agent: ["json_extract(body, '$.agent') = ?", String],
  tool: ["json_extract(body, '$.tool_name') = ?", String],
  project: ["json_extract(body, '$.work_dir') = ?", redact],
  text: [`body LIKE ? ESCAPE '\\'`, (text) => `%${likeText(text)}%`],
  failed: [`(body LIKE '%"status":"failed"%' OR body LIKE '%"status":"timed_out"%') = ?`, Number],
  since: ['at_ms >= ?', (date) => date.getTime()],
  until: ['at_ms < ?', (date) => date.getTime()],
}

export interface SearchRange {
  /** Only records before this one. */
  before?: number
  limit: number
  /** Most rows to search. */
  rows: number
}

export function search(db: DatabaseSync, filter: SearchFilter, range: SearchRange): SearchResult {
  const { first, last } = bounds(db)
  const from = Math.min(range.before ?? last + 1, last + 1)
  const to = Math.max(first, from - range.rows)
  const given = Object.entries(filter).filter(([, value]) => value !== undefined) as [
    keyof SearchFilter,
    never,
  ][]
  const where = ['seq < ?', 'seq >= ?', ...given.map(([name]) => CONDITIONS[name][0])].join(' AND ')
  const values = given.map(([name, value]) => CONDITIONS[name][1](value))
  const records = db
    .prepare(`SELECT seq, id, at_ms, body FROM events WHERE ${where} ORDER BY seq DESC LIMIT ?`)
    .all(from, to, ...values, range.limit)
    .map(recordOf)
  const isFull = records.length === range.limit
  const next = isFull ? records.at(-1)!.seq : to
  return { records, next: next > first ? next : null, first, last }
}

export function oneRecord(db: DatabaseSync, seq: number): JournalRecord | undefined {
  const row = db.prepare('SELECT seq, id, at_ms, body FROM events WHERE seq = ?').get(seq)
  return row ? recordOf(row) : undefined
}

/** Number of newest records searched for the exact time; older calls are known by the hour. */
const LOOKED_AT = 4000

interface Calls {
  /** Number of the newest record that was searched. */
  last: number
  found: Map<string, LastCall>
}

const known = new WeakMap<DatabaseSync, Calls>()

export function lastCalls(db: DatabaseSync): LastCall[] {
  const { last } = bounds(db)
  let calls = known.get(db)
  if (!calls) known.set(db, (calls = { last: last - LOOKED_AT, found: callsByHour(db) }))
  const rows = db
    .prepare(
      `SELECT json_extract(body, '$.agent') AS agent, event, max(at_ms) AS at,
         max(json_extract(body, '$.duration_ms')) AS slowest FROM events
         WHERE seq > ? AND agent IS NOT NULL GROUP BY 1, 2`,
    )
    .all(calls.last)
  for (const { agent, event, at, slowest } of rows) {
    const key = `${agent}\0${event}`
    calls.found.set(key, {
      agent: String(agent),
      event: String(event),
      at: new Date(Number(at)).toISOString(),
      slowest_ms: Math.max(Number(slowest), calls.found.get(key)?.slowest_ms ?? 0),
    })
  }
  calls.last = last
  return [...calls.found.values()]
}

function callsByHour(db: DatabaseSync): Map<string, LastCall> {
  const rows = db
    .prepare(
      "SELECT agent, event, max(hour) AS hour FROM event_hours WHERE agent != '' GROUP BY agent, event",
    )
    .all()
  return new Map(
    rows.map(({ agent, event, hour }) => [
      `${agent}\0${event}`,
      { agent: String(agent), event: String(event), at: new Date(Number(hour) * HOUR).toISOString() },
    ]),
  )
}

/** Records are removed only at the oldest end, so every number in between exists. */
function bounds(db: DatabaseSync): { first: number; last: number } {
  // Both in one query would make SQLite read the whole table.
  const { first, last } = db
    .prepare('SELECT (SELECT min(seq) FROM events) AS first, (SELECT max(seq) FROM events) AS last')
    .get()!
  return { first: Number(first ?? 1), last: Number(last ?? 0) }
}

/** The JSON form, with `%`, `_` and the escape character escaped for LIKE. */
function likeText(text: string): string {
  return JSON.stringify(redact(text))
    .slice(1, -1)
    .replaceAll(/[\\%_]/g, '\\$&')
}
