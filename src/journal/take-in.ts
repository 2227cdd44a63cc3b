/** From the files where records come in to the database: each record once, whoever does it and whenever it is killed. */

import { rmSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import type { CrosshookError } from '../spec/errors.ts'
import { addCounts } from './counters.ts'
import type { Line } from './intake.ts'
import {
  eachLine,
  FULL,
  hasLostHead,
  intakePath,
  knownSummary,
  linesOf,
  putAside,
  readLines,
  remember,
  type Segment,
  segmentsIn,
} from './segments.ts'
import { prepared, read, type Store, write } from './store.ts'
import { explain } from './store-errors.ts'
import { addUp, type Counts, type Summary } from './summary.ts'

export interface JournalLimits {
  records: number
  bytes: number
}

const LIMITS: JournalLimits = { records: 20_000, bytes: 64 * 1024 * 1024 }
/** A process that opened the file just before it was put aside has long written by then. */
const STRAGGLERS = 10_000
/** So much may wait before a process that has little time takes it in. */
const PATIENCE = 4 * FULL

interface Amount {
  /** Bytes that may go on waiting. */
  leave: number
  /** Only one piece of it. */
  isPiece: boolean
}

/** Takes in what has come. A failure is returned: the rest can still be read. */
function takeIn(
  store: Store,
  { leave, isPiece }: Amount,
  limits: Partial<JournalLimits> = {},
): { more: boolean; error?: CrosshookError } {
  const bounds = { ...LIMITS, ...limits }
  try {
    nameTheNameless(store)
    const segments = segmentsIn(store.stateDir)
    const positions = read(store, positionsIn)
    const waiting = ({ id, size }: Segment) => Math.max(0, size - (positions.get(id) ?? 0))
    let after = segments.reduce((sum, segment) => sum + waiting(segment), 0)
    const first = firstKept(segments, after, bounds)
    for (const [i, segment] of segments.entries()) {
      if (after <= leave) break
      after -= waiting(segment)
      // What would be removed at once, since more has come after it than is kept, is only counted.
      const isKept = i >= first && after < bounds.bytes
      if (!isKept && skip(store, segment)) continue
      for (;;) {
        const taken = takePiece(store, segment, bounds, isKept)
        if (taken === 0) break
        if (isPiece) return { more: true }
      }
    }
    removeOld(store, segments)
    store.waiting = after
    // Put aside by another process while we read it: what came at its end is found at the next look.
    const more = leave === 0 && segmentsIn(store.stateDir).at(-1)?.id !== segments.at(-1)?.id
    return more && !isPiece ? takeIn(store, { leave, isPiece }, limits) : { more }
  } catch (error) {
    return { more: true, error: explain(store.stateDir, error) }
  }
}

/** No record is shorter. */
const SHORTEST = 100

/** The first segment after which there are not as many records as are kept. */
function firstKept(segments: readonly Segment[], waiting: number, { records }: JournalLimits): number {
  if (waiting < records * SHORTEST) return 0
  // The last one still grows: it would have to be looked at again and again.
  let first = segments.length - 2
  for (let after = 0; first > 0; first--) {
    after += summaryOf(segments[first]!).records
    if (after >= records) break
  }
  return Math.max(first, 0)
}

function summaryOf(segment: Segment): Summary {
  return knownSummary(segment) ?? remember(segment, summarized(readLines(segment, 0, segment.size).lines))
}

/** Counts a file without reading it, where that can be done. */
function skip(store: Store, segment: Segment): boolean {
  const summary = knownSummary(segment)
  if (!summary || read(store, (db) => positionOf(db, segment)) !== 0) return false
  const error = write(store, (db) => {
    // Another process may have begun with it; what it leaves is found at the next look.
    if (positionOf(db, segment) !== 0) return
    addCounts(db, summary.counts)
    prepared(db, SET_POSITION).run(segment.id, segment.size)
  })
  orThrow(error)
  return true
}

/** For those who read: what cannot be taken in now is said, and what is there is shown. */
export function catchUp(store: Store, limits: Partial<JournalLimits> = {}): void {
  const { error } = takeIn(store, { leave: 0, isPiece: false }, limits)
  if (error) store.warnings.push(`The newest records are missing here: ${error.message}`)
}

/**
 * Bit by bit, so that what else goes on need not wait for all of it. Whoever has time to spare takes in everything;
 * others only what is too much. It stops when it is no longer wanted.
 */
export async function takeInSoon(
  store: Store,
  leave = store.patience ?? PATIENCE,
  isWanted = () => true,
): Promise<string[]> {
  // A little more than may wait, so that there is something to do.
  if (store.isTakingIn || (leave > 0 && (store.waiting ?? 0) <= leave + leave / 8)) return []
  store.isTakingIn = true
  try {
    for (;;) {
      const { more, error } = takeIn(store, { leave, isPiece: true })
      if (error) return [error.message]
      if (!more || !isWanted()) return []
      await new Promise((resolve) => setImmediate(resolve))
    }
  } finally {
    store.isTakingIn = false
  }
}

/** How many bytes are done with. */
function takePiece(store: Store, segment: Segment, bounds: JournalLimits, isKept: boolean): number {
  const from = read(store, (db) => positionOf(db, segment))
  const { lines, end } = readLines(segment, from, ...(isKept ? [] : [2 * FULL]))
  if (end === from) return 0
  const error = write(store, (db) => {
    // Another process may have been quicker; then its work is seen at the next look.
    if (positionOf(db, segment) !== from) return
    if (isKept) insert(store, db, linesOf(lines))
    else addCounts(db, summarized(lines).counts)
    prepared(db, SET_POSITION).run(segment.id, end)
    if (isKept) prune(db, bounds)
  })
  orThrow(error)
  return end - from
}

function positionsIn(db: DatabaseSync): Map<string, number> {
  const rows = prepared(db, 'SELECT segment, position FROM intake').all()
  return new Map(rows.map(({ segment, position }) => [String(segment), Number(position)]))
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
  const sum: Summary = { records: 0, counts: {} }
  let unreadable = 0
  for (const text of lines) {
    const line = parse(text)
    if (line === undefined) unreadable++
    if (!line?.entry) continue
    const { id, at, counts, entry } = line
    const body = text.slice(text.indexOf(ENTRY) + ENTRY.length, -1)
    const names = `\n${entry.hooks.map(({ name }) => name).join('\n')}\n`
    statement.run(id, at, entry.event, entry.session_id, entry.decision, names, Buffer.byteLength(body), body)
    addUp(sum, { records: 1, counts })
  }
  addCounts(db, sum.counts)
  if (unreadable > 0)
    store.warnings.push(
      `${unreadable} ${unreadable === 1 ? 'record' : 'records'} of the journal cannot be read: a process was stopped while it wrote, or the disk was full.`,
    )
}

/** It comes last in a line, and nothing before it can hold these letters. */
const ENTRY = '"entry":'
/** They come first. */
const COUNTS = '{"counts":'
const BRACE = 0x7d

/** Many records count the same: each kind is read once. */
function summarized(lines: Buffer): Summary {
  const kinds = new Map<string, number>()
  eachLine(lines, (start, end) => {
    const last = lines.indexOf(BRACE, start) + 1
    const kind = last > 0 && last <= end ? lines.toString('latin1', start, last) : ''
    if (kind.startsWith(COUNTS)) kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
  })
  const sum: Summary = { records: 0, counts: {} }
  for (const [kind, times] of kinds)
    addUp(sum, { records: 1, counts: countsIn(kind.slice(COUNTS.length)) }, times)
  return sum
}

function countsIn(text: string): Partial<Counts> {
  try {
    return JSON.parse(text) as Partial<Counts>
  } catch {
    return {} // of a record that was cut off, which counts for nothing
  }
}

/** Undefined for what is no record: it must not keep the others waiting. The first line of a file has no entry. */
function parse(text: string): Line | { entry?: undefined } | undefined {
  try {
    const line = JSON.parse(text) as Partial<Line> & { segment?: unknown }
    if (typeof line.segment === 'string') return {}
    const { id, at, counts, entry } = line
    const texts = [id, entry?.event, entry?.session_id, entry?.decision]
    const isRecord = texts.every((each) => typeof each === 'string') && typeof at === 'number'
    const hasLists = typeof counts === 'object' && counts !== null && Array.isArray(entry?.hooks)
    return isRecord && hasLists ? (line as Line) : undefined
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

/** A file that has lost its first line is known by its name from then on. In a transaction: only one process does it. */
function nameTheNameless(store: Store): void {
  const { stateDir } = store
  if (hasLostHead(stateDir)) orThrow(write(store, () => void (hasLostHead(stateDir) && putAside(stateDir))))
}

/** Files from which nothing can come any more. */
function removeOld(store: Store, segments: readonly Segment[]): void {
  const now = Date.now()
  for (const segment of segments) {
    if (segment.path === intakePath(store.stateDir) || now - segment.changed < STRAGGLERS) continue
    const position = read(store, (db) => positionOf(db, segment))
    if (readLines(segment, position).lines.length > 0) continue
    rmSync(segment.path, { force: true })
    orThrow(write(store, (db) => void prepared(db, 'DELETE FROM intake WHERE segment = ?').run(segment.id)))
  }
}

function orThrow(error: CrosshookError | undefined): void {
  if (error) throw error
}
