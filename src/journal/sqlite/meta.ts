/** Single values stored in the database. */

import type { DatabaseSync } from 'node:sqlite'
import { prepared } from './database.ts'

export function metaOf(db: DatabaseSync, name: string): string | undefined {
  const value = prepared(db, 'SELECT value FROM meta WHERE name = ?').get(name)?.value
  return value === undefined ? undefined : String(value)
}

export function setMeta(db: DatabaseSync, name: string, value: string): void {
  prepared(
    db,
    'INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  ).run(name, value)
}
