/** Removes records beyond the limits of number, size and age, old sums, and memory of old sessions. */

import type { DatabaseSync } from 'node:sqlite'
import { messageOf } from '../../spec/errors.ts'
import type { JournalLimits } from '../port.ts'
import { collectSessions } from '../session-state.ts'
import { orThrow, prepared, read, write } from './database.ts'
import { metaOf, setMeta } from './meta.ts'
import { dropOldSums } from './rollups.ts'
import type { Store } from './store.ts'

const FILE_SIZE = 'SELECT page_count * page_size AS size FROM pragma_page_count, pragma_page_size'

/** Removes the oldest beyond the limits, and stores where the chain continues. */
export function prune(store: Store, db: DatabaseSync, bounds: JournalLimits): void {
  const last = Math.max(beyondCount(db, bounds), beyondBytes(db, bounds), beyondAge(db, bounds))
  if (last <= 0) return
  const row = prepared(db, 'SELECT seq, chain FROM events WHERE seq <= ? ORDER BY seq DESC LIMIT 1').get(last)
  if (!row) return
  const pruned = `${row.seq} ${row.chain}`
  setMeta(db, 'pruned_seq', String(row.seq))
  setMeta(db, 'pruned_chain', String(row.chain))
  setMeta(db, 'pruned_seal', store.seal?.(`pruned ${pruned}`) ?? '')
  prepared(db, 'DELETE FROM events WHERE seq <= ?').run(last)
}

/** The number of the newest record to remove. */
function beyondCount(db: DatabaseSync, { records }: JournalLimits): number {
  return Number(prepared(db, 'SELECT max(seq) AS last FROM events').get()?.last ?? 0) - records
}

function beyondBytes(db: DatabaseSync, { bytes }: JournalLimits): number {
  // The records are never larger than the file that holds them, so usually nothing has to be summed.
  const { size } = prepared(db, FILE_SIZE).get() as { size: number }
  if (size <= bytes) return 0
  const { total } = db.prepare('SELECT sum(bytes) AS total FROM events').get() as { total: number }
  if (total <= bytes) return 0
  const row = db
    .prepare(
      `SELECT max(seq) AS last FROM
         (SELECT seq, sum(bytes) OVER (ORDER BY seq DESC) AS total FROM events) WHERE total > ?`,
    )
    .get(bytes)
  return Number(row?.last ?? 0)
}

function beyondAge(db: DatabaseSync, { age }: JournalLimits): number {
  if (age === Number.POSITIVE_INFINITY) return 0
  const oldest = Date.now() - age
  const kept = prepared(db, 'SELECT seq FROM events WHERE at_ms >= ? ORDER BY seq LIMIT 1').get(oldest)
  if (kept) return Number(kept.seq) - 1
  return Number(prepared(db, 'SELECT max(seq) AS last FROM events').get()?.last ?? 0)
}

/** Also when nothing new comes. */
export function pruneByAge(store: Store, bounds: JournalLimits): void {
  if (bounds.age === Number.POSITIVE_INFINITY || read(store, (db) => beyondAge(db, bounds)) <= 0) return
  orThrow(write(store, (db) => prune(store, db, bounds)))
}

const DAY_MS = 86_400_000

/** Removes old sums and the memory of sessions that did not end. */
export function collectOnceADay(store: Store, bounds: JournalLimits): void {
  const today = String(Math.floor(Date.now() / DAY_MS))
  if (read(store, (db) => metaOf(db, 'collected')) === today) return
  orThrow(
    write(store, (db) => {
      setMeta(db, 'collected', today)
      dropOldSums(db, bounds.statsAge)
    }),
  )
  try {
    collectSessions(store.stateDir)
  } catch (error) {
    store.warnings.push(`What hooks remembered of old sessions could not be removed: ${messageOf(error)}`)
  }
}
