/** Every route of the hub except the machines' streams. */

import type { HttpBindings } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { claimOf, refuted } from '../../fleet/wire/signed-request.ts'
import { problemHeaders, problemText, Refusal, toProblem } from '../../host/problem.ts'
import { DatabaseDown } from '../database/port.ts'
import type { Hub } from '../hub.ts'
import type { Edge } from '../store/edges.ts'
import { type Person, personByToken, ROLES, type Role } from '../store/tenants.ts'
import { EDGE_ROUTES, type EdgeAnswer, enrol, parse } from './edge-routes.ts'
import { openapi } from './openapi.ts'
import { PERSON_ROUTES } from './person-routes.ts'

const MAX_BYTES = 16 * 1024 * 1024

export function createApp(hub: Hub): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>()
  app.get('/healthz', (c) => c.json({ status: 'ok', streams: hub.streams.count }))
  app.get('/readyz', async (c) => {
    await hub.db.shared((sql) => sql.all('SELECT 1 AS one'))
    return c.json({ status: 'ready' })
  })
  for (const path of hub.providers?.paths ?? [])
    app.post(`/v1/${path}/:tenant`, async (c) => {
      const request = { headers: c.req.raw.headers, body: await bodyOf(c) }
      const answer = await hub.providers!.judge(hub, path, c.req.param('tenant'), request)
      return c.body(answer, 200, { 'content-type': 'application/json' })
    })
  app.post('/fleet/enroll', async (c) => answerWith(c, await enrol(hub, await bodyOf(c))))
  for (const [name, handle] of Object.entries(EDGE_ROUTES)) {
    const [method, path] = name.split(' ') as [string, string]
    app.on(method, path, async (c) => {
      const body = await bodyOf(c)
      const url = new URL(c.req.url)
      const { tenant, edge } = await authenticate(hub, {
        authorization: c.req.header('authorization'),
        method,
        path: `${url.pathname}${url.search}`,
        body,
      })
      return answerWith(c, await handle({ hub, tenant, edge, url, body }))
    })
  }
  for (const { method, path, role, body: schema, handle } of PERSON_ROUTES)
    app.on(method, path.replaceAll(/\{(\w+)\}/g, ':$1'), async (c) => {
      const person = await personOf(hub, c, role)
      const answer = await handle({
        hub,
        person,
        url: new URL(c.req.url),
        body: (schema ? parse(schema, await bodyOf(c)) : undefined) as never,
        names: c.req.param() as Record<string, string>,
      })
      return c.json(answer as object)
    })
  app.get('/v1/openapi.json', (c) => c.json(openapi(PERSON_ROUTES)))
  // For services that ask people: each request authenticates itself.
  app.post('/v1/fleet/answers/:tenant/:channel', async (c) => {
    const { tenant, channel } = c.req.param()
    const request = {
      headers: Object.fromEntries(c.req.raw.headers) as Record<string, string>,
      body: (await bodyOf(c)).toString('utf8'),
    }
    return c.json((await hub.channels.receive(tenant, channel, request)) as object)
  })
  app.notFound(() =>
    problem({ status: 404, code: 'not_found', detail: 'There is no such address on this hub.' }),
  )
  app.onError((error) => problem(problemOf(hub, error)))
  return app
}

export function problemOf(hub: Hub, error: unknown) {
  if (error instanceof DatabaseDown)
    return { status: 503, code: 'database', detail: error.message, fix: 'Try again in a moment.' }
  const found = toProblem(error)
  if (found.status === 500)
    hub.trouble(`a request failed: ${error instanceof Error ? error.stack : String(error)}`)
  return found.code === 'exists' ? { ...found, status: 409 } : found
}

/** The machine, proven by its signature over this request. */
export async function authenticate(
  hub: Hub,
  request: { authorization: string | undefined; method: string; path: string; body: Buffer },
): Promise<{ tenant: string; edge: Edge }> {
  const claim = claimOf(request.authorization)
  if (!claim) throw unauthorized('The request is not signed by a machine.')
  const edge = await hub.edges.find(claim.tenant, claim.edge)
  // Before the signature is verified: machine ids are not secret, so this reveals nothing.
  if (!edge) throw unauthorized('This machine is not enrolled here, or was revoked.')
  const why = refuted(claim, edge.public, request)
  if (why !== undefined) throw unauthorized(`This machine's request is refused: ${why}.`)
  return { tenant: claim.tenant, edge }
}

async function personOf(hub: Hub, c: Context, role: Role): Promise<Person> {
  const [, token = ''] = /^Bearer (\S+)$/.exec(c.req.header('authorization') ?? '') ?? []
  const person = (await personByToken(hub.db, token)) ?? (await hub.personOfSession(c.req.raw))
  if (!person) throw unauthorized('The hub does not know you: give the token of a person, or sign in.')
  if (ROLES.indexOf(person.role) < ROLES.indexOf(role))
    throw new Refusal({
      status: 403,
      code: 'refused',
      detail: `This is for people with the role ${role}; yours is ${person.role}.`,
    })
  return person
}

function unauthorized(detail: string): Refusal {
  return new Refusal({ status: 401, code: 'unauthorized', detail })
}

async function bodyOf(c: Context): Promise<Buffer> {
  if (c.req.method === 'GET') return Buffer.alloc(0)
  const tooLarge = new Refusal({
    status: 413,
    code: 'too_large',
    detail: `A body has at most ${MAX_BYTES} bytes.`,
  })
  if (Number(c.req.header('content-length') ?? 0) > MAX_BYTES) throw tooLarge
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of c.req.raw.body ?? []) {
    size += chunk.length
    if (size > MAX_BYTES) throw tooLarge
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function answerWith(c: Context, { status = 200, headers = {}, body }: EdgeAnswer): Response {
  if (body instanceof Uint8Array) return c.body(body as Uint8Array<ArrayBuffer>, status as 200, headers)
  return c.json(body as object, status as 200, headers)
}

function problem(found: Parameters<typeof problemText>[0]): Response {
  return new Response(problemText(found), { status: found.status, headers: problemHeaders(found) })
}
