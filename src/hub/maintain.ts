/** Periodic database maintenance: creates partitions for coming days, removes old rows. */

import type { Database } from './database/port.ts'
import { security } from './database/tables.ts'
import { DAY_MS, dayOf } from './store/journal.ts'
import { retain } from './store/search.ts'
import { readPulse, tenantSettings } from './store/tenants.ts'

const DAYS_AHEAD = 3
const DEFAULT_RETENTION_DAYS = 90

export async function maintain(db: Database, now = Date.now()): Promise<void> {
  if (db.kind === 'postgres') await makePartitions(db, now)
  const kept: number[] = []
  for (const { tenant } of await readPulse(db))
    await db.within(tenant, async (sql) => {
      const { retention_days: days = DEFAULT_RETENTION_DAYS } = await tenantSettings(sql, tenant)
      kept.push(days)
      await retain(sql, tenant, days, now)
    })
  if (db.kind === 'postgres' && kept.length > 0)
    await dropPartitions(db, dayOf(now - Math.max(...kept) * DAY_MS))
}

const TABLES = ['journal_batches', 'journal_rows']

/** A day whose rows are already in the default partition, because no hub ran to create its own, stays there. */
async function makePartitions(db: Database, now: number): Promise<void> {
  for (const table of TABLES)
    for (let day = dayOf(now); day <= dayOf(now) + DAYS_AHEAD; day++)
      await db.shared(async (sql) => {
        // Hubs that do this at the same time wait for each other.
        await sql.all('SELECT pg_advisory_xact_lock(7226309352)')
        const [row] = await sql.all<{ there: boolean }>(
          'SELECT to_regclass($1) IS NOT NULL OR EXISTS (SELECT FROM pg_class WHERE relname = $1) AS there',
          [`${table}_${day}`],
        )
        if (row?.there) return
        await sql
          .run(
            `CREATE TABLE ${table}_${day} PARTITION OF ${table} FOR VALUES FROM (${day}) TO (${day + 1});
             ${security([`${table}_${day}`])}`,
          )
          .catch((error: { code?: string }) => {
            if (error.code !== '23514') throw error // rows of this day are in the default partition
          })
      })
}

async function dropPartitions(db: Database, before: number): Promise<void> {
  await db.shared(async (sql) => {
    const rows = await sql.all<{ relname: string }>(
      "SELECT relname FROM pg_class WHERE relispartition AND relkind = 'r' AND relname ~ '^journal_(batches|rows)_[0-9]+$'",
    )
    for (const { relname } of rows)
      if (Number(relname.split('_').at(-1)) < before) await sql.run(`DROP TABLE ${relname}`)
  })
}
