/** From the files where records come in to the database: each record once, whoever does it and whenever it is killed. */

import type { DatabaseSync } from 'node:sqlite'
import type { CrosshookError } from '../spec/errors.ts'
import { addCounts, COUNTERS, type Counts } from './counters.ts'
import type { Line } from './intake.ts'
import {
  asideIn,
  changedAt,
  isOver,
  putAside,
  readLines,
  remove,
  type Segment,
  segmentsIn,
} from './segments.ts'
import { prepared, read, type Store, write } from './store.ts'
import { explain } from './store-errors.ts'

export interface JournalLimits {
  records: number
  bytes: number
}

const LIMITS: JournalLimits = { records: 20_000, bytes: 64 * 1024 * 1024 }
/** A process that opened the file just before it was put aside has long written by then. */
const STRAGGLERS = 60_000

/** Takes in what has come, at most about `most` bytes of it. A failure is returned: the rest can still be read. */
export function takeIn(
  store: Store,
  limits: Partial<JournalLimits> = {},
  most = Number.POSITIVE_INFINITY,
): { more: boolean; error?: CrosshookError } {
  const bounds = { ...LIMITS, ...limits }
  try {
    tidy(store)
    let left = most
    for (const segment of segmentsIn(store.stateDir))
      for (let taken = 1; taken > 0; left -= taken) {
        if (left <= 0) return { more: true }
        taken = takePiece(store, segment, bounds)
      }
    store.isFull = false
    return { more: false }
  } catch (error) {
    return { more: true, error: explain(store.stateDir, error) }
  }
}

/** For those who read: what cannot be taken in now is said, and what is there is shown. */
export function catchUp(store: Store, limits: Partial<JournalLimits> = {}): void {
  const { error } = takeIn(store, limits)
  if (error) store.warnings.push(`The newest records are missing here: ${error.message}`)
}

/** Bit by bit, so that what else goes on need not wait for all of it. */
export async function takeInSoon(store: Store): Promise<CrosshookError | undefined> {
  if (!store.isFull || store.isTakingIn) return undefined
  store.isTakingIn = true
  try {
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve))
      const { more, error } = takeIn(store, {}, 1)
      if (error || !more) return error
    }
  } finally {
    store.isTakingIn = false
  }
}

/** How many bytes are done with. */
function takePiece(store: Store, segment: Segment, bounds: JournalLimits): number {
  const from = read(store, (db) => positionOf(db, segment))
  const { lines, end } = readLines(segment, from)
  if (end === from) return 0
  const error = write(store, (db) => {
    // Another process may have been quicker; then its work is seen at the next look.
    if (positionOf(db, segment) !== from) return
    insert(store, db, lines)
    prepared(db, SET_POSITION).run(segment.id, end)
    prune(db, bounds)
  })
  if (error) throw error
  return end - from
}

function positionOf(db: DatabaseSync, { id }: Segment): number {
  return Number(prepared(db, 'SELECT position FROM intake WHERE segment = ?').get(id)?.position ?? 0)
}

const SET_POSITION =
  'INSERT INTO intake (segment, position) VALUES (?, ?) ON CONFLICT (segment) DO UPDATE SET position = excluded.position'

const INSERT =
  'INSERT INTO events (id, at_ms, event, session_id, decision, hooks, bytes, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?)'

function insert(store: Store, db: DatabaseSync, lines: readonly string[]): void {
  const statement = prepared(db, INSERT)
  const sums: Partial<Counts> = {}
  let unreadable = 0
  for (const text of lines) {
    const line = parse(text)
    if (line === undefined) unreadable++
    if (!line?.entry) continue
    const { id, at, counts, entry } = line
    const body = text.slice(text.indexOf(ENTRY) + ENTRY.length, -1)
    const names = `\n${entry.hooks.map(({ name }) => name).join('\n')}\n`
    statement.run(id, at, entry.event, entry.session_id, entry.decision, names, Buffer.byteLength(body), body)
    for (const name of COUNTERS) if (counts[name]) sums[name] = (sums[name] ?? 0) + counts[name]
  }
  addCounts(db, sums)
  if (unreadable > 0)
    store.warnings.push(
      `${unreadable} ${unreadable === 1 ? 'record' : 'records'} of the journal cannot be read: a process was stopped while it wrote, or the disk was full.`,
    )
}

/** It comes last in a line, and nothing before it can hold these letters. */
const ENTRY = '"entry":'

function parse(text: string): Line | { entry?: undefined } | undefined {
  try {
    return JSON.parse(text) as Line
  } catch {
    return undefined
  }
}

const FILE_SIZE = 'SELECT page_count * page_size AS size FROM pragma_page_count, pragma_page_size'

function prune(db: DatabaseSync, { records, bytes }: JournalLimits): void {
  prepared(db, 'DELETE FROM events WHERE seq <= (SELECT max(seq) FROM events) - ?').run(records)
  // The records are never more than the file that holds them: mostly there is nothing to add up.
  const { size } = prepared(db, FILE_SIZE).get() as { size: number }
  if (size <= bytes) return
  const { total } = db.prepare('SELECT sum(bytes) AS total FROM events').get() as { total: number }
  if (total <= bytes) return
  db.prepare(
    `DELETE FROM events WHERE seq <= (
       SELECT max(seq) FROM (SELECT seq, sum(bytes) OVER (ORDER BY seq DESC) AS total FROM events) WHERE total > ?
     )`,
  ).run(bytes)
}

/** Puts the file aside once it is large, and removes those from which nothing can come any more. */
function tidy(store: Store): void {
  const old = asideIn(store.stateDir).filter(({ path }) => Date.now() - changedAt(path) > STRAGGLERS)
  if (old.length === 0 && !isOver(store.stateDir)) return
  // Inside a transaction, so that one process does it at a time.
  const error = write(store, (db) => {
    putAside(store.stateDir)
    for (const segment of old) {
      if (readLines(segment, positionOf(db, segment)).lines.length > 0) continue
      remove(segment)
      prepared(db, 'DELETE FROM intake WHERE segment = ?').run(segment.id)
    }
  })
  if (error) throw error
}
