/** PostgreSQL: any number of hubs. Row-level security binds each transaction to one tenant. */

import pg from 'pg'
import { CrosshookError, messageOf } from '../../spec/errors.ts'
import { type ColumnType, type Database, DatabaseDown, type Sql, type Value } from './port.ts'
import { migrations } from './tables.ts'

export interface PostgresOptions {
  connections?: number
  trouble(sentence: string): void
}

/** Held while the tables are created: a number that other programs on this database do not use. */
const MIGRATION_LOCK = 7_226_309_351
const ROLE = 'crosshook_hub'
const CHANNEL = 'crosshook_hub'
const RETRY_LISTEN_MS = 1000
const MAX_ATTEMPTS = 5

export async function openPostgres(
  url: string,
  { connections = 10, trouble }: PostgresOptions,
): Promise<Database> {
  const config: pg.ClientConfig = {
    connectionString: url,
    application_name: 'crosshook hub',
    connectionTimeoutMillis: 5000,
    keepAlive: true,
    types: { getTypeParser: typeParser } as pg.CustomTypesConfig,
  }
  const role = (await migrate(config)) ? '' : ` SET LOCAL ROLE ${ROLE};`
  const pool = new pg.Pool({ ...config, max: connections, idleTimeoutMillis: 60_000 })
  // Losing a connection also fails its query; without a listener the event would end the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  pool.on('error', (error) => trouble(`a connection to the database was lost: ${error.message}`))

  async function transaction<T>(tenant: string, work: (sql: Sql) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await once(tenant, work)
      } catch (error) {
        if (attempt >= MAX_ATTEMPTS || !isConflict(error))
          throw isDown(error) ? new DatabaseDown(error) : error
      }
    }
  }

  async function once<T>(tenant: string, work: (sql: Sql) => Promise<T>): Promise<T> {
    const client = await pool.connect()
    let broken: unknown
    try {
      // Only for this transaction: safe behind a connection pooler that others use, too.
      await client.query(`BEGIN;${role} SET LOCAL crosshook.tenant = ${client.escapeLiteral(tenant)}`)
      const result = await work(sqlOf(client, tenant))
      await client.query('COMMIT')
      return result
    } catch (error) {
      broken = isDown(error)
        ? error
        : await client.query('ROLLBACK').then(
            () => undefined,
            (late: unknown) => late,
          )
      throw error
    } finally {
      client.release(broken === undefined ? undefined : true)
    }
  }

  let closed = false
  let listener: pg.Client | undefined
  return {
    kind: 'postgres',
    within: transaction,
    async peek<T>(text: string) {
      try {
        return (await pool.query(text)).rows as T[]
      } catch (error) {
        throw isDown(error) ? new DatabaseDown(error) : error
      }
    },
    shared: (work) => transaction('', work),
    async listen(heard) {
      const connect = async () => {
        if (closed) return
        const client = new pg.Client(config)
        const again = (why: unknown) => {
          if (listener !== client || closed) return
          listener = undefined
          trouble(`hints of the database are lost, each second is asked instead: ${messageOf(why)}`)
          setTimeout(() => void connect(), RETRY_LISTEN_MS).unref()
        }
        listener = client
        client.on('error', again)
        client.on('end', () => again('the connection ended'))
        client.on('notification', ({ payload }) => heard(payload ?? ''))
        try {
          await client.connect()
          await client.query(`LISTEN ${CHANNEL}`)
        } catch (error) {
          again(error)
        }
      }
      await connect()
    },
    async close() {
      closed = true
      await listener?.end().catch(() => {})
      await pool.end()
    },
  }
}

