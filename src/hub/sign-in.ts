/** People sign in at their identity provider (OpenID Connect, code flow with PKCE) and get a session of this hub. */

import type { HttpBindings } from '@hono/node-server'
import type { Hono } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import * as client from 'openid-client'
import { isLoopback } from '../host/address.ts'
import { Refusal } from '../host/problem.ts'
import type { Database } from './database/port.ts'
import { type Sessions, seal, unseal } from './sessions.ts'
import { audit } from './store/audit.ts'
import { type Person, personBySubject } from './store/tenants.ts'

export interface SignInOptions {
  issuer: string
  clientId: string
  clientSecret: string
  /** Where people reach this hub. */
  publicUrl: string
  tenant: string
}

const FLOW = 'crosshook_sign_in'
const FLOW_MS = 10 * 60_000

interface Flow {
  state: string
  nonce: string
  verifier: string
}

export function signInRoutes(
  app: Hono<{ Bindings: HttpBindings }>,
  parts: { db: Database; key: Buffer; sessions: Sessions },
  options: SignInOptions,
): void {
  const { db, key, sessions } = parts
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
    const flow = unseal<Flow>(key, 'flow', getCookie(c, FLOW) ?? '')
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
    setCookie(c, FLOW, '', { ...cookie, maxAge: 0 })
    c.header('set-cookie', sessions.begin(person), { append: true })
    return c.redirect('/')
  })
}

async function firstPerson(
  db: Database,
  tenant: string,
  subjects: readonly string[],
): Promise<Person | undefined> {
  return db.within(tenant, async (sql) => {
    for (const subject of subjects) {
      const person = await personBySubject(sql, tenant, subject)
      if (!person) continue
      await audit(sql, tenant, person.id, 'signed in', { by: 'identity provider' })
      return person
    }
    return undefined
  })
}
