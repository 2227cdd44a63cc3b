/** What the hub does with others: CI identities, sign-in, a model's provider. */

import { generateKeyPair } from 'jose'
import { describe, expect, it } from 'vitest'
import { newWebhookSecret, signedHeaders } from '../../src/ask/standard-webhooks.ts'
import { openSqlite } from '../../src/hub/database/sqlite.ts'
import { createIdentityEnrolment } from '../../src/hub/identity.ts'
import { peopleParts } from '../../src/hub/people.ts'
import { createProviders } from '../../src/hub/provider-hooks.ts'
import { addPerson } from '../../src/hub/store/tenants.ts'
import { hubOn, machineAt, personAt, publishWord, temporary } from './fixture.ts'
import { provider } from './services.ts'

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
    const publicUrl = 'http://127.0.0.1:1'
    const parts = await peopleParts(db, {
      publicUrl,
      isSecure: false,
      provider: { issuer: idp.url, clientId: 'client', clientSecret: 'secret', tenant: 'a', publicUrl },
      trouble: () => {},
    })
    const hub = await hubOn(db, parts)
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
    // Another site's page has the cookie, but not the token of the session.
    expect((await go('/v1/fleet/asks/x', { cookie: session }, 'POST')).status).toBe(401)
    expect((await go('/v1/fleet/asks/x', { cookie: session, 'x-crosshook-csrf': '1' }, 'POST')).status).toBe(
      401,
    )
    const { csrf } = (await (await go('/v1/page/session', { cookie: session })).json()) as { csrf: string }
    const own = { cookie: session, 'x-crosshook-csrf': csrf }
    expect((await go('/v1/fleet/asks/x', own, 'POST')).status).toBe(400)
    // Signing out ends the session at every hub, not only in this browser.
    expect((await go('/v1/page/sign-out', own, 'POST')).status).toBe(200)
    expect((await go('/v1/fleet/me', { cookie: session })).status).toBe(401)
    const third = await signIn()
    const later = cookieOf(await go(third.callback, { cookie: third.flow }), 'crosshook_session')
    expect((await go('/v1/fleet/me', { cookie: later })).status).toBe(200)
    expect((await go('/v1/fleet/me', { cookie: `${session}x` })).status).toBe(401)
    await admin.remove('/v1/fleet/people/ada')
    expect((await go('/v1/fleet/me', { cookie: later })).status).toBe(401)
    idp.be('eve@example.com')
    const stranger = await signIn()
    expect((await go(stranger.callback, { cookie: stranger.flow })).status).toBe(403)
  })
})

describe("a model's provider", () => {
  it('is told the verdict of the policy; unsigned, old and altered requests are refused', async () => {
    const providers = await createProviders(temporary())
    const hub = await hubOn(openSqlite(':memory:'), { providers })
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
      frame('tool_call', [{ type: 'tool_use', id: 't', tool_name: 'Bash', input: { command } }], 'assistant')
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