function sqlOf(client: pg.PoolClient, tenant: string): Sql {
  return {
    all: async <R>(text: string, parameters: readonly Value[] = []) =>
      (await client.query(text, parameters as unknown[])).rows as R[],
    run: async (text, parameters = []) => (await client.query(text, parameters as unknown[])).rowCount ?? 0,
    async insertMany<R>(
      table: string,
      columns: Readonly<Record<string, ColumnType>>,
      rows: readonly (readonly Value[])[],
      tail = '',
    ): Promise<R[]> {
      if (rows.length === 0) return []
      const names = Object.keys(columns)
      const arrays = names.map((_, i) => rows.map((row) => row[i]!))
      const types = Object.values(columns).map((type, i) => `$${i + 1}::${type}[]`)
      const text = `INSERT INTO ${table} (${names.join(', ')}) SELECT * FROM unnest(${types.join(', ')}) ${tail}`
      return (await client.query(text, arrays)).rows as R[]
    },
    async hint() {
      await client.query('SELECT pg_notify($1, $2)', [CHANNEL, tenant])
    },
  }
}

/**
 * Of hubs that start together one creates the tables, the others wait. True when row-level security binds the URL's
 * role.
 */
async function migrate(config: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client(config)
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (error) {
    throw new CrosshookError('refused', `The hub cannot reach its database: ${messageOf(error)}`, {
      fix: 'Check the address given with --database, and that PostgreSQL runs and lets this user in.',
      cause: error,
    })
  }
  try {
    await client.query('BEGIN')
    await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
    await client.query('CREATE TABLE IF NOT EXISTS hub_schema (version BIGINT NOT NULL)')
    const { rows } = await client.query<{ version: number }>('SELECT version FROM hub_schema')
    const from = rows[0]?.version ?? 0
    const steps = migrations('postgres')
    if (from > steps.length)
      throw new CrosshookError('store', 'The database of the hub was written by a newer crosshook.', {
        fix: 'Update crosshook on this machine.',
      })
    for (const step of steps.slice(from)) await client.query(step)
    await client.query(
      rows.length === 0 ? 'INSERT INTO hub_schema VALUES ($1)' : 'UPDATE hub_schema SET version = $1',
      [steps.length],
    )
    const isBound = await boundRole(client)
    await client.query('COMMIT')
    return isBound
  } finally {
    await client.end()
  }
}

/** A role that may bypass row-level security creates one that may not, and uses that. */
async function boundRole(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ free: boolean }>(
    'SELECT rolsuper OR rolbypassrls AS free FROM pg_roles WHERE rolname = current_user',
  )
  if (!rows[0]?.free) return true
  await client.query(
    `DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${ROLE}') THEN CREATE ROLE ${ROLE} NOLOGIN; END IF; END $$`,
  )
  await client.query(`GRANT USAGE, CREATE ON SCHEMA public TO ${ROLE}`)
  const { rows: tables } = await client.query<{ relname: string }>(
    `SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND c.relowner <> (SELECT oid FROM pg_roles WHERE rolname = '${ROLE}')`,
  )
  // It owns them, since partitions are created and dropped while the hub runs; FORCE binds owners as well.
  for (const { relname } of tables) await client.query(`ALTER TABLE public."${relname}" OWNER TO ${ROLE}`)
  return false
}

const INT8 = 20

/** No number of the hub reaches 2^53. */
function typeParser(id: number, format?: 'text' | 'binary'): unknown {
  return id === INT8 ? Number : pg.types.getTypeParser(id, format as 'text')
}

/** Serialization failure or deadlock: the transaction is repeated. */
function isConflict(error: unknown): boolean {
  return ['40001', '40P01'].includes((error as { code?: string }).code ?? '')
}

/** Connection failure, a starting or stopping server, too many connections: not the statement's fault. */
function isDown(error: unknown): boolean {
  if (error instanceof CrosshookError) return false
  const { code } = error as { code?: string }
  if (code === undefined)
    return error instanceof Error && /connect|terminated|timeout|not queryable|closed/i.test(error.message)
  return /^(?:08|57P|53)/.test(code) || /^E[A-Z]+$/.test(code)
}
