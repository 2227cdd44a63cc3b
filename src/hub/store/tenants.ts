/** Organisations that share a hub, their people, and the keys that may sign their policy. */

import type { Trusted } from '../../fleet/wire/policy-manifest.ts'
import type { PublicKey } from '../../sign/keys.ts'
import { CrosshookError } from '../../spec/errors.ts'
import type { Database, Sql } from '../database/port.ts'
import { audit } from './audit.ts'
import { hashOf, newSecret } from './hashed-secrets.ts'

/** What a person may do: each role may also do what the ones before may. */
export const ROLES = ['viewer', 'approver', 'admin'] as const
export type Role = (typeof ROLES)[number]

export interface Person {
  tenant: string
  id: string
  role: Role
}

export interface TenantSettings {
  /** How many keys must sign a policy. */
  threshold?: number
  /** Days that journal rows and batches are kept. */
  retention_days?: number
  /** Channels that the hub itself uses: see hub/channels.ts. */
  channels?: ChannelSettings
  /** Whose tokens enrol CI runners. */
  oidc?: {
    issuer: string
    audience: string
    labels: Record<string, string>
    claims: Record<string, string>
  }[]
  /** Secret of Standard Webhooks with which inference hooks are signed. */
  inference_secret?: string
}

export interface ChannelSettings {
  webhook?: { url: string; secret: string }
  slack?: {
    url: string
    /** The signing secret of the app. */
    secret: string
    /** Slack member ids, and which people of the fleet they are. */
    people?: Record<string, string>
  }
  ntfy?: { url: string; answers?: string; token?: string }
}

export async function ensureTenant(db: Database, tenant: string): Promise<void> {
  await db.shared(async (sql) => {
    await sql.run('INSERT INTO tenants (id, created_at) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
      tenant,
      Date.now(),
    ])
    await sql.run(
      'INSERT INTO pulse (tenant, policy, asks, edges) VALUES ($1, 0, 0, 0) ON CONFLICT DO NOTHING',
      [tenant],
    )
  })
}

export interface Pulse {
  tenant: string
  policy: number
  asks: number
  edges: number
}

export function readPulse(db: Database): Promise<Pulse[]> {
  return db.peek<Pulse>('SELECT tenant, policy, asks, edges FROM pulse')
}

/** Informs every hub, by a hint now and by the counter at its next poll. */
export async function changed(sql: Sql, tenant: string, what: 'policy' | 'asks' | 'edges'): Promise<void> {
  await sql.run(`UPDATE pulse SET ${what} = ${what} + 1 WHERE tenant = $1`, [tenant])
  await sql.hint()
}

export async function tenantSettings(sql: Sql, tenant: string): Promise<TenantSettings> {
  const [row] = await sql.all<{ settings: string }>('SELECT settings FROM tenants WHERE id = $1', [tenant])
  return row ? (JSON.parse(row.settings) as TenantSettings) : {}
}

/** A channel that is null is removed. */
export type SettingsChange = Omit<TenantSettings, 'channels'> & {
  channels?: { [name in keyof ChannelSettings]?: ChannelSettings[name] | null }
}

export async function changeSettings(sql: Sql, by: Person, change: SettingsChange): Promise<TenantSettings> {
  const before = await tenantSettings(sql, by.tenant)
  const channels = Object.entries({ ...before.channels, ...change.channels }).filter(([, to]) => to !== null)
  const settings = { ...before, ...change, channels: Object.fromEntries(channels) as ChannelSettings }
  await sql.run('UPDATE tenants SET settings = $2 WHERE id = $1', [by.tenant, JSON.stringify(settings)])
  await audit(sql, by.tenant, by.id, 'settings', { names: Object.keys(change) })
  return settings
}

const PERSON_TOKEN = /^chp\.([\w.-]{1,64})\.([\w-]{32})$/

/** The token is shown once; the hub keeps its hash. */
export async function addPerson(
  sql: Sql,
  by: string,
  { tenant, id, role }: Person,
  subject: string | null = null,
): Promise<string> {
  const secret = newSecret()
  const same = subject === null ? undefined : await personBySubject(sql, tenant, subject)
  if (same) throw new CrosshookError('exists', `The identity ${subject} is that of ${same.id} already.`)
  const added = await sql.run(
    'INSERT INTO people (tenant, id, role, token_hash, subject, created_at) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING',
    [tenant, id, role, hashOf(secret), subject, Date.now()],
  )
  if (added === 0) throw new CrosshookError('exists', `There is a person ${id} already.`)
  await audit(sql, tenant, by, 'person added', { id, role })
  return `chp.${tenant}.${secret}`
}

