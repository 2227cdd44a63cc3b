/** Who changed what: a hash chain per tenant, so that nothing can be removed or altered unnoticed. */

import { createHash } from 'node:crypto'
import type { Sql } from '../database/port.ts'

export interface AuditRow {
  seq: number
  at: number
  who: string
  what: string
  detail: string
  prev: string
  hash: string
}

const NOTHING = '0'.repeat(64)

/** Call inside the transaction that makes the change. */
export async function audit(
  sql: Sql,
  tenant: string,
  who: string,
  what: string,
  detail: object,
): Promise<void> {
  // Serializes changes of one tenant, so that each sees the one before.
  await sql.run('UPDATE pulse SET edges = edges WHERE tenant = $1', [tenant])
  const [last] = await sql.all<AuditRow>(
    'SELECT seq, hash FROM audit WHERE tenant = $1 ORDER BY seq DESC LIMIT 1',
    [tenant],
  )
  const row = {
    seq: (last?.seq ?? 0) + 1,
    at: Date.now(),
    who,
    what,
    detail: JSON.stringify(detail),
    prev: last?.hash ?? NOTHING,
  }
  await sql.run(
    'INSERT INTO audit (tenant, seq, at, who, what, detail, prev, hash) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)',
    [tenant, row.seq, row.at, row.who, row.what, row.detail, row.prev, hashOf(tenant, row)],
  )
}

export async function readAudit(sql: Sql, tenant: string, limit = 100): Promise<AuditRow[]> {
  const rows = await sql.all<AuditRow>(
    'SELECT seq, at, who, what, detail, prev, hash FROM audit WHERE tenant = $1 ORDER BY seq DESC LIMIT $2',
    [tenant, limit],
  )
  return rows.reverse()
}

/** The first row that does not follow from the previous one; undefined when all do. */
export async function brokenAudit(sql: Sql, tenant: string): Promise<number | undefined> {
  let prev = NOTHING
  let seq = 0
  const rows = await sql.all<AuditRow>(
    'SELECT seq, at, who, what, detail, prev, hash FROM audit WHERE tenant = $1 ORDER BY seq',
    [tenant],
  )
  for (const row of rows) {
    if (row.seq !== ++seq || row.prev !== prev || row.hash !== hashOf(tenant, row)) return seq
    prev = row.hash
  }
  return undefined
}

function hashOf(tenant: string, { seq, at, who, what, detail, prev }: Omit<AuditRow, 'hash'>): string {
  return createHash('sha256')
    .update(JSON.stringify([tenant, seq, at, who, what, detail, prev]))
    .digest('hex')
}
