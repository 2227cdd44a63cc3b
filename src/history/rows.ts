/** Reads an agent's database, read-only, row by row. */

import type { DatabaseSync } from 'node:sqlite'
import { messageOf } from '../spec/errors.ts'
import type { Tally } from './reading.ts'
import type { OpenFile } from './transcript-files.ts'

export interface RowOptions {
  tally: Tally
  since: Date | undefined
}

/** Queries that the database does not understand are skipped: its tables differ between versions. */
export function* rows(
  path: string,
  { size }: OpenFile,
  queries: readonly string[],
  { tally, since }: RowOptions,
): Generator<Record<string, unknown>> {
  const { DatabaseSync: Database } = process.getBuiltinModule('node:sqlite')
  let database: DatabaseSync | undefined
  try {
    database = new Database(path, { readOnly: true, allowExtension: false })
    database.exec('PRAGMA trusted_schema = OFF; PRAGMA busy_timeout = 1000')
    // Fails here if the file is not a database.
    database.prepare('SELECT count(*) FROM sqlite_master').get()
    const statements = queries.flatMap((query) => prepared(database!, query))
    if (statements.length === 0) return tally.leaveOut('no agent is known that has such a database', path)
    tally.bytes += size
    for (const statement of statements) {
      const given = statement.sourceSQL.includes('$since') ? { $since: since?.getTime() ?? 0 } : {}
      yield* statement.iterate(given) as Iterable<Record<string, unknown>>
    }
  } catch (error) {
    tally.leaveOut(`the database cannot be read: ${messageOf(error)}`, path)
  } finally {
    database?.close()
  }
}

function prepared(database: DatabaseSync, query: string) {
  try {
    return [database.prepare(query)]
  } catch {
    return [] // it has other tables
  }
}
