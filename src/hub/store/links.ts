/** Links that sign a person in on the page, once, at any hub. */

import { CrosshookError } from '../../spec/errors.ts'
import type { Sql } from '../database/port.ts'
import { audit } from './audit.ts'
import { hashOf, newSecret } from './hashed-secrets.ts'
import { type Person, personById } from './tenants.ts'

const CODE = /^chl\.([\w.-]{1,64})\.([\w-]{32})$/
/** One's own is used at once; one for somebody else has to reach them. */
const OWN_LIFE = 2 * 60_000
const OTHER_LIFE = 24 * 3_600_000

export async function makeLink(
  sql: Sql,
  by: Person,
  person: string,
): Promise<{ code: string; ends: number }> {
  const { tenant } = by
  if (!(await personById(sql, tenant, person)))
    throw new CrosshookError('not_found', `There is no person ${person}.`)
  const secret = newSecret()
  const ends = Date.now() + (person === by.id ? OWN_LIFE : OTHER_LIFE)
  await sql.run('DELETE FROM links WHERE tenant = $1 AND expires_at < $2', [tenant, Date.now()])
  await sql.run('INSERT INTO links (tenant, hash, person, expires_at) VALUES ($1, $2, $3, $4)', [
    tenant,
    hashOf(secret),
    person,
    ends,
  ])
  await audit(sql, tenant, by.id, 'sign-in link made', { person })
  return { code: `chl.${tenant}.${secret}`, ends }
}

export function tenantOfLink(code: string): string | undefined {
  return CODE.exec(code)?.[1]
}

/** Of two people with the same link, one gets in. */
export async function useLink(sql: Sql, tenant: string, code: string): Promise<Person | undefined> {
  const secret = CODE.exec(code)?.[2] ?? ''
  const [row] = await sql.all<{ person: string; expires_at: number }>(
    'DELETE FROM links WHERE tenant = $1 AND hash = $2 RETURNING person, expires_at',
    [tenant, hashOf(secret)],
  )
  if (!row || row.expires_at < Date.now()) return undefined
  const person = await personById(sql, tenant, row.person)
  if (!person) return undefined
  await audit(sql, tenant, person.id, 'signed in', { by: 'link' })
  return { tenant, id: person.id, role: person.role }
}
