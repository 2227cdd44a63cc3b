/**
 * What the hub asks of a database. SQL is the same on both: parameters are written `$1`, times are milliseconds, truth is
 * 0 or 1, JSON is text. One contract suite runs on both (`test/hub/store.test.ts`).
 */

export type Value = string | number | null | Uint8Array

/** SQL types of the columns that are written in bulk. */
export type ColumnType = 'text' | 'bigint' | 'double precision' | 'bytea'

export interface Sql {
  all<T>(sql: string, parameters?: readonly Value[]): Promise<T[]>
  /** How many rows it changed. */
  run(sql: string, parameters?: readonly Value[]): Promise<number>
  /** `tail` is what follows the values, such as ON CONFLICT and RETURNING; without it a duplicate is an error. */
  insertMany<T>(
    table: string,
    columns: Readonly<Record<string, ColumnType>>,
    rows: readonly (readonly Value[])[],
    tail?: string,
  ): Promise<T[]>
  /** Tells the other hubs, once this is committed, that something changed for this tenant. A hint: they also look each second. */
  hint(): Promise<void>
}

export interface Database {
  readonly kind: 'sqlite' | 'postgres'
  /** A transaction that sees and writes the rows of one tenant. It is repeated when the database asks for it. */
  within<T>(tenant: string, work: (sql: Sql) => Promise<T>): Promise<T>
  /** One question about what belongs to no tenant, outside of any transaction. */
  peek<T>(sql: string): Promise<T[]>
  /** What belongs to no tenant: the list of tenants and their counters of changes. */
  shared<T>(work: (sql: Sql) => Promise<T>): Promise<T>
  /** Calls back with the tenant of each hint. Loses some: who listens must also look by itself. */
  listen(heard: (tenant: string) => void): Promise<void>
  close(): Promise<void>
}

/** The database cannot be reached now. Nothing was changed, as far as anybody knows: the caller tries again. */
export class DatabaseDown extends Error {
  constructor(cause: unknown) {
    super(`The database cannot be reached: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    })
    this.name = 'DatabaseDown'
  }
}
