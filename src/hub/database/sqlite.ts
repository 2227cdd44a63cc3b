/** The embedded database: one hub, one file, one connection. Transactions run one at a time. */

import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { CrosshookError } from '../../spec/errors.ts'
import type { Database, Sql, Value } from './port.ts'
import { migrations } from './tables.ts'

export function openSqlite(file: string): Database {
  if (file !== ':memory:') {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    // SQLite gives its other files the mode of this one.
    closeSync(openSync(file, 'a', 0o600))
    chmodSync(file, 0o600)
  }
  const db = new DatabaseSync(file, { timeout: 10_000 })
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON')
  migrate(db)
  const statements = new Map<string, StatementSync>()
  const prepare = (sql: string) => {
    let known = statements.get(sql)
    if (!known) statements.set(sql, (known = db.prepare(sql)))
    return known
  }
  let heard: ((tenant: string) => void) | undefined
  let last: Promise<unknown> = Promise.resolve()

  function transaction<T>(tenant: string | undefined, work: (sql: Sql) => Promise<T>): Promise<T> {
    const turn = last.then(async () => {
      let hinted = false
      const sql: Sql = {
        all: async <R>(text: string, parameters: readonly Value[] = []) =>
          prepare(text).all(named(parameters)) as R[],
        run: async (text, parameters = []) => Number(prepare(text).run(named(parameters)).changes),
        async insertMany<R>(
          table: string,
          columns: object,
          rows: readonly (readonly Value[])[],
          tail = '',
        ): Promise<R[]> {
          const names = Object.keys(columns)
          const statement = prepare(
            `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')}) ${tail}`,
          )
          return rows.flatMap((row) => statement.all(...row) as R[])
        },
        async hint() {
          hinted = true
        },
      }
      db.exec('BEGIN IMMEDIATE')
      try {
        const result = await work(sql)
        db.exec('COMMIT')
        if (hinted && tenant !== undefined) heard?.(tenant)
        return result
      } catch (error) {
        if (db.isTransaction) db.exec('ROLLBACK')
        throw error
      }
    })
    last = turn.catch(() => {})
    return turn
  }

  return {
    kind: 'sqlite',
    within: (tenant, work) => transaction(tenant, work),
    peek: <T>(text: string) => transaction(undefined, (sql) => sql.all<T>(text)),
    shared: (work) => transaction(undefined, work),
    async listen(callback) {
      heard = callback
    },
    async close() {
      await last
      db.close()
    },
  }
}

/** SQLite treats `$1` as a named parameter. */
function named(parameters: readonly Value[]): Record<string, Value> {
  return Object.fromEntries(parameters.map((value, i) => [`$${i + 1}`, value]))
}

function migrate(db: DatabaseSync): void {
  const steps = migrations('sqlite')
  db.exec('BEGIN IMMEDIATE')
  try {
    const from = Number(db.prepare('PRAGMA user_version').get()?.user_version)
    if (from > steps.length)
      throw new CrosshookError('store', 'The database of the hub was written by a newer crosshook.', {
        fix: 'Update crosshook on this machine.',
      })
    for (const step of steps.slice(from)) db.exec(step)
    db.exec(`PRAGMA user_version = ${steps.length}`)
    db.exec('COMMIT')
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}
