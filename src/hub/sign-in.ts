/** People sign in at their identity provider (OpenID Connect, code flow with PKCE) and get a session of this hub. */

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Hono } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import * as client from 'openid-client'
import { isLoopback } from '../host/address.ts'
import { Refusal } from '../host/problem.ts'
import type { Database } from './database/port.ts'
import type { Hub } from './hub.ts'
import { type Person, personBySubject } from './store/tenants.ts'

export interface SignInOptions {
  issuer: string
  clientId: string
  clientSecret: string
  /** Where people reach this hub. */
  publicUrl: string
  tenant: string
}

const SESSION = 'crosshook_session'
const FLOW = 'crosshook_sign_in'
const SESSION_MS = 12 * 3_600_000
const FLOW_MS = 10 * 60_000
/** What the page sends with requests that change something: no other site's page can. */
const PAGE_HEADER = 'x-crosshook-page'

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

export function personOfSession(db: Database, key: Buffer): Hub['personOfSession'] {
  return async (request) => {
    const cookie = new RegExp(`(?:^|;\\s*)${SESSION}=([^;]+)`).exec(request.headers.get('cookie') ?? '')?.[1]
    const session =
      cookie === undefined ? undefined : open<{ tenant: string; subject: string }>(key, 'session', cookie)
    if (!session) return undefined
    if (request.method !== 'GET' && request.headers.get(PAGE_HEADER) !== '1') return undefined
    // Looked up each time: somebody who was removed is out at once.
    return db.within(session.tenant, (sql) => personBySubject(sql, session.tenant, session.subject))
  }
}

interface Flow {
  state: string
  nonce: string
  verifier: string
}

// biome-ignore lint/suspicious/noExplicitAny: an application with any bindings
export function signInRoutes(app: Hono<any>, db: Database, key: Buffer, options: SignInOptions): void {
  const { issuer, clientId, clientSecret, publicUrl, tenant } = options
  const isLocal = isLoopback(new URL(issuer).hostname)
  const secure = !isLoopback(new URL(publicUrl).hostname)
  const redirect = `${publicUrl}/sign-in/callback`
  let found: Promise<client.Configuration> | undefined
  const provider = () => {
    found ??= client.discovery(new URL(issuer), clientId, clientSecret, undefined, {
      execute: isLocal ? [client.allowInsecureRequests] : [],
    })
    found.catch(() => {
      found = undefined
    })
    return found
  }
  const cookie = { httpOnly: true, secure, sameSite: 'Lax', path: '/' } as const

  app.get('/sign-in', async (c) => {
    const flow: Flow = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
    }
    setCookie(c, FLOW, seal(key, 'flow', flow, FLOW_MS), { ...cookie, maxAge: FLOW_MS / 1000 })
    const url = client.buildAuthorizationUrl(await provider(), {
      redirect_uri: redirect,
      scope: 'openid email',
      state: flow.state,
      nonce: flow.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(flow.verifier),
      code_challenge_method: 'S256',
    })
    return c.redirect(url.href)
  })

  app.get('/sign-in/callback', async (c) => {
    const flow = open<Flow>(key, 'flow', getCookie(c, FLOW) ?? '')
    if (!flow)
      throw new Refusal({
        status: 400,
        code: 'refused',
        detail: 'This sign-in was begun elsewhere, or too long ago.',
      })
    const url = new URL(redirect)
    url.search = new URL(c.req.url).search
    let claims: client.IDToken | undefined
    try {
      const tokens = await client.authorizationCodeGrant(await provider(), url, {
        pkceCodeVerifier: flow.verifier,
        expectedState: flow.state,
        expectedNonce: flow.nonce,
        idTokenExpected: true,
      })
      claims = tokens.claims()
    } catch (error) {
      throw new Refusal({
        status: 401,
        code: 'unauthorized',
        detail: `The identity provider did not confirm it: ${(error as Error).message}`,
      })
    }
    const subjects = [
      `${claims!.iss}|${claims!.sub}`,
      ...(claims!.email_verified === true ? [String(claims!.email)] : []),
    ]
    const person = await firstPerson(db, tenant, subjects)
    if (!person)
      throw new Refusal({
        status: 403,
        code: 'refused',
        detail: `Nobody of ${tenant} has the identity ${subjects.at(-1)}.`,
      })
    setCookie(c, SESSION, seal(key, 'session', { tenant, subject: person.subject }, SESSION_MS), {
      ...cookie,
      maxAge: SESSION_MS / 1000,
    })
    setCookie(c, FLOW, '', { ...cookie, maxAge: 0 })
    return c.redirect('/')
  })

  app.post('/sign-out', (c) => {
    setCookie(c, SESSION, '', { ...cookie, maxAge: 0 })
    return c.json({})
  })
}

async function firstPerson(
  db: Database,
  tenant: string,
  subjects: readonly string[],
): Promise<(Person & { subject: string }) | undefined> {
  return db.within(tenant, async (sql) => {
    for (const subject of subjects) {
      const person = await personBySubject(sql, tenant, subject)
      if (person) return { ...person, subject }
    }
    return undefined
  })
}

function seal(key: Buffer, purpose: string, value: object, lasts: number): string {
  const text = Buffer.from(JSON.stringify({ ...value, until: Date.now() + lasts })).toString('base64url')
  return `${text}.${macOf(key, purpose, text)}`
}

function open<T>(key: Buffer, purpose: string, sealed: string): T | undefined {
  const [text = '', mac = ''] = sealed.split('.')
  const right = Buffer.from(macOf(key, purpose, text))
  const given = Buffer.from(mac)
  if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined
  const value = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as T & { until: number }
  return value.until > Date.now() ? value : undefined
}

function macOf(key: Buffer, purpose: string, text: string): string {
  return createHmac('sha256', key).update(`${purpose}\0${text}`).digest('base64url')
}
