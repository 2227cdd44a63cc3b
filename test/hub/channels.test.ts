/** People who are asked by the hub itself, and answer from elsewhere: webhook, Slack and ntfy, on two hubs. */

import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Question } from '../../src/ask/question.ts'
import { newWebhookSecret, signedHeaders, verifySigned } from '../../src/ask/standard-webhooks.ts'
import { createAdmin } from '../../src/fleet/admin.ts'
import { openPostgres } from '../../src/hub/database/postgres.ts'
import { peopleParts } from '../../src/hub/people.ts'
import { addPerson, type Role } from '../../src/hub/store/tenants.ts'
import { hubOn, machineAt, personAt, publishWord, tokenFor } from './fixture.ts'
import { type Cluster, freshDatabase, startPostgres } from './postgres.ts'
import { serve } from './services.ts'

let cluster: Cluster
beforeAll(async () => {
  cluster = await startPostgres()
})
afterAll(() => cluster?.stop())

let n = 0

/** Two hubs on one database, a machine that asks at the first, and people. */
async function start() {
  const url = await freshDatabase(cluster, `channels${++n}`)
  const troubles: string[] = []
  const hub = async () => {
    const db = await openPostgres(url, { trouble: () => {}, connections: 4 })
    const trouble = (said: string) => troubles.push(said)
    const publicUrl = 'http://hub.example'
    return hubOn(db, await peopleParts(db, { publicUrl, isSecure: false, provider: undefined, trouble }))
  }
  const [one, two] = [await hub(), await hub()]
  const admin = await personAt(one, 'a')
  const person = async (id: string, role: Role) => {
    const token = await one.hub.db.within('a', (sql) => addPerson(sql, 'setup', { tenant: 'a', id, role }))
    return createAdmin({ url: two.address, token })
  }
  await publishWord(admin, 'terraform')
  const machine = await machineAt(one.address, await tokenFor(admin), 'laptop')
  const { desk } = machine.options()
  machine.start({ desk })
  const ask = (more: Partial<Question> = {}): Question => {
    const question: Question = {
      id: `question${++n}`,
      at: new Date().toISOString(),
      deadline: new Date(Date.now() + 60_000).toISOString(),
      agent: 'a',
      agent_title: 'Agent A',
      session_id: 's',
      work_dir: '/w',
      project: '/w',
      event: 'before_tool',
      tool_name: 'Shell',
      summary: 'rm -rf <build>',
      input: { command: 'rm -rf <build>' },
      acts: [],
      digest: 'd1',
      scripts: [],
      why: 'it deletes',
      hooks: ['guard'],
      approvers: [],
      approvals: 1,
      run_up: [],
      via: ['hub'],
      waiter: process.pid,
      ...more,
    }
    desk.questions.put(question)
    return question
  }
  const answerTo = (question: Question) => desk.questions.wait(question.id, Date.now() + 20_000)
  /** Something comes from elsewhere, to the hub that the machine did not ask. */
  const post = (channel: string, body: string, headers: Record<string, string> = {}, tenant = 'a') =>
    fetch(`${two.address}/v1/fleet/answers/${tenant}/${channel}`, { method: 'POST', body, headers })
  return { admin, person, machine, ask, answerTo, post, troubles, desk }
}

/** Messages that a service got. */
async function service() {
  const got: { headers: Record<string, string>; body: string }[] = []
  const url = await serve((request, response, body) => {
    got.push({ headers: request.headers as Record<string, string>, body })
    if (got.length === 1) return response.writeHead(500).end()
    return {}
  })
  return { url, got }
}

