/**
 * The hub's interface to a database. The SQL is the same on both: parameters are `$1`, times are milliseconds, booleans
 * are 0 or 1, JSON is text. One contract suite runs on both (`test/hub/store.test.ts`).
 */

export type Value = string | number | null | Uint8Array

/** SQL types of the columns that are written in bulk. */
export type ColumnType = 'text' | 'bigint' | 'double precision' | 'bytea'

export interface Sql {
  all<T>(sql: string, parameters?: readonly Value[]): Promise<T[]>
  /** Returns the number of changed rows. */
  run(sql: string, parameters?: readonly Value[]): Promise<number>
  /** `tail` follows the values, such as ON CONFLICT and RETURNING; without it a duplicate is an error. */
  insertMany<T>(
    table: string,
    columns: Readonly<Record<string, ColumnType>>,
    rows: readonly (readonly Value[])[],
    tail?: string,
  ): Promise<T[]>
  /**
   * After the commit, tells the other hubs that something changed for this tenant. Only a hint: they also poll each
   * second.
   */
  hint(): Promise<void>
}

export interface Database {
  readonly kind: 'sqlite' | 'postgres'
  /** A transaction that sees and writes the rows of one tenant. Repeated when the database asks for it. */
  within<T>(tenant: string, work: (sql: Sql) => Promise<T>): Promise<T>
  /** One query on data of no tenant, outside a transaction. */
  peek<T>(sql: string): Promise<T[]>
  /** A transaction on data of no tenant: the list of tenants and their change counters. */
  shared<T>(work: (sql: Sql) => Promise<T>): Promise<T>
  /** Calls back with the tenant of each hint. Hints can be lost, so listeners must also poll. */
  listen(heard: (tenant: string) => void): Promise<void>
  close(): Promise<void>
}

/** The database is unreachable. As far as known, nothing was changed: the caller tries again. */
export class DatabaseDown extends Error {
  constructor(cause: unknown) {
    super(`The database cannot be reached: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    })
    this.name = 'DatabaseDown'
  }
}
