/** Totals since the state folder was created. */

import type { DatabaseSync } from 'node:sqlite'
import { COUNTERS, type Counts } from '../port.ts'
import { prepared, read } from './database.ts'
import type { Store } from './store.ts'
import { catchUp } from './take-in.ts'

export interface Counters {
  read(): Counts
}

export function counters(store: Store): Counters {
  return {
    read() {
      catchUp(store)
      return read(store, (db) => {
        const counts = Object.fromEntries(COUNTERS.map((name) => [name, 0])) as Counts
        for (const { name, value } of db.prepare('SELECT name, value FROM counters').all())
          if (String(name) in counts) counts[name as keyof Counts] = Number(value)
        return counts
      })
    },
  }
}

const UPSERT =
  'INSERT INTO counters (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = value + excluded.value'

/** Call inside a transaction. */
export function addCounts(db: DatabaseSync, counts: Partial<Counts>): void {
  const given = COUNTERS.filter((name) => counts[name])
  if (given.length === 0) return
  const upsert = prepared(db, UPSERT)
  for (const name of given) upsert.run(name, counts[name]!)
}
