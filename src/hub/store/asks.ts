/** Questions of machines to people. Enough answers close one; later answers change nothing there. */

import { SCOPES } from '../../ask/question.ts'
import { mayAnswer, satisfies } from '../../ask/who.ts'
import { CrosshookError } from '../../spec/errors.ts'
import type { Sql } from '../database/port.ts'
import { audit } from './audit.ts'
import { changed, mayApprove, personById } from './tenants.ts'

export interface AskRow {
  id: string
  edge: string
  /** What the person is shown: agent, tool, acts, redacted. JSON. */
  body: string
  input_digest: string
  created_at: number
  deadline: number
  state: 'open' | 'allow' | 'deny'
  scope: string | null
  reason: string | null
  decided_by: string | null
  decided_at: number | null
  /** The person's key and signature: see fleet/wire/answer-text.ts. */
  signer: string | null
  signature: string | null
  /** Who may answer, as JSON; empty: every approver. */
  approvers: string
  /** How many different people must say yes. */
  approvals: number
}

/** One yes of several. */
export interface VoteRow {
  ask: string
  person: string
  scope: string
  reason: string
  at: number
  signer: string | null
  signature: string | null
}

const COLUMNS =
  'id, edge, body, input_digest, created_at, deadline, state, scope, reason, decided_by, decided_at, signer, signature, approvers, approvals'

/** Asking again with the same id is the same question. */
export async function openAsk(
  sql: Sql,
  tenant: string,
  ask: Pick<AskRow, 'id' | 'edge' | 'body' | 'input_digest' | 'deadline' | 'approvers' | 'approvals'>,
): Promise<boolean> {
  const added = await sql.run(
    `INSERT INTO asks (tenant, id, edge, body, input_digest, created_at, deadline, state, approvers, approvals)
     VALUES ($1, $2, $3, $4, $5, $6, $7, 'open', $8, $9) ON CONFLICT DO NOTHING`,
    [
      ...[tenant, ask.id, ask.edge, ask.body, ask.input_digest, Date.now(), ask.deadline],
      ...[ask.approvers, ask.approvals],
    ],
  )
  if (added > 0) await changed(sql, tenant, 'asks')
  return added > 0
}

export interface GivenAnswer {
  decision: 'allow' | 'deny'
  scope: string
  reason: string
  /** What the person was shown, where the channel says so. */
  digest?: string | undefined
  signed?: { key: string; signature: string } | undefined
}

/** `by` was proven: a person of this fleet, or a channel for people without a name. */
export async function answerAsk(
  sql: Sql,
  by: { tenant: string; id: string },
  id: string,
  answer: GivenAnswer,
): Promise<AskRow & { missing: number }> {
  const { tenant } = by
  // Concurrent answers, at any hub, wait here.
  const [locked] = await sql.all<AskRow>(
    `UPDATE asks SET state = state WHERE tenant = $1 AND id = $2 AND state = 'open' RETURNING ${COLUMNS}`,
    [tenant, id],
  )
  const found = locked ?? (await askOf(sql, tenant, id))
  if (!found) throw new CrosshookError('not_found', `There is no question ${id}.`)
  if (found.state !== 'open')
    throw new CrosshookError('exists', `${found.decided_by} has answered already: ${found.state}.`)
  if (answer.digest !== undefined && answer.digest !== found.input_digest)
    throw new CrosshookError('refused', `The answer is for another input than question ${id} asks about.`)
  const required = {
    approvers: JSON.parse(found.approvers) as string[],
    approvals: found.approvals,
  }
  if (!mayAnswer(required, by.id))
    throw new CrosshookError(
      'refused',
      `${by.id} may not answer this: ${required.approvers.join(', ') || 'people with a name'} may.`,
    )
  let who = by.id
  let { scope } = answer
  if (answer.decision === 'allow' && found.approvals > 1) {
    await vote(sql, by, found, answer)
    const votes = await standing(sql, tenant, id)
    const names = votes.map(({ person }) => person)
    const missing = found.approvals - names.length
    if (!satisfies(names, required)) return { ...found, missing }
    who = names.join(' and ')
    // The narrowest scope, to which all of them agreed.
    scope = SCOPES.find((each) => votes.some((vote) => vote.scope === each)) ?? 'once'
  }
  const [closed] = await sql.all<AskRow>(
    `UPDATE asks SET state = $3, scope = $4, reason = $5, decided_by = $6, decided_at = $7, signer = $8, signature = $9
     WHERE tenant = $1 AND id = $2 RETURNING ${COLUMNS}`,
    [
      ...[tenant, id, answer.decision, scope, answer.reason, who, Date.now()],
      ...[answer.signed?.key ?? null, answer.signed?.signature ?? null],
    ],
  )
  await audit(sql, tenant, by.id, `answered ${answer.decision}`, {
    ask: id,
    edge: found.edge,
    scope,
  })
  await changed(sql, tenant, 'asks')
  return { ...closed!, missing: 0 }
}