describe('a webhook', () => {
  it('is told, signed and again when it fails; its signed answer at another hub reaches the machine', async () => {
    const { admin, ask, answerTo, post, troubles } = await start()
    const secret = newWebhookSecret()
    const { url, got } = await service()
    await admin.post('/v1/fleet/settings', { channels: { webhook: { url, secret } } })
    const question = ask()
    await expect.poll(() => got.length).toBe(2)
    verifySigned(secret, got[1] as never)
    const { type, data } = JSON.parse(got[1]!.body) as {
      type: string
      data: Question & { answer_url: string }
    }
    expect({ type, ...data }).toMatchObject({
      type: 'approval.asked',
      agent_title: 'Agent A on laptop',
      summary: 'rm -rf <build>',
      digest: 'd1',
      answer_url: 'http://hub.example/v1/fleet/answers/a/webhook',
    })
    const said = (more: object = {}) =>
      JSON.stringify({ data: { id: data.id, decision: 'allow', digest: 'd1', words: 'only build', ...more } })
    // Unsigned, signed with another secret, too old, for another input, for another tenant.
    expect((await post('webhook', said())).status).toBe(403)
    expect((await post('webhook', said(), signedHeaders(newWebhookSecret(), 'm1', said()))).status).toBe(403)
    const old = signedHeaders(secret, 'm1', said(), Date.now() - 600_000)
    expect((await post('webhook', said(), old)).status).toBe(403)
    const other = said({ digest: 'd2' })
    expect((await post('webhook', other, signedHeaders(secret, 'm1', other))).status).toBe(403)
    expect((await post('webhook', said(), signedHeaders(secret, 'm1', said()), 'b')).status).toBe(404)
    expect((await post('webhook', said(), signedHeaders(secret, 'm1', said()))).status).toBe(200)
    expect(await answerTo(question)).toMatchObject({
      decision: 'allow',
      by: 'webhook',
      via: 'hub',
      words: 'only build',
    })
    // The same request again answers nothing: it has been.
    expect((await post('webhook', said(), signedHeaders(secret, 'm1', said()))).status).toBe(409)
    await expect.poll(() => got.length).toBe(3)
    expect(JSON.parse(got[2]!.body)).toMatchObject({
      type: 'approval.answered',
      data: { decision: 'allow', by: 'webhook' },
    })
    expect(troubles).toEqual([])
  })

  it('may not stand for a person where two are needed, or where approvers are named', async () => {
    const { admin, person, ask, answerTo, post } = await start()
    const secret = newWebhookSecret()
    const { url, got } = await service()
    await admin.post('/v1/fleet/settings', { channels: { webhook: { url, secret } } })
    const question = ask({ approvals: 2 })
    await expect.poll(() => got.length).toBe(2)
    const { id } = (JSON.parse(got[1]!.body) as { data: { id: string } }).data
    const said = JSON.stringify({ data: { id, decision: 'allow', digest: 'd1' } })
    expect((await post('webhook', said, signedHeaders(secret, 'm', said))).status).toBe(403)
    const ben = await person('ben', 'approver')
    expect(await admin.post(`/v1/fleet/asks/${id}`, { decision: 'allow', scope: 'once' })).toMatchObject({
      state: 'open',
      missing: 1,
    })
    await expect(admin.post(`/v1/fleet/asks/${id}`, { decision: 'allow' })).rejects.toThrow(
      'said yes already',
    )
    // What both have said: ben alone cannot widen it.
    await ben.post(`/v1/fleet/asks/${id}`, { decision: 'allow', scope: 'project' })
    const answer = await answerTo(question)
    expect(answer).toMatchObject({ decision: 'allow', via: 'hub', scope: 'once' })
    expect(answer!.votes!.map(({ by }) => by).sort()).toEqual(['ada', 'ben'])
  })
})

describe('Slack', () => {
  it('has buttons that answer as the person whose member pressed them, and only when Slack signed it', async () => {
    const { admin, person, ask, answerTo, post } = await start()
    await person('ben', 'approver')
    await person('eve', 'viewer')
    const secret = 'a signing secret of slack'
    const { url, got } = await service()
    const people = { U1: 'ben', U2: 'eve' }
    await admin.post('/v1/fleet/settings', { channels: { slack: { url, secret, people } } })
    const question = ask({ approvers: ['ben'], agent_title: '<!channel>' })
    await expect.poll(() => got.length).toBe(2)
    const message = JSON.parse(got[1]!.body) as {
      text: string
      blocks: { elements?: { action_id: string; value: string }[] }[]
    }
    // What a machine says must not become a mention.
    expect(message.text).toBe('&lt;!channel&gt; on laptop asks: rm -rf &lt;build&gt;')
    const allow = message.blocks[1]!.elements!.find(({ action_id }) => action_id === 'allow')!.value
    const press = (value: string, user: string, key = secret, at = Date.now()) => {
      const body = new URLSearchParams({
        payload: JSON.stringify({ user: { id: user }, actions: [{ value }] }),
      }).toString()
      const time = String(Math.floor(at / 1000))
      const mac = createHmac('sha256', key).update(`v0:${time}:${body}`).digest('hex')
      return post('slack', body, { 'x-slack-request-timestamp': time, 'x-slack-signature': `v0=${mac}` })
    }
    expect((await press(allow, 'U1', 'another secret')).status).toBe(403)
    expect((await press(allow, 'U1', secret, Date.now() - 600_000)).status).toBe(403)
    expect((await press(`${allow}0`, 'U1')).status).toBe(403)
    // A viewer, and somebody whom nobody knows.
    expect((await press(allow, 'U2')).status).toBe(403)
    expect((await press(allow, 'U3')).status).toBe(403)
    const answered = await press(allow, 'U1')
    expect([answered.status, await answered.json()]).toMatchObject([200, { replace_original: true }])
    expect(await answerTo(question)).toMatchObject({ decision: 'allow', by: 'ben', via: 'hub' })
    // Where nobody is named, a viewer of the fleet still may not; a member whom it does not know answers without a name.
    const open = ask()
    await expect.poll(() => got.some(({ body }) => body.includes(open.id))).toBe(true)
    const latest = got.find(({ body }) => body.includes(open.id))!.body
    const deny = /"value":"([^"]*\.deny\.[^"]*)"/.exec(latest)![1]!
    expect((await press(deny, 'U2')).status).toBe(403)
    expect((await press(deny, 'U3')).status).toBe(200)
    expect(await answerTo(open)).toMatchObject({ decision: 'deny', by: 'slack:U3' })
  })
})

