/** Queries about the fleet: its state, its machines' records, and how often hooks decided what. */

import { decodeBatch } from '../../fleet/wire/batch.ts'
import type { Sql, Value } from '../database/port.ts'
import { DURATION_BOUNDS, DURATION_COLUMNS } from '../database/tables.ts'
import { SHADOW } from './hourly-sums.ts'
import { DAY_MS, dayOf } from './journal.ts'

export interface RowFilter {
  since?: number
  until?: number
  edge?: string
  agent?: string
  hook?: string
  decision?: string
  event?: string
  tool?: string
  limit?: number
}

export interface FoundRow {
  edge: string
  seq: number
  at: number
  agent: string
  event: string
  tool: string
  decision: string
  hook: string
  status: string
  revision: number
  body: string
}

const CONDITIONS: Readonly<Record<keyof Omit<RowFilter, 'limit'>, string>> = {
  since: 'at >= ',
  until: 'at < ',
  edge: 'edge = ',
  agent: 'agent = ',
  hook: 'hook = ',
  decision: 'decision = ',
  event: 'event = ',
  tool: 'tool = ',
}

/** Everything but plain allows, newest first. */
export async function searchRows(
  sql: Sql,
  tenant: string,
  { limit = 100, ...filter }: RowFilter,
): Promise<FoundRow[]> {
  const parameters: Value[] = [tenant, Math.min(limit, 1000)]
  const where = ['tenant = $1']
  for (const [name, start] of Object.entries(CONDITIONS)) {
    const value = filter[name as keyof typeof filter]
    if (value === undefined) continue
    parameters.push(value)
    where.push(`${start}$${parameters.length}`)
  }
  return sql.all<FoundRow>(
    `SELECT edge, seq, at, agent, event, tool, decision, hook, status, revision, body FROM journal_rows
     WHERE ${where.join(' AND ')} ORDER BY at DESC LIMIT $2`,
    parameters,
  )
}

/** Everything that a machine sent of a part of its journal, including plain allows. */
export async function recordsOfEdge(sql: Sql, tenant: string, edge: string, limit = 1000): Promise<string[]> {
  const batches = await sql.all<{ bytes: Uint8Array }>(
    'SELECT bytes FROM journal_batches WHERE tenant = $1 AND edge = $2 ORDER BY received_at DESC, first_seq DESC LIMIT $3',
    [tenant, edge, limit],
  )
  const lines: string[] = []
  for (const { bytes } of batches) {
    lines.unshift(...decodeBatch(bytes).lines)
    if (lines.length >= limit) break
  }
  return lines.slice(-limit)
}

/** Batches as received, oldest first, for an export. */
export async function batchesAfter(
  sql: Sql,
  tenant: string,
  after: { at: number; edge: string; seq: number },
  until = Number.MAX_SAFE_INTEGER,
  limit = 200,
) {
  return sql.all<{
    edge: string
    first_seq: number
    revision: number
    received_at: number
    bytes: Uint8Array
  }>(
    `SELECT edge, first_seq, revision, received_at, bytes FROM journal_batches
     WHERE tenant = $1 AND day >= $2 AND (received_at, edge, first_seq) > ($3, $4, $5) AND received_at < $7
     ORDER BY received_at, edge, first_seq LIMIT $6`,
    [tenant, dayOf(after.at), after.at, after.edge, after.seq, limit, until],
  )
}

export async function findings(sql: Sql, tenant: string, limit = 100) {
  return sql.all<{ edge: string; epoch: string; seq: number; what: string; message: string; at: number }>(
    'SELECT edge, epoch, seq, what, message, at FROM journal_findings WHERE tenant = $1 ORDER BY at DESC LIMIT $2',
    [tenant, limit],
  )
}

export const ANALYTICS_BY = ['hour', 'revision', 'hook', 'agent', 'decision'] as const
export type AnalyticsBy = (typeof ANALYTICS_BY)[number]

/** Sums from the hourly roll-ups. `hook` empty: events as a whole. */
export async function analytics(
  sql: Sql,
  tenant: string,
  { by, since, events }: { by: readonly AnalyticsBy[]; since: number; events: boolean },
) {
  const columns = by.length > 0 ? `${by.join(', ')}, ` : ''
  const rows = await sql.all<Record<string, number | string>>(
    `SELECT ${columns}sum(n) AS n, sum(failures) AS failures, sum(ms_sum) AS ms_sum, max(ms_max) AS ms_max,
       ${DURATION_COLUMNS.map((name) => `sum(${name}) AS ${name}`).join(', ')}
     FROM rollups WHERE tenant = $1 AND hour >= $2 AND hook ${events ? '=' : '<>'} ''
     ${by.length > 0 ? `GROUP BY ${by.join(', ')} ORDER BY ${by.join(', ')}` : ''}`,
    [tenant, Math.floor(since / 3_600_000)],
  )
  return rows.map((row) => {
    const classes = DURATION_COLUMNS.map((name) => Number(row[name]))
    const n = Number(row.n ?? 0)
    return {
      by: Object.fromEntries(by.map((name) => [name, row[name]])),
      n,
      failures: Number(row.failures ?? 0),
      ms_mean: n > 0 ? Number(row.ms_sum) / n : null,
      ms_max: row.ms_max === null ? null : Number(row.ms_max),
      p95: percentile(classes, 0.95),
    }
  })
}

/** Upper bound of its bucket, in milliseconds; null for the last bucket, or when nothing ran. */
function percentile(classes: readonly number[], part: number): number | null {
  const total = classes.reduce((a, b) => a + b, 0)
  let seen = 0
  for (const [i, n] of classes.entries()) {
    seen += n
    if (total > 0 && seen >= total * part) return DURATION_BOUNDS[i] ?? null
  }
  return null
}

export interface StageResult {
  events: number
  denies: number
  failures: number
}

/** What machines with this revision recorded since then, or would have in shadow: for the stop rules. */
export async function resultOf(
  sql: Sql,
  tenant: string,
  revision: number,
  { since, mode }: { since: number; mode: 'shadow' | 'enforce' },
): Promise<StageResult> {
  const [row] = await sql.all<Record<string, number | null>>(
    `SELECT sum(n) AS events, sum(CASE WHEN decision = 'deny' THEN n ELSE 0 END) AS denies, sum(failures) AS failures
     FROM rollups WHERE tenant = $1 AND revision = $2 AND hour >= $3 AND hook = $4`,
    [tenant, revision, Math.floor(since / 3_600_000), mode === 'shadow' ? SHADOW : ''],
  )
  return {
    events: Number(row?.events ?? 0),
    denies: Number(row?.denies ?? 0),
    failures: Number(row?.failures ?? 0),
  }
}

/** Drops what is older than `days`: whole partitions where there are some. */
export async function retain(sql: Sql, tenant: string, days: number, now = Date.now()): Promise<void> {
  const before = dayOf(now - days * DAY_MS)
  for (const table of ['journal_batches', 'journal_rows'])
    await sql.run(`DELETE FROM ${table} WHERE tenant = $1 AND day < $2`, [tenant, before])
}