async function vote(
  sql: Sql,
  { tenant, id: person }: { tenant: string; id: string },
  { id, edge }: AskRow,
  { scope, reason, signed }: GivenAnswer,
): Promise<void> {
  const others = await standing(sql, tenant, id)
  const same = others.find(({ signer }) => signed !== undefined && signer === signed.key)
  if (same && same.person !== person)
    throw new CrosshookError(
      'refused',
      `${person} signs with the key of ${same.person}, who has said yes already: another person must.`,
    )
  const added = await sql.run(
    `INSERT INTO ask_votes (tenant, ask, person, scope, reason, at, signer, signature)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING`,
    [tenant, id, person, scope, reason, Date.now(), signed?.key ?? null, signed?.signature ?? null],
  )
  if (added === 0) throw new CrosshookError('exists', `${person} has said yes already: another person must.`)
  await audit(sql, tenant, person, 'said yes, one of several', { ask: id, edge, scope })
  await changed(sql, tenant, 'asks')
}

/** Votes of people who may still answer: somebody removed or demoted meanwhile does not count. */
async function standing(sql: Sql, tenant: string, id: string): Promise<VoteRow[]> {
  const votes = await votesOf(sql, tenant, [id])
  const may = new Set<string>()
  for (const { person } of votes) if (mayApprove(await personById(sql, tenant, person))) may.add(person)
  return votes.filter(({ person }) => may.has(person))
}

/** Oldest first. */
export async function votesOf(sql: Sql, tenant: string, asks: readonly string[]): Promise<VoteRow[]> {
  if (asks.length === 0) return []
  return sql.all<VoteRow>(
    `SELECT ask, person, scope, reason, at, signer, signature FROM ask_votes
     WHERE tenant = $1 AND ask IN (${asks.map((_, i) => `$${i + 2}`).join(', ')}) ORDER BY at, person`,
    [tenant, ...asks],
  )
}

export async function askOf(sql: Sql, tenant: string, id: string): Promise<AskRow | undefined> {
  const [row] = await sql.all<AskRow>(`SELECT ${COLUMNS} FROM asks WHERE tenant = $1 AND id = $2`, [
    tenant,
    id,
  ])
  return row
}

/** Answered since then, for any machine: each hub informs the machines that wait at it. */
export async function answeredSince(sql: Sql, tenant: string, since: number): Promise<AskRow[]> {
  return sql.all<AskRow>(
    `SELECT ${COLUMNS} FROM asks WHERE tenant = $1 AND state <> 'open' AND decided_at >= $2 ORDER BY decided_at`,
    [tenant, since],
  )
}

/** How late a yes may come: the machine then allows its next equal call. */
const LATE_MS = 3_600_000

export async function openAsks(sql: Sql, tenant: string, now = Date.now() - LATE_MS): Promise<AskRow[]> {
  return sql.all<AskRow>(
    `SELECT ${COLUMNS} FROM asks WHERE tenant = $1 AND state = 'open' AND deadline > $2 ORDER BY deadline LIMIT 500`,
    [tenant, now],
  )
}

/** Newest first. */
export async function closedAsks(sql: Sql, tenant: string, limit: number): Promise<AskRow[]> {
  return sql.all<AskRow>(
    `SELECT ${COLUMNS} FROM asks WHERE tenant = $1 AND state <> 'open' ORDER BY decided_at DESC LIMIT $2`,
    [tenant, limit],
  )
}
