/** Machines: enrolled by a token, identified by their key, revoked by a row. */

import type { PublicKey } from '../../sign/keys.ts'
import { CrosshookError } from '../../spec/errors.ts'
import type { Sql, Value } from '../database/port.ts'
import { audit } from './audit.ts'
import { hashOf, newId, newSecret } from './hashed-secrets.ts'
import { changed, type Person } from './tenants.ts'

export interface Edge {
  id: string
  name: string
  public: PublicKey
  labels: Record<string, string>
  enrolled_at: number
  expires_at: number | null
  revoked_at: number | null
  last_seen: number
  revision: number
  stage: number
  mode: string
  version: string
  problem: string | null
  alarms: Alarm[]
}

/** What doctor found on the machine beside its agents' answers. */
export interface Alarm {
  /** `heartbeat`: an agent calls tools without asking hooks. `drift`: hooks or policy were changed. */
  kind: 'heartbeat' | 'drift' | 'problem'
  agent?: string | undefined
  n: number
}

const COLUMNS =
  'id, name, public, labels, enrolled_at, expires_at, revoked_at, last_seen, revision, stage, mode, version, problem, alarms'

/** As the database has it. */
type EdgeText = Omit<Edge, 'labels' | 'alarms'> & { labels: string; alarms: string }

export interface TokenWish {
  name: string
  labels: Record<string, string>
  uses: number
  hours: number
}

/** The token is shown once; the hub keeps its hash. */
export async function createToken(
  sql: Sql,
  by: Person,
  { name, labels, uses, hours }: TokenWish,
): Promise<string> {
  const secret = newSecret()
  await sql.run(
    'INSERT INTO enroll_tokens (tenant, hash, name, labels, uses_left, expires_at, created_by, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)',
    [
      by.tenant,
      hashOf(secret),
      name,
      JSON.stringify(labels),
      uses,
      Date.now() + hours * 3_600_000,
      by.id,
      Date.now(),
    ],
  )
  await audit(sql, by.tenant, by.id, 'token made', { name, labels, uses, hours })
  return `che.${by.tenant}.${secret}`
}

const ENROLL_TOKEN = /^che\.([\w.-]{1,64})\.([\w-]{32})$/

export function tenantOfToken(token: string): string | undefined {
  return ENROLL_TOKEN.exec(token)?.[1]
}

export interface Newcomer {
  name: string
  public: PublicKey
  version: string
}

/** Uses the token once. The same key with the same token again is the same machine, whose first answer was lost. */
export async function enrollByToken(sql: Sql, tenant: string, token: string, edge: Newcomer): Promise<Edge> {
  const secret = ENROLL_TOKEN.exec(token)?.[2] ?? ''
  const hash = hashOf(secret)
  const by = `token ${hash.slice(0, 12)}`
  const [known] = await sql.all<{ id: string; enrolled_by: string }>(
    'SELECT id, enrolled_by FROM edges WHERE tenant = $1 AND public = $2 AND revoked_at IS NULL',
    [tenant, edge.public],
  )
  if (known?.enrolled_by === by) return (await edgeOf(sql, tenant, known.id))!
  const taken = await sql.run(
    'UPDATE enroll_tokens SET uses_left = uses_left - 1 WHERE tenant = $1 AND hash = $2 AND uses_left > 0 AND expires_at > $3',
    [tenant, hash, Date.now()],
  )
  if (taken === 0)
    throw new CrosshookError(
      'refused',
      'This token does not enrol a machine: it was used up, has expired, or never was.',
      {
        fix: 'Ask for a new one: crosshook fleet token.',
      },
    )
  const [row] = await sql.all<{ labels: string }>(
    'SELECT labels FROM enroll_tokens WHERE tenant = $1 AND hash = $2',
    [tenant, hash],
  )
  return enroll(sql, tenant, by, edge, JSON.parse(row!.labels) as Record<string, string>)
}

export async function enroll(
  sql: Sql,
  tenant: string,
  by: string,
  edge: Newcomer,
  labels: Record<string, string>,
  expiresAt: number | null = null,
): Promise<Edge> {
  const id = newId()
  const now = Date.now()
  const added = await sql.run(
    `INSERT INTO edges (tenant, id, name, public, labels, enrolled_at, enrolled_by, expires_at, last_seen, version)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $6, $9) ON CONFLICT DO NOTHING`,
    [tenant, id, edge.name, edge.public, JSON.stringify(labels), now, by, expiresAt, edge.version],
  )
  if (added === 0)
    throw new CrosshookError('exists', 'A machine with this key is enrolled already, or was revoked.', {
      fix: 'Let the machine make a new key: crosshook enroll … --new-key.',
    })
  await audit(sql, tenant, by, 'enrolled', { id, name: edge.name, labels })
  return (await edgeOf(sql, tenant, id))!
}

export async function edgeOf(sql: Sql, tenant: string, id: string): Promise<Edge | undefined> {
  const [row] = await sql.all<EdgeText>(`SELECT ${COLUMNS} FROM edges WHERE tenant = $1 AND id = $2`, [
    tenant,
    id,
  ])
  return row && edgeFrom(row)
}

