/** From the files where records come in to the database: each record once, whoever does it and whenever it is killed. */

import { rmSync } from 'node:fs'
import type { CrosshookError } from '../../spec/errors.ts'
import type { JournalLimits, Summary } from '../port.ts'
import { writeAnchor } from './anchors.ts'
import { summarized } from './intake-line.ts'
import { metaOf, setMeta } from './meta.ts'
import { collectOnceADay, pruneByAge } from './retention.ts'
import {
  FULL,
  hasLostHead,
  intakePath,
  knownSummary,
  putAside,
  readLines,
  remember,
  type Segment,
  segmentsIn,
} from './segments.ts'
import { orThrow, prepared, read, type Store, write } from './store.ts'
import { explain } from './store-errors.ts'
import { positionOf, positionsIn, takePiece } from './take-piece.ts'

/** A process that opened the file just before it was put aside has written long before this. */
const LATE_WRITERS_MS = 10_000
/** This much may wait before a process that has little time takes it in. */
const MOST_WAITING_BYTES = 4 * FULL

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
  const bounds = { ...store.limits, ...limits }
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
      for (;;) {
        const taken = takePiece(store, segment, bounds, isKept)
        if (taken === 0) break
        if (isPiece) return { more: true }
      }
    }
    pruneByAge(store, bounds)
    removeOld(store, segments)
    anchor(store)
    collectOnceADay(store, bounds)
    store.waiting = after
    // Put aside by another process while we read it: what came at its end is found at the next look.
    const more = leave === 0 && segmentsIn(store.stateDir).at(-1)?.id !== segments.at(-1)?.id
    return more && !isPiece ? takeIn(store, { leave, isPiece }, limits) : { more }
  } catch (error) {
    return { more: true, error: explain(store.stateDir, error) }
  }
}

/** No record is shorter. */
const SHORTEST_RECORD_BYTES = 100

/** The first segment after which there are not as many records as are kept. */
function firstKept(segments: readonly Segment[], waiting: number, { records }: JournalLimits): number {
  if (waiting < records * SHORTEST_RECORD_BYTES) return 0
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
  leave = store.patience ?? MOST_WAITING_BYTES,
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

/** Says in a second place how far the chain has come. */
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

/** A file that has lost its first line is known by its name from then on. In a transaction: only one process does it. */
function nameTheNameless(store: Store): void {
  const { stateDir } = store
  if (hasLostHead(stateDir)) orThrow(write(store, () => void (hasLostHead(stateDir) && putAside(store))))
}

/** How long it is remembered that a file was taken in. */
const REMEMBERED_MS = 90 * 86_400_000

/** Files from which nothing can come any more. */
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
