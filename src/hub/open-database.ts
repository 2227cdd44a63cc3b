/** Opens the configured database and creates the first person. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { writeWhole } from '../config/write-whole.ts'
import { CrosshookError } from '../spec/errors.ts'
import type { Database } from './database/port.ts'
import { addPerson, ensureTenant, people } from './store/tenants.ts'

/** Without a URL: SQLite in the folder. */
export async function openDatabase(
  url: string | undefined,
  folder: string,
  trouble: (sentence: string) => void,
): Promise<Database> {
  if (url === undefined) {
    const { openSqlite } = await import('./database/sqlite.ts')
    return openSqlite(join(folder, 'hub.db'))
  }
  if (!/^postgres(?:ql)?:\/\//.test(url))
    throw new CrosshookError(
      'usage',
      `--database ${url.replace(/\/\/.*@/, '//…@')}: this is no address of PostgreSQL`,
      {
        fix: 'Write postgres://USER:PASSWORD@HOST/DATABASE, or leave it out for SQLite.',
      },
    )
  const { openPostgres } = await import('./database/postgres.ts')
  return openPostgres(url, { trouble })
}

/** File with the first person's token; undefined when there are people already. Of several hubs one creates it. */
export async function firstPerson(db: Database, tenant: string, folder: string): Promise<string | undefined> {
  await ensureTenant(db, tenant)
  const token = await db.within(tenant, async (sql) => {
    await sql.run('UPDATE pulse SET edges = edges WHERE tenant = $1', [tenant])
    if ((await people(sql, tenant)).length > 0) return undefined
    return addPerson(sql, 'hub', { tenant, id: 'admin', role: 'admin' })
  })
  const file = join(folder, `${tenant}.token`)
  if (token !== undefined) writeWhole(file, `${token}\n`)
  return token !== undefined || existsSync(file) ? file : undefined
}
