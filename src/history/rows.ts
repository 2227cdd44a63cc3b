/** The database of an agent, read only, row by row. */

import type { DatabaseSync } from 'node:sqlite'
import { messageOf } from '../spec/errors.ts'
import type { OpenFile } from './files.ts'
import type { Tally } from './tally.ts'

export interface RowOptions {
  tally: Tally
  since: Date | undefined
}

/** The first query that the database understands is used. */
export function* rows(
  path: string,
  { size }: OpenFile,
  queries: readonly string[],
  { tally, since }: RowOptions,
): Generator<Record<string, unknown>> {
  const { DatabaseSync: Database } = process.getBuiltinModule('node:sqlite')
  const database = new Database(path, { readOnly: true, allowExtension: false })
  try {
    database.exec('PRAGMA trusted_schema = OFF; PRAGMA busy_timeout = 1000')
    const statement = prepared(database, queries)
    if (!statement) return tally.leaveOut('no agent is known that has such a database', path)
    tally.bytes += size
    const given = statement.sourceSQL.includes('$since') ? { $since: since?.getTime() ?? 0 } : {}
    yield* statement.iterate(given) as Iterable<Record<string, unknown>>
  } catch (error) {
    tally.leaveOut(`the database cannot be read: ${messageOf(error)}`, path)
  } finally {
    database.close()
  }
}

function prepared(database: DatabaseSync, queries: readonly string[]) {
  for (const query of queries)
    try {
      return database.prepare(query)
    } catch {
      // it has other tables
    }
  return undefined
}