export async function edgesNamed(
  sql: Sql,
  tenant: string,
  ids: readonly string[],
): Promise<Map<string, Edge>> {
  if (ids.length === 0) return new Map()
  const rows = await sql.all<EdgeText>(
    `SELECT ${COLUMNS} FROM edges WHERE tenant = $1 AND id IN (${ids.map((_, i) => `$${i + 2}`).join(', ')})`,
    [tenant, ...ids],
  )
  return new Map(rows.map((row) => [row.id, edgeFrom(row)]))
}

export interface EdgeFilter {
  limit: number
  /** The id of the last one of the page before. */
  after?: string
  /** Part of the name, the id or a label. */
  text?: string
  state?: EdgeState
}

/** A machine silent for longer is shown as silent. */
export const HEARD_WITHIN_MS = 5 * 60_000

const SOME_BROKEN =
  'EXISTS (SELECT 1 FROM proofs WHERE proofs.tenant = edges.tenant AND proofs.edge = edges.id AND proofs.broken > 0)'
const isCurrent = (now: string) => `revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${now})`

/** Conditions, given how a time is written in them. */
const STATES = {
  current: (now, _heard) => isCurrent(now()),
  trouble: (now, _heard) =>
    `${isCurrent(now())} AND (problem IS NOT NULL OR alarms <> '[]' OR ${SOME_BROKEN})`,
  silent: (now, heard) => `${isCurrent(now())} AND last_seen < ${heard()}`,
  revoked: () => 'revoked_at IS NOT NULL',
} satisfies Record<string, (now: () => string, heard: () => string) => string>
export type EdgeState = keyof typeof STATES
export const EDGE_STATES = Object.keys(STATES) as [EdgeState, ...EdgeState[]]

export async function edgesOf(
  sql: Sql,
  tenant: string,
  { limit, after = '', text, state }: EdgeFilter,
  now = Date.now(),
): Promise<Edge[]> {
  const parameters: Value[] = [tenant, after, limit]
  const place = (value: Value) => `$${parameters.push(value)}`
  const where = ['tenant = $1', 'id > $2']
  if (text) {
    const part = place(`%${text.toLowerCase().replaceAll(/[!%_]/g, '!$&')}%`)
    where.push(
      `(id = ${place(text)} OR lower(name) LIKE ${part} ESCAPE '!' OR lower(labels) LIKE ${part} ESCAPE '!')`,
    )
  }
  if (state !== undefined)
    where.push(
      STATES[state](
        () => place(now),
        () => place(now - HEARD_WITHIN_MS),
      ),
    )
  const rows = await sql.all<EdgeText>(
    `SELECT ${COLUMNS} FROM edges WHERE ${where.join(' AND ')} ORDER BY id LIMIT $3`,
    parameters,
  )
  return rows.map(edgeFrom)
}

function edgeFrom(row: EdgeText): Edge {
  return {
    ...row,
    labels: JSON.parse(row.labels) as Record<string, string>,
    alarms: JSON.parse(row.alarms) as Alarm[],
  }
}

/** By id or name. From the next request on the machine is unknown; every hub closes its stream. */
export async function revoke(sql: Sql, by: Person, edge: string): Promise<string[]> {
  const rows = await sql.all<{ id: string }>(
    'SELECT id FROM edges WHERE tenant = $1 AND (id = $2 OR name = $2) AND revoked_at IS NULL',
    [by.tenant, edge],
  )
  for (const { id } of rows)
    await sql.run('UPDATE edges SET revoked_at = $3 WHERE tenant = $1 AND id = $2', [
      by.tenant,
      id,
      Date.now(),
    ])
  if (rows.length > 0) {
    await audit(sql, by.tenant, by.id, 'revoked', { edge, ids: rows.map(({ id }) => id) })
    await changed(sql, by.tenant, 'edges')
  }
  return rows.map(({ id }) => id)
}

export async function revokedSince(sql: Sql, tenant: string, since: number): Promise<string[]> {
  const rows = await sql.all<{ id: string }>('SELECT id FROM edges WHERE tenant = $1 AND revoked_at >= $2', [
    tenant,
    since,
  ])
  return rows.map(({ id }) => id)
}

export interface Report {
  edge: string
  revision: number
  stage: number
  mode: string
  version: string
  problem: string | null
  /** Undefined: the machine has not checked; its last report stays. */
  alarms?: readonly Alarm[] | undefined
}

/** Of many machines at once. */
export async function markSeen(
  sql: Sql,
  tenant: string,
  ids: readonly string[],
  now = Date.now(),
): Promise<void> {
  if (ids.length === 0) return
  const sorted = [...new Set(ids)].sort()
  await sql.run(
    `UPDATE edges SET last_seen = $2 WHERE tenant = $1 AND id IN (${sorted.map((_, i) => `$${i + 3}`).join(', ')})`,
    [tenant, now, ...sorted],
  )
}

/** A machine's own report. Its reported revision never goes back. */
export async function report(sql: Sql, tenant: string, given: Report): Promise<void> {
  await sql.run(
    `UPDATE edges SET last_seen = $3, stage = $5, mode = $6, version = $7, problem = $8,
       revision = CASE WHEN revision > $4 THEN revision ELSE $4 END
     WHERE tenant = $1 AND id = $2`,
    [tenant, given.edge, Date.now(), given.revision, given.stage, given.mode, given.version, given.problem],
  )
  if (given.alarms)
    await sql.run('UPDATE edges SET alarms = $3 WHERE tenant = $1 AND id = $2', [
      tenant,
      given.edge,
      JSON.stringify(given.alarms),
    ])
}