describe('ntfy', () => {
  it('shows a message with buttons; a press on a phone reaches the machine', async () => {
    const { admin, ask, answerTo, troubles } = await start()
    const published: { topic: string; actions: { label: string; url: string; body: string }[] }[] = []
    const listeners: ((line: string) => void)[] = []
    const server: string = await serve((request, response, body) => {
      if (request.url!.startsWith('/approvals-answers/json')) {
        response.writeHead(200)
        response.flushHeaders()
        listeners.push((line) => void response.write(`${line}\n`))
        return new Promise((done) => request.once('close', done))
      }
      if (request.url === '/approvals-answers')
        for (const tell of listeners) tell(JSON.stringify({ id: 'x', event: 'message', message: body }))
      else published.push(JSON.parse(body) as (typeof published)[0])
      return {}
    })
    await admin.post('/v1/fleet/settings', { channels: { ntfy: { url: `${server}/approvals` } } })
    const question = ask()
    await expect.poll(() => published.length).toBe(1)
    await expect.poll(() => listeners.length).toBe(1)
    const deny = published[0]!.actions.find(({ label }) => label === 'Deny')!
    await fetch(deny.url, { method: 'POST', body: deny.body.replace('.deny.', '.allow.') })
    await expect.poll(() => troubles.join()).toContain('does not count')
    await fetch(deny.url, { method: 'POST', body: deny.body })
    expect(await answerTo(question)).toMatchObject({ decision: 'deny', by: 'ntfy', via: 'hub' })
    onTestFinished(() => {
      for (const tell of listeners) tell('')
    })
  })
})

describe('a machine in bad hands', () => {
  it('rings twenty times a minute at most, and cannot break what people see', async () => {
    const { admin, machine, troubles } = await start()
    const { url, got } = await service()
    await admin.post('/v1/fleet/settings', { channels: { webhook: { url, secret: newWebhookSecret() } } })
    const asked = (id: number, more: object = {}) =>
      machine.client.call(
        'POST',
        '/fleet/asks',
        JSON.stringify({
          ...{ id: `hostile-${id}`, input_digest: 'd', deadline: Date.now() + 60_000, agent: 'a' },
          ...{ session_id: 's', summary: 'x', ...more },
        }),
      )
    await expect(asked(0, { acts: [{ does: {} }] })).rejects.toThrow('400')
    await expect(asked(0, { acts: ['delete'] })).rejects.toThrow('400')
    await expect(asked(0, { approvals: 0 })).rejects.toThrow('400')
    for (let i = 1; i <= 25; i++) await asked(i)
    await expect.poll(() => troubles.filter((said) => said.includes('asks too much')).length).toBe(5)
    // The first was answered with 500, and sent again.
    await expect.poll(() => got.length).toBe(21)
    expect(await admin.get<unknown[]>('/v1/fleet/asks')).toHaveLength(25)
  })
})

describe('settings of channels', () => {
  it('show no secret, are taken away one by one, and lead to no other machine in clear', async () => {
    const { admin } = await start()
    const secret = newWebhookSecret()
    await admin.post('/v1/fleet/settings', {
      channels: {
        webhook: { url: 'https://one.example/hook/secret-path', secret },
        ntfy: { url: 'https://ntfy.example/topic', token: 'tk_secret' },
      },
    })
    const shown = await admin.get<{ channels: object }>('/v1/fleet/settings')
    expect(shown.channels).toEqual({ webhook: { host: 'one.example' }, ntfy: { host: 'ntfy.example' } })
    expect(JSON.stringify(shown)).not.toMatch(/secret|whsec/)
    await admin.post('/v1/fleet/settings', { channels: { ntfy: null } })
    expect((await admin.get<{ channels: object }>('/v1/fleet/settings')).channels).toEqual({
      webhook: { host: 'one.example' },
    })
    await expect(
      admin.post('/v1/fleet/settings', { channels: { webhook: { url: 'http://one.example/', secret } } }),
    ).rejects.toThrow('must be https')
  })
})
