/** The page of the hub: its document for every view, its files, and the ways to sign in. */

import { randomBytes } from 'node:crypto'
import type { HttpBindings } from '@hono/node-server'
import type { Context, Hono } from 'hono'
import { type PageFiles, readPageFiles } from '../host/page/built-page.ts'
import { pageHeaders, SAFE_HEADERS } from '../host/page/headers.ts'
import { document, refusedLink } from '../host/page/html.ts'
import { Refusal } from '../host/problem.ts'
import { VERSION } from '../version.ts'
import type { Database } from './database/port.ts'
import type { Sessions } from './sessions.ts'
import { tenantOfLink, useLink } from './store/links.ts'
import { signOut } from './store/tenants.ts'

export interface PageParts {
  db: Database
  sessions: Sessions
  /** People can sign in at an identity provider. */
  hasProvider: boolean
}

const ADVICE = [
  'A link signs in once, and not for long. Run <code>crosshook fleet ui</code> in a terminal for a new one, or ask an admin of your fleet.',
  'If you have not used this link yourself, somebody else has: tell an admin at once.',
]

/** Paths that are not views. */
const OTHERS = /^\/(?:v1|fleet|sign-in|assets|healthz|readyz)(?:\/|$)/

export function pageRoutes(
  app: Hono<{ Bindings: HttpBindings }>,
  { db, sessions, hasProvider }: PageParts,
): void {
  let files: PageFiles | undefined
  const page = () => (files ??= readPageFiles('hub-page'))

  app.get('/v1/page/session', async (c) => {
    const person = await sessions.personOf(c.req.raw)
    if (!person)
      throw new Refusal({ status: 401, code: 'unauthorized', detail: 'Nobody has signed in here.' })
    return c.json({ csrf: sessions.csrfOf(c.req.raw), version: VERSION, person })
  })

  app.post('/v1/page/sign-out', async (c) => {
    const person = await sessions.personOf(c.req.raw)
    if (person) await db.within(person.tenant, (sql) => signOut(sql, person))
    return c.json({}, 200, { 'set-cookie': sessions.end() })
  })

  app.get('/sign-in', async (c, next) => {
    const code = c.req.query('code')
    if (code === undefined && hasProvider) return next()
    const tenant = tenantOfLink(code ?? '')
    // HEAD does not use the link up.
    const person =
      tenant === undefined || c.req.raw.method === 'HEAD'
        ? undefined
        : await db.within(tenant, (sql) => useLink(sql, tenant, code!))
    if (!person) return send(c, 403, (nonce) => refusedLink(page(), nonce, ADVICE))
    return c.body(null, 303, {
      ...SAFE_HEADERS,
      location: '/',
      'set-cookie': sessions.begin(person),
      'cache-control': 'no-store',
    })
  })

  app.get('/assets/:name', (c) => {
    const name = c.req.param('name')
    const file = page().get(name)
    if (!file) throw new Refusal({ status: 404, code: 'not_found', detail: 'There is no such file.' })
    const isZipped = /\bgzip\b/.test(c.req.header('accept-encoding') ?? '')
    return c.body(new Uint8Array(isZipped ? file.gzip : file.bytes), 200, {
      ...SAFE_HEADERS,
      'content-type': file.type,
      vary: 'accept-encoding',
      // File names contain a hash of their contents.
      'cache-control': /-\w{8}\./.test(name) ? 'public, max-age=31536000, immutable' : 'no-cache',
      ...(isZipped ? { 'content-encoding': 'gzip' } : {}),
    })
  })

  app.get('*', (c, next) =>
    OTHERS.test(c.req.path)
      ? next()
      : Promise.resolve(
          send(c, 200, (nonce) =>
            document(page(), nonce, { 'crosshook-sign-in': hasProvider ? 'provider' : 'link' }),
          ),
        ),
  )
}

function send(c: Context, status: 200 | 403, text: (nonce: string) => string): Response {
  const nonce = randomBytes(16).toString('base64')
  return c.body(text(nonce), status, {
    ...pageHeaders(nonce),
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
  })
}
