/** What the hub does with others: CI identities, sign-in, webhooks, a model's provider. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { describe, expect, it, onTestFinished } from 'vitest'
import { newWebhookSecret, signedHeaders, verifySigned } from '../../src/ask/standard-webhooks.ts'
import { openSqlite } from '../../src/hub/database/sqlite.ts'
import { createIdentityEnrolment } from '../../src/hub/identity.ts'
import { createInference } from '../../src/hub/inference.ts'
import { createNotify } from '../../src/hub/notify.ts'
import { personOfSession, sessionKey, signInRoutes } from '../../src/hub/sign-in.ts'
import { addPerson } from '../../src/hub/store/tenants.ts'
import { hubOn, machineAt, personAt, publishWord, temporary, tokenFor } from './fixture.ts'

async function serve(
  answer: (request: IncomingMessage, response: ServerResponse, body: string) => unknown,
): Promise<string> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const said = await answer(request, response, Buffer.concat(chunks).toString())
    if (!response.writableEnded)
      response.setHeader('content-type', 'application/json').end(JSON.stringify(said ?? {}))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A stand-in for an identity provider: keys, tokens, and a code flow that asks nobody. */
async function provider() {
  const { publicKey, privateKey } = await generateKeyPair('RS256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 'k', alg: 'RS256', use: 'sig' }
  const codes = new Map<string, { nonce: string; challenge: string }>()
  const sign = (claims: object, key = privateKey) =>
    new SignJWT({ ...claims } as never)
      .setProtectedHeader({ alg: 'RS256', kid: 'k' })
      .setIssuer(url)
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(key)
  let email = 'ada@example.com'
  const url: string = await serve(async (request, response, body) => {
    const asked = new URL(request.url!, url)
    if (asked.pathname === '/.well-known/openid-configuration')
      return {
        issuer: url,
        jwks_uri: `${url}/keys`,
        authorization_endpoint: `${url}/authorize`,
        token_endpoint: `${url}/token`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
      }
    if (asked.pathname === '/keys') return { keys: [jwk] }
    if (asked.pathname === '/authorize') {
      const code = `code${codes.size}`
      codes.set(code, {
        nonce: asked.searchParams.get('nonce')!,
        challenge: asked.searchParams.get('code_challenge')!,
      })
      const back = new URL(asked.searchParams.get('redirect_uri')!)
      back.searchParams.set('code', code)
      back.searchParams.set('state', asked.searchParams.get('state')!)
      return response.writeHead(302, { location: back.href }).end()
    }
    const { nonce } = codes.get(new URLSearchParams(body).get('code')!)!
    return {
      access_token: 'a',
      token_type: 'bearer',
      id_token: await sign({ sub: 'u1', aud: 'client', nonce, email, email_verified: true }),
    }
  })
  return { url, sign, be: (other: string) => (email = other) }
}

describe('a CI runner', () => {
  it('enrols with the identity of its job, for a day, and not with another or a forged one', async () => {
    const idp = await provider()
    const db = openSqlite(':memory:')
    const hub = await hubOn(db, { enrolByIdentity: createIdentityEnrolment(db) })
    const admin = await personAt(hub, 'a')
    await publishWord(admin, 'terraform')
    await admin.post('/v1/fleet/settings', {
      oidc: [
        { issuer: idp.url, audience: 'crosshook', labels: { kind: 'ci' }, claims: { repository: 'org/app' } },
      ],
    })
    const claims = { sub: 'repo:org/app:main', aud: 'crosshook', repository: 'org/app' }
    const { enrolment } = await machineAt(hub.address, await idp.sign(claims), 'runner')
    expect(enrolment.labels).toEqual({ kind: 'ci', ci: 'repo:org/app:main' })
    const edge = await admin.get<{ expires_at: number }>(`/v1/fleet/edges/${enrolment.id}`)
    expect(edge.expires_at).toBeGreaterThan(Date.now() + 23 * 3_600_000)
    const { privateKey: forged } = await generateKeyPair('RS256')
    for (const token of [
      await idp.sign({ ...claims, repository: 'org/other' }),
      await idp.sign({ ...claims, aud: 'else' }),
      await idp.sign(claims, forged),
      'nonsense',
    ])
      await expect(machineAt(hub.address, token, 'thief')).rejects.toThrow('answers 403')
  })
})

describe('a person', () => {
  it('signs in at the identity provider, acts through the page only, and is out when removed', async () => {
    const idp = await provider()
    const db = openSqlite(':memory:')
    const key = await sessionKey(db)
    let at = ''
    const hub = await hubOn(db, {
      personOfSession: personOfSession(db, key),
      extend: (app) =>
        signInRoutes(app, db, key, {
          issuer: idp.url,
          clientId: 'client',
          clientSecret: 'secret',
          tenant: 'a',
          get publicUrl() {
            return at || 'http://127.0.0.1:1'
          },
        }),
    })
    at = hub.address
    const admin = await personAt(hub, 'a', 'root')
    await db.within('a', (sql) =>
      addPerson(sql, 'setup', { tenant: 'a', id: 'ada', role: 'approver' }, 'ada@example.com'),
    )
    const go = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
      fetch(path.startsWith('http') ? path : `${hub.address}${path}`, {
        method,
        headers,
        redirect: 'manual',
        ...(method === 'POST' ? { body: '{}' } : {}),
      })
    const cookieOf = (response: Response, name: string) =>
      response.headers
        .getSetCookie()
        .map((each) => each.split(';')[0]!)
        .find((each) => each.startsWith(`${name}=`))!
    const signIn = async () => {
      const begun = await go('/sign-in')
      const flow = cookieOf(begun, 'crosshook_sign_in')
      const back = (await go(begun.headers.get('location')!)).headers.get('location')!
      const callback = new URL(back)
      return { flow, callback: `/sign-in/callback${callback.search}` }
    }
    const { flow, callback } = await signIn()
    expect((await go(callback)).status).toBe(400)
    expect((await go(callback.replace(/state=[^&]+/, 'state=x'), { cookie: flow })).status).toBe(401)
    const again = await signIn()
    const session = cookieOf(await go(again.callback, { cookie: again.flow }), 'crosshook_session')
    expect(await (await go('/v1/fleet/me', { cookie: session })).json()).toEqual({
      tenant: 'a',
      id: 'ada',
      role: 'approver',
    })
    // Another site's page has the cookie, but not the header.
    expect((await go('/v1/fleet/asks/x', { cookie: session }, 'POST')).status).toBe(401)
    expect((await go('/v1/fleet/asks/x', { cookie: session, 'x-crosshook-page': '1' }, 'POST')).status).toBe(
      400,
    )
    expect((await go('/v1/fleet/me', { cookie: `${session}x` })).status).toBe(401)
    await admin.remove('/v1/fleet/people/ada')
    expect((await go('/v1/fleet/me', { cookie: session })).status).toBe(401)
    idp.be('eve@example.com')
    const stranger = await signIn()
    expect((await go(stranger.callback, { cookie: stranger.flow })).status).toBe(403)
  })
})

describe('a question', () => {
  it('is told to webhooks, signed, and again when they fail', async () => {
    const secret = newWebhookSecret()
    const got: string[] = []
    const url = await serve((request, response, body) => {
      got.push(body)
      if (got.length === 1) return response.writeHead(500).end()
      verifySigned(secret, { headers: request.headers as never, body } as never)
      return {}
    })
    const db = openSqlite(':memory:')
    const troubles: string[] = []
    const hub = await hubOn(db, { notify: createNotify(db, (said) => troubles.push(said)) })
    const admin = await personAt(hub, 'a')
    await publishWord(admin, 'terraform')
    await admin.post('/v1/fleet/settings', { webhooks: [{ url, secret }] })
    const { client } = await machineAt(hub.address, await tokenFor(admin), 'laptop')
    await client.call(
      'POST',
      '/fleet/asks',
      JSON.stringify({
        id: 'question1',
        input_digest: 'd',
        deadline: Date.now() + 60_000,
        agent: 'a',
        session_id: 's',
        summary: 'rm -rf build',
      }),
    )
    await expect.poll(() => got.length).toBe(2)
    expect(JSON.parse(got[1]!)).toMatchObject({
      type: 'question.asked',
      machine: 'laptop',
      summary: 'rm -rf build',
    })
    expect(troubles).toEqual([])
  })
})

describe("a model's provider", () => {
  it('is told the verdict of the policy; unsigned, old and altered requests are refused', async () => {
    const inference = createInference(temporary())
    const hub = await hubOn(openSqlite(':memory:'), { inference })
    const admin = await personAt(hub, 'a')
    await publishWord(admin, 'terraform')
    const secret = newWebhookSecret()
    const frame = (type: string, content: object[], role = 'user') =>
      JSON.stringify({
        type,
        request_id: 'req_1',
        session_id: 's',
        actor: { type: 'user' },
        source: { application: 'x' },
        messages: [{ role, content }],
        metadata: {},
      })
    const call = (command: string) =>
      frame('tool_call', [{ type: 'tool_use', id: 't', tool_name: 'Shell', input: { command } }], 'assistant')
    const send = async (
      body: string,
      headers: Record<string, string> = signedHeaders(secret, 'req_1', body),
    ) => {
      const response = await fetch(`${hub.address}/v1/inference-hook/a`, { method: 'POST', body, headers })
      return { status: response.status, verdict: (await response.json()) as object }
    }
    expect((await send(call('ls'))).status).toBe(404)
    await admin.post('/v1/fleet/settings', { inference_secret: secret })
    expect(await send(call('ls'))).toEqual({ status: 200, verdict: { action: 'allow' } })
    expect(await send(call('terraform destroy'))).toMatchObject({
      status: 200,
      verdict: {
        action: 'deny',
        deny_reason: expect.stringContaining('No terraform here'),
        reference_id: 'req_1',
      },
    })
    expect(
      await send(
        frame('prompt', [
          { type: 'text', text: 'hello' },
          { type: 'new_kind', what: 1 },
        ]),
      ),
    ).toMatchObject({ verdict: { action: 'allow' } })
    expect(await send(frame('something_new', []))).toEqual({ status: 200, verdict: { action: 'allow' } })
    const body = call('terraform destroy')
    expect((await send(body, {})).status).toBe(401)
    expect((await send(body, signedHeaders(secret, 'req_1', call('ls')))).status).toBe(401)
    expect((await send(body, signedHeaders(secret, 'req_1', body, Date.now() - 400_000))).status).toBe(401)
    expect((await send(body, signedHeaders(newWebhookSecret(), 'req_1', body))).status).toBe(401)
    expect(await admin.get('/v1/fleet/journal')).toMatchObject([
      { edge: 'inference-hook', decision: 'deny', tool: 'Shell', hook: 'no-terraform' },
    ])
  })
})