export async function personByToken(db: Database, token: string): Promise<Person | undefined> {
  const [, tenant, secret] = PERSON_TOKEN.exec(token) ?? []
  if (!tenant || !secret) return undefined
  return db.within(tenant, async (sql) => {
    const [row] = await sql.all<{ id: string; role: Role }>(
      'SELECT id, role FROM people WHERE tenant = $1 AND token_hash = $2 AND revoked_at IS NULL',
      [tenant, hashOf(secret)],
    )
    return row && { tenant, ...row }
  })
}

export async function personById(
  sql: Sql,
  tenant: string,
  id: string,
): Promise<(Person & { signed_out_at: number }) | undefined> {
  const [row] = await sql.all<{ id: string; role: Role; signed_out_at: number }>(
    'SELECT id, role, signed_out_at FROM people WHERE tenant = $1 AND id = $2 AND revoked_at IS NULL',
    [tenant, id],
  )
  return row && { tenant, ...row }
}

/** May somebody of this role answer questions? */
export function mayApprove(person: Pick<Person, 'role'> | undefined): boolean {
  return person !== undefined && ROLES.indexOf(person.role) >= ROLES.indexOf('approver')
}

/** Ends every session that began before now. */
export async function signOut(sql: Sql, { tenant, id }: Person): Promise<void> {
  await sql.run('UPDATE people SET signed_out_at = $3 WHERE tenant = $1 AND id = $2', [
    tenant,
    id,
    Date.now(),
  ])
}

export async function personBySubject(
  sql: Sql,
  tenant: string,
  subject: string,
): Promise<Person | undefined> {
  const [row] = await sql.all<{ id: string; role: Role }>(
    'SELECT id, role FROM people WHERE tenant = $1 AND subject = $2 AND revoked_at IS NULL',
    [tenant, subject],
  )
  return row && { tenant, ...row }
}

export async function people(sql: Sql, tenant: string) {
  return sql.all<{
    id: string
    role: Role
    subject: string | null
    created_at: number
    revoked_at: number | null
  }>('SELECT id, role, subject, created_at, revoked_at FROM people WHERE tenant = $1 ORDER BY id', [tenant])
}

export async function removePerson(sql: Sql, by: Person, id: string): Promise<boolean> {
  const removed = await sql.run(
    'UPDATE people SET revoked_at = $3, token_hash = NULL WHERE tenant = $1 AND id = $2 AND revoked_at IS NULL',
    [by.tenant, id, Date.now()],
  )
  if (removed > 0) await audit(sql, by.tenant, by.id, 'person removed', { id })
  return removed > 0
}

/** Whose signatures count for the next revision: those named by the newest one, or the initial ones. */
export async function trustedKeys(sql: Sql, tenant: string): Promise<Trusted> {
  const rows = await sql.all<{ public: PublicKey }>(
    'SELECT public FROM keys WHERE tenant = $1 ORDER BY public',
    [tenant],
  )
  const { threshold = 1 } = await tenantSettings(sql, tenant)
  return { keys: rows.map((row) => row.public), threshold }
}

/** Only while there is no policy: later keys come with a signed revision. */
export async function setKeys(
  sql: Sql,
  tenant: string,
  who: string,
  { keys, threshold }: Trusted,
): Promise<void> {
  const before = await trustedKeys(sql, tenant)
  if (before.threshold === threshold && `${before.keys}` === `${[...keys].sort()}`) return
  await sql.run('DELETE FROM keys WHERE tenant = $1', [tenant])
  await sql.insertMany(
    'keys',
    { tenant: 'text', public: 'text', added_by: 'text', added_at: 'bigint' },
    keys.map((key) => [tenant, key, who, Date.now()]),
  )
  const settings = { ...(await tenantSettings(sql, tenant)), threshold }
  await sql.run('UPDATE tenants SET settings = $2 WHERE id = $1', [tenant, JSON.stringify(settings)])
  await audit(sql, tenant, who, 'keys', { keys, threshold })
}
