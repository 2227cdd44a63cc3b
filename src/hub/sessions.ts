/** People signed in on a hub's page. A session is a sealed cookie, so every hub of the database accepts it. */

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { CSRF_HEADER } from '../host/people.ts'
import type { Database } from './database/port.ts'
import { type Person, personById } from './store/tenants.ts'

const COOKIE = 'crosshook_session'
const LASTS_MS = 12 * 3_600_000

export interface Sessions {
  /** The `Set-Cookie` header of a new session. */
  begin(person: Person): string
  /** The `Set-Cookie` header that removes the cookie. */
  end(): string
  /** The person. A request that changes something must also carry this session's CSRF token. */
  personOf(request: Request): Promise<Person | undefined>
  /** Sent by the page with each change; undefined without a session. */
  csrfOf(request: Request): string | undefined
}

export function createSessions(db: Database, key: Buffer, isSecure: boolean): Sessions {
  const cookie = (value: string, ms: number) =>
    `${COOKIE}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${ms / 1000}${isSecure ? '; Secure' : ''}`
  const csrf = (sealed: string) => macOf(key, 'csrf', sealed)
  return {
    begin: ({ tenant, id }) =>
      cookie(seal(key, 'session', { tenant, id, begun: Date.now() }, LASTS_MS), LASTS_MS),
    end: () => cookie('', 0),
    csrfOf(request) {
      const sealed = cookieIn(request, COOKIE)
      return sealed !== undefined && unseal(key, 'session', sealed) ? csrf(sealed) : undefined
    },
    async personOf(request) {
      const sealed = cookieIn(request, COOKIE) ?? ''
      const session = unseal<{ tenant: string; id: string; begun: number }>(key, 'session', sealed)
      if (!session) return undefined
      if (request.method !== 'GET' && !isEqual(request.headers.get(CSRF_HEADER) ?? '', csrf(sealed)))
        return undefined
      // Looked up each time: somebody who was removed or has signed out is out at once.
      const found = await db.within(session.tenant, (sql) => personById(sql, session.tenant, session.id))
      if (!found || session.begun <= found.signed_out_at) return undefined
      return { tenant: found.tenant, id: found.id, role: found.role }
    },
  }
}

/** One key for all hubs of a database. */
export async function sessionKey(db: Database): Promise<Buffer> {
  return db.shared(async (sql) => {
    await sql.run(
      'INSERT INTO tenants (id, created_at, settings) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
      ['', Date.now(), JSON.stringify({ session_key: randomBytes(32).toString('base64') })],
    )
    const [row] = await sql.all<{ settings: string }>("SELECT settings FROM tenants WHERE id = ''")
    return Buffer.from((JSON.parse(row!.settings) as { session_key: string }).session_key, 'base64')
  })
}

export function cookieIn(request: Request, name: string): string | undefined {
  return new RegExp(`(?:^|;\\s*)${name}=([^;]+)`).exec(request.headers.get('cookie') ?? '')?.[1]
}

export function seal(key: Buffer, purpose: string, value: object, lasts: number): string {
  const text = Buffer.from(JSON.stringify({ ...value, until: Date.now() + lasts })).toString('base64url')
  return `${text}.${macOf(key, purpose, text)}`
}

export function unseal<T>(key: Buffer, purpose: string, sealed: string): T | undefined {
  const [text = '', mac = ''] = sealed.split('.')
  if (!isEqual(mac, macOf(key, purpose, text))) return undefined
  const value = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as T & { until: number }
  return value.until > Date.now() ? value : undefined
}

function isEqual(given: string, right: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(right)]
  return one.length === other.length && timingSafeEqual(one, other)
}

function macOf(key: Buffer, purpose: string, text: string): string {
  return createHmac('sha256', key).update(`${purpose}\0${text}`).digest('base64url')
}
