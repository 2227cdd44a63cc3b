/** Questions of machines to people. The first answer counts; one that comes after the deadline changes nothing. */

import { CrosshookError } from '../../spec/errors.ts'
import type { Sql } from '../database/port.ts'
import { audit } from './audit.ts'
import { changed, type Person } from './tenants.ts'

export interface AskRow {
  id: string
  edge: string
  /** What the person is shown: agent, tool, redacted summary. */
  body: string
  input_digest: string
  created_at: number
  deadline: number
  state: 'open' | 'allow' | 'deny'
  scope: string | null
  reason: string | null
  decided_by: string | null
  decided_at: number | null
  /** The key of the person, and what they signed with it: see fleet/wire/answer.ts. */
  signer: string | null
  signature: string | null
}

const COLUMNS =
  'id, edge, body, input_digest, created_at, deadline, state, scope, reason, decided_by, decided_at, signer, signature'

/** Asking again with the same id is the same question. */
export async function openAsk(
  sql: Sql,
  tenant: string,
  ask: Pick<AskRow, 'id' | 'edge' | 'body' | 'input_digest' | 'deadline'>,
): Promise<boolean> {
  const added = await sql.run(
    `INSERT INTO asks (tenant, id, edge, body, input_digest, created_at, deadline, state)
     VALUES ($1, $2, $3, $4, $5, $6, $7, 'open') ON CONFLICT DO NOTHING`,
    [tenant, ask.id, ask.edge, ask.body, ask.input_digest, Date.now(), ask.deadline],
  )
  if (added > 0) await changed(sql, tenant, 'asks')
  return added > 0
}

export async function answerAsk(
  sql: Sql,
  by: Person,
  id: string,
  answer: {
    decision: 'allow' | 'deny'
    scope: string
    reason: string
    signed?: { key: string; signature: string } | undefined
  },
): Promise<AskRow> {
  const { tenant } = by
  const found = await askOf(sql, tenant, id)
  if (!found) throw new CrosshookError('not_found', `There is no question ${id}.`)
  const answered = await sql.run(
    `UPDATE asks SET state = $3, scope = $4, reason = $5, decided_by = $6, decided_at = $7, signer = $8, signature = $9
     WHERE tenant = $1 AND id = $2 AND state = 'open'`,
    [
      tenant,
      id,
      answer.decision,
      answer.scope,
      answer.reason,
      by.id,
      Date.now(),
      answer.signed?.key ?? null,
      answer.signed?.signature ?? null,
    ],
  )
  if (answered === 0)
    throw new CrosshookError('exists', `${found.decided_by} has answered already: ${found.state}.`)
  await audit(sql, tenant, by.id, `answered ${answer.decision}`, {
    ask: id,
    edge: found.edge,
    scope: answer.scope,
  })
  await changed(sql, tenant, 'asks')
  return (await askOf(sql, tenant, id))!
}

export async function askOf(sql: Sql, tenant: string, id: string): Promise<AskRow | undefined> {
  const [row] = await sql.all<AskRow>(`SELECT ${COLUMNS} FROM asks WHERE tenant = $1 AND id = $2`, [
    tenant,
    id,
  ])
  return row
}

/** Those that were answered since then, of any machine: each hub tells the machines that wait at it. */
export async function answeredSince(sql: Sql, tenant: string, since: number): Promise<AskRow[]> {
  return sql.all<AskRow>(
    `SELECT ${COLUMNS} FROM asks WHERE tenant = $1 AND state <> 'open' AND decided_at >= $2 ORDER BY decided_at`,
    [tenant, since],
  )
}

/** A yes that comes so much too late still helps: the machine lets its next equal call through. In milliseconds. */
const LATE_MS = 3_600_000

export async function openAsks(sql: Sql, tenant: string, now = Date.now() - LATE_MS): Promise<AskRow[]> {
  return sql.all<AskRow>(
    `SELECT ${COLUMNS} FROM asks WHERE tenant = $1 AND state = 'open' AND deadline > $2 ORDER BY deadline`,
    [tenant, now],
  )
}
