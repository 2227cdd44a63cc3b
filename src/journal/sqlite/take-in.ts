/**
 * Moves records from the intake files to the database: each once, whichever process does it and whenever it is killed.
 */

import { rmSync } from 'node:fs'
import { now } from '../../fast/clock.ts'
import type { JournalLimits, Summary } from '../port.ts'
import { writeAnchor } from './anchors.ts'
import { orThrow, prepared, read, write } from './database.ts'
import { isOverfull, patienceOf } from './intake.ts'
import { summarized } from './intake-line.ts'
import { metaOf, setMeta } from './meta.ts'
import { collectOnceADay, pruneByAge } from './retention.ts'
import {
  hasLostHead,
  intakePath,
  knownSummary,
  putAside,
  readLines,
  remember,
  type Segment,
  segmentsIn,
} from './segments.ts'
import type { Store } from './store.ts'
import { explain } from './store-errors.ts'
import { positionOf, positionsIn, takePiece } from './take-piece.ts'

/** Longest time after which a process may still write to a file that was set aside. */
const LATE_WRITERS_MS = 10_000

/** Takes in what has come until `leave` bytes wait, one piece at each step. Ends with: is there more? */
function* pieces(store: Store, leave: number, bounds: JournalLimits): Generator<void, boolean> {
  nameTheNameless(store)
  const segments = segmentsIn(store.stateDir)
  const positions = read(store, positionsIn)
  const waiting = ({ id, size }: Segment) => Math.max(0, size - (positions.get(id) ?? 0))
  let after = segments.reduce((sum, segment) => sum + waiting(segment), 0)
  const first = firstKept(segments, after, bounds)
  for (const [i, segment] of segments.entries()) {
    if (after <= leave) break
    if (waiting(segment) === 0) continue
    after -= waiting(segment)
    // Records that would be removed at once, because enough newer ones exist, are only counted.
    const isKept = i >= first && after < bounds.bytes
    while (takePiece(store, segment, bounds, isKept) > 0) yield
  }
  pruneByAge(store, bounds)
  removeOld(store, segments)
  anchor(store)
  collectOnceADay(store, bounds)
  store.waiting = after
  // Set aside by another process while we read it: its last records are found at the next look.
  return leave === 0 && segmentsIn(store.stateDir).at(-1)?.id !== segments.at(-1)?.id
}

/** Lower bound for the size of a record. */
const MIN_RECORD_BYTES = 100

/** The first segment that contains records within the limit. */
function firstKept(segments: readonly Segment[], waiting: number, { records }: JournalLimits): number {
  if (waiting < records * MIN_RECORD_BYTES) return 0
  // The last one still grows and would have to be checked again and again.
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

/** For readers: a failure is reported, and what is there is shown. */
export function catchUp(store: Store, limits: Partial<JournalLimits> = {}): void {
  const bounds = { ...store.limits, ...limits }
  try {
    for (let work = pieces(store, 0, bounds); ; ) {
      const { done, value: more } = work.next()
      if (done && !more) return
      if (done) work = pieces(store, 0, bounds)
    }
  } catch (error) {
    store.warnings.push(`The newest records are missing here: ${explain(store.stateDir, error).message}`)
  }
}

/** A busy resident process rests so many times as long as the last piece took: events wait for one piece at most. */
const RESTS = 3

/**
 * Piece by piece, so that other work need not wait. An idle process takes in everything, others only the excess. Stops
 * when `isWanted` is false.
 */
export async function takeInSoon(
  store: Store,
  leave = patienceOf(store),
  isWanted = () => true,
): Promise<string[]> {
  if (store.isTakingIn || (leave > 0 && !isOverfull(store, leave))) return []
  store.isTakingIn = true
  try {
    for (let work = pieces(store, leave, store.limits); ; ) {
      const started = now()
      const { done, value: more } = work.next()
      if ((done && !more) || !isWanted()) return []
      if (done) work = pieces(store, leave, store.limits)
      // More comes in than is taken in: no rest.
      const isBehind = (store.waiting ?? 0) > 2 * leave
      await pause(store.isLasting && !isBehind ? RESTS * (now() - started) : 0)
    }
  } catch (error) {
    return [explain(store.stateDir, error).message]
  } finally {
    store.isTakingIn = false
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => (ms > 0 ? setTimeout(resolve, ms) : setImmediate(resolve)))
}

/** Writes to a second place how far the chain has come. */
function anchor(store: Store): void {
  const newest = read(store, (db) => ({
    row: prepared(db, 'SELECT seq, chain FROM events ORDER BY seq DESC LIMIT 1').get(),
    epoch: metaOf(db, 'epoch') ?? '',
    anchored: Number(metaOf(db, 'anchored') ?? 0),
  }))
  const seq = Number(newest.row?.seq ?? 0)
  if (seq <= newest.anchored || newest.row?.chain === '') return
  const { epoch } = newest
  const chain = String(newest.row?.chain)
  writeAnchor(store.stateDir, { kind: 'record', epoch, seq, chain, at: Date.now() }, store.seal)
  orThrow(write(store, (db) => setMeta(db, 'anchored', String(seq))))
}

/**
 * A file without its first line is known by its name from then on. In a transaction, so that only one process does it.
 */
function nameTheNameless(store: Store): void {
  const { stateDir } = store
  if (hasLostHead(stateDir)) orThrow(write(store, () => void (hasLostHead(stateDir) && putAside(store))))
}

/** How long to remember that a file was taken in. */
const REMEMBERED_MS = 90 * 86_400_000

/** Removes files from which nothing more can come. */
function removeOld(store: Store, segments: readonly Segment[]): void {
  const now = Date.now()
  for (const segment of segments) {
    if (segment.path === intakePath(store.stateDir) || now - segment.changed < LATE_WRITERS_MS) continue
    const position = read(store, (db) => positionOf(db, segment))
    if (readLines(segment, position).lines.length > 0) continue
    rmSync(segment.path, { force: true })
    orThrow(
      write(store, (db) => {
        prepared(db, 'DELETE FROM intake WHERE segment = ?').run(segment.id)
        prepared(db, 'INSERT OR REPLACE INTO segments_done (segment, at_ms) VALUES (?, ?)').run(
          segment.id,
          now,
        )
        prepared(db, 'DELETE FROM segments_done WHERE at_ms < ?').run(now - REMEMBERED_MS)
      }),
    )
  }
}
