import { spawn } from 'node:child_process'
import { createHash, createHmac, createSign, generateKeyPairSync } from 'node:crypto'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { button } from '../ask/button.ts'
import { secretsIn, writeSecret } from '../ask/channel-secrets.ts'
import { passkeyChallenge } from '../ask/passkeys.ts'
import type { Question } from '../ask/question.ts'
import { signedText } from '../ask/signed-answer.ts'
import { newWebhookSecret, signedHeaders, verifySigned } from '../ask/standard-webhooks.ts'
import { createKey } from '../sign/key-files.ts'
import { newKey, publicBytes, publicKeyObject } from '../sign/keys.ts'
import { sign } from '../sign/signature.ts'
import { CSRF_HEADER } from './people.ts'
import { type Place, place, type Running, runningDaemon } from './testing.ts'

const RELAY = join(import.meta.dirname, '../../dist/relay/crosshook-relay')
const SECRET = newWebhookSecret()
const SLACK_SECRET = 'a signing secret of Slack'
const alice = newKey()
const mallory = newKey()

interface Sent {
  url: string
  headers: IncomingMessage['headers']
  body: string
}

/** Something that channels post to. */
async function receiver(): Promise<{ url: string; sent: Sent[]; next(): Promise<Sent> }> {
  const sent: Sent[] = []
  const waiting: ((one: Sent) => void)[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const one = { url: request.url!, headers: request.headers, body }
    sent.push(one)
    response.end()
    waiting.shift()?.(one)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  onTestFinished(() => void server.close())
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    next: () => new Promise((resolve) => waiting.push(resolve)),
  }
}

function guarded(approvals: string, hook: Record<string, unknown> = {}): Place {
  const where = place()
  const head = {
    name: 'asks',
    description: 'x',
    trigger: 'before_tool',
    matcher: { command: 'deploy' },
    outcome: { decision: 'ask', reason: 'deploying needs a yes' },
    ...hook,
  }
  where.configure('agents/hooks/asks/HOOK.md', `---\n${JSON.stringify(head)}\n---\n`)
  where.configure('crosshook/config.toml', `[approvals]\n${approvals}\n`)
  return where
}

/** An agent's call over HTTP, and the question that it makes. */
async function asking(
  { ask, daemon }: Running,
  command = './deploy.sh',
  session = 's1',
): Promise<{ question: Question; decision: Promise<string> }> {
  const answered = ask('POST', '/v1/agents/codex/PreToolUse', {
    session_id: session,
    cwd: '/',
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command },
  })
  const question = await questionOf({ daemon }, command)
  const decision = answered.then(({ body }) => {
    const said = body.hookSpecificOutput as { permissionDecision?: string } | undefined
    return said?.permissionDecision ?? 'allow'
  })
  return { question, decision }
}

async function questionOf({ daemon }: Pick<Running, 'daemon'>, command: string): Promise<Question> {
  const { desk } = await daemon.core.frontDesk.get()
  return new Promise<Question>((resolve) => {
    const look = () => {
      const found = desk.questions.open().find(({ summary }) => summary.endsWith(command))
      if (!found) return
      stop()
      resolve(found)
    }
    const stop = desk.questions.follow(look)
    look()
  })
}

const open = (running: Running, id: string) =>
  running.daemon.core.frontDesk.get().then(({ desk }) => desk.questions.answerOf(id) === undefined)

async function send(running: Running, path: string, body: string, headers: Record<string, string>) {
  const response = await fetch(`${running.daemon.status.http}${path}`, { method: 'POST', body, headers })
  return { status: response.status, text: await response.text() }
}

describe('the webhook', () => {
  async function withWebhook() {
    const to = await receiver()
    const where = guarded(
      `via = ["webhook"]\nwait = 30\nwebhook = { url = "${to.url}/hook" }\npublic_url = "http://approvals.example"`,
    )
    const running = await runningDaemon({ at: where })
    writeSecret(running.daemon.core.runtime.paths.state, 'webhook', SECRET)
    const arrived = to.next()
    const asked = await asking(running)
    const told = await arrived
    const reply = (
      data: object,
      change: (headers: Record<string, string>) => void = () => {},
      secret = SECRET,
    ) => {
      const body = JSON.stringify({ type: 'approval.answer', data })
      const headers = { 'content-type': 'application/json', ...signedHeaders(secret, 'msg_1', body) }
      change(headers)
      return send(running, '/v1/approvals/answers/webhook', body, headers)
    }
    const { id, digest } = asked.question
    return { ...asked, running, to, told, reply, yes: { id, digest, decision: 'allow' } }
  }

  it('is told of the question, signed, and its signed answer counts; it is told the end', async () => {
    const { told, question, reply, yes, decision, to } = await withWebhook()
    verifySigned(SECRET, { headers: told.headers as never, body: told.body })
    expect(JSON.parse(told.body)).toMatchObject({
      type: 'approval.asked',
      data: { id: question.id, answer_url: 'http://approvals.example/v1/approvals/answers/webhook' },
    })
    const over = to.next()
    expect((await reply({ ...yes, words: 'fine' })).status).toBe(200)
    expect(await decision).toBe('allow')
    expect(JSON.parse((await over).body)).toMatchObject({
      type: 'approval.answered',
      data: { decision: 'allow' },
    })
  })

  it('takes no forged answer: wrong key, altered body, old, unsigned, other digest, other question, replayed', async () => {
    const { reply, yes, question, running, decision } = await withWebhook()
    const refused = async (result: Promise<{ status: number }>) => {
      expect((await result).status).toBeGreaterThanOrEqual(400)
      expect(await open(running, question.id)).toBe(true)
    }
    await refused(reply(yes, undefined, newWebhookSecret()))
    const body = JSON.stringify({ data: { ...yes, decision: 'deny' } })
    const headers = signedHeaders(SECRET, 'msg_1', body)
    await refused(send(running, '/v1/approvals/answers/webhook', body.replace('deny', 'allow'), headers))
    const old = JSON.stringify({ data: yes })
    await refused(
      send(
        running,
        '/v1/approvals/answers/webhook',
        old,
        signedHeaders(SECRET, 'm', old, Date.now() - 600_000),
      ),
    )
    await refused(
      send(
        running,
        '/v1/approvals/answers/webhook',
        old,
        signedHeaders(SECRET, 'm', old, Date.now() + 600_000),
      ),
    )
    // What the machine itself has sent, come back.
    const back = JSON.stringify({ type: 'approval.answered', data: yes })
    await refused(send(running, '/v1/approvals/answers/webhook', back, signedHeaders(SECRET, 'm', back)))
    await refused(reply(yes, (each) => delete each['webhook-signature']))
    await refused(reply(yes, (each) => (each['webhook-id'] = 'msg_2')))
    await refused(reply({ ...yes, digest: '0'.repeat(64) }))
    await refused(reply({ id: question.id, decision: 'allow' }))
    await refused(reply({ ...yes, id: 'nosuchid' }))
    await refused(reply({ ...yes, id: `../asks/${question.id}` }))
    await refused(send(running, '/v1/approvals/answers/nothing', old, {}))
    const no = { ...yes, decision: 'deny' }
    expect((await reply(no)).status).toBe(200)
    expect(await decision).toBe('deny')
    // The same bytes again, and a yes after the no: the question has its answer.
    expect((await reply(no)).status).toBe(403)
    expect((await reply(yes)).status).toBe(403)
  })

  it('takes nothing where the secret is none', () => {
    for (const secret of ['whsec_', 'whsec_!!!!', 'whsec_c2hvcnQ=', '']) {
      expect(() => signedHeaders(secret, 'm', '{}')).toThrow(/bytes/)
      const forged = createHmac('sha256', '')
        .update(`m.${Math.floor(Date.now() / 1000)}.{}`)
        .digest('base64')
      const headers = {
        ...{ 'webhook-id': 'm', 'webhook-timestamp': String(Math.floor(Date.now() / 1000)) },
        'webhook-signature': `v1,${forged}`,
      }
      expect(() => verifySigned(secret, { headers, body: '{}' })).toThrow(/bytes/)
    }
  })
})

describe('slack', () => {
  const press = (value: string, user: string, secret = SLACK_SECRET, now = Date.now()) => {
    const payload = JSON.stringify({ user: { id: user }, actions: [{ value }] })
    const body = new URLSearchParams({ payload }).toString()
    const time = String(Math.floor(now / 1000))
    const signature = `v0=${createHmac('sha256', secret).update(`v0:${time}:${body}`).digest('hex')}`
    return { body, headers: { 'x-slack-request-timestamp': time, 'x-slack-signature': signature } }
  }

  it('shows buttons; a press counts for the approver whose account it is, and for nobody else', async () => {
    const to = await receiver()
    const where = guarded(
      `via = ["slack"]\nwait = 30\nslack = { url = "${to.url}/services/T/B/x" }\n[[approvals.approvers]]\nname = "alice"\nslack = "U1"`,
      { approvers: ['alice'] },
    )
    const running = await runningDaemon({ at: where })
    writeSecret(running.daemon.core.runtime.paths.state, 'slack', SLACK_SECRET)
    const arrived = to.next()
    const { question, decision } = await asking(running, './deploy.sh <!channel>')
    const { blocks } = JSON.parse((await arrived).body)
    expect(blocks[0].text.text).toContain('&lt;!channel&gt;')
    const allow = blocks[1].elements.find((each: { action_id: string }) => each.action_id === 'allow').value
    const pressed = async ({ body, headers }: ReturnType<typeof press>) =>
      (await send(running, '/v1/approvals/answers/slack', body, headers)).status
    expect(await pressed(press(allow, 'U2'))).toBe(403)
    expect(await pressed(press(allow, 'U1', 'another secret'))).toBe(403)
    expect(await pressed(press(allow, 'U1', SLACK_SECRET, Date.now() - 600_000))).toBe(403)
    expect(await pressed(press(allow.replace('.allow.', '.deny.'), 'U1'))).toBe(403)
    expect(await open(running, question.id)).toBe(true)
    expect(await pressed(press(allow, 'U1'))).toBe(200)
    expect(await decision).toBe('allow')
    const { desk } = await running.daemon.core.frontDesk.get()
    expect(desk.questions.answerOf(question.id)!.proof).toBe('slack U1')
    expect(await pressed(press(allow, 'U1'))).toBe(403)
  })
})

describe('ntfy', () => {
  /** A stand-in that speaks its API: JSON messages in, a stream of JSON lines per topic out. */
  async function standIn() {
    const messages: { topic: string; actions?: { body: string; label: string; url: string }[] }[] = []
    const followers = new Map<string, Set<(text: string) => void>>()
    const waiting: (() => void)[] = []
    const told = (topic: string, message: string) => {
      for (const write of followers.get(topic) ?? [])
        write(`${JSON.stringify({ id: `m${Math.random()}`, event: 'message', topic, message })}\n`)
    }
    const server = createServer(async (request, response) => {
      const [, topic = ''] = request.url!.split(/[/?]/)
      if (request.method === 'GET') {
        response.write(`${JSON.stringify({ event: 'open' })}\n`)
        const write = (text: string) => void response.write(text)
        const all = followers.get(topic) ?? new Set()
        followers.set(topic, all.add(write))
        request.on('close', () => all.delete(write))
        for (const go of waiting.splice(0)) go()
        return
      }
      let body = ''
      for await (const chunk of request) body += chunk
      if (topic === '') messages.push(JSON.parse(body))
      else told(topic, body)
      response.end('{}')
      for (const go of waiting.splice(0)) go()
    })
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    const until = async (condition: () => boolean) => {
      while (!condition()) await new Promise<void>((resolve) => waiting.push(resolve))
    }
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, messages, followers, until }
  }

  it('shows two buttons; a press arrives by the second topic, and nothing else written there counts', async () => {
    const ntfy = await standIn()
    const running = await runningDaemon({
      at: guarded(`via = ["ntfy"]\nwait = 30\nntfy = { url = "${ntfy.url}/mine" }`),
    })
    const { question, decision } = await asking(running)
    await ntfy.until(() => ntfy.messages.length > 0 && (ntfy.followers.get('mine-answers')?.size ?? 0) > 0)
    const { actions } = ntfy.messages[0]!
    const allow = actions!.find(({ label }) => label === 'Allow')!
    const state = running.daemon.core.runtime.paths.state
    for (const forged of [
      'allow',
      allow.body.slice(0, -1),
      actions!.find(({ label }) => label === 'Deny')!.body.replace('.deny.', '.allow.'),
      button(secretsIn(state), 'slack', question, 'allow'),
    ])
      await fetch(allow.url, { method: 'POST', body: forged })
    expect(await open(running, question.id)).toBe(true)
    await fetch(allow.url, { method: 'POST', body: allow.body })
    expect(await decision).toBe('allow')
  })
})

describe('an approver with a key', () => {
  const signedAnswer = (question: Question, more: Partial<Record<string, string>> = {}, key = alice) => {
    const answer = {
      id: question.id,
      decision: 'allow' as const,
      digest: question.digest,
      words: '',
      scope: 'once' as const,
      by: 'alice',
      at: new Date().toISOString(),
      ...more,
    }
    return { ...answer, signature: sign(key, 'answer', signedText(answer as never)) }
  }
  const bob = newKey()
  const APPROVERS = `[[approvals.approvers]]\nname = "alice"\nkey = "${alice.public}"\n[[approvals.approvers]]\nname = "bob"\nkey = "${bob.public}"`

  it('answers by signature; other keys, other inputs and old signatures do not count', async () => {
    const running = await runningDaemon({
      at: guarded(`via = ["terminal"]\nwait = 30\n${APPROVERS}`, { approvers: ['alice'] }),
    })
    const { question, decision } = await asking(running)
    const post = async (answer: object) =>
      (await send(running, '/v1/approvals/answers/key', JSON.stringify(answer), {})).status
    expect(await post(signedAnswer(question, {}, mallory))).toBe(403)
    expect(await post(signedAnswer(question, { by: 'mallory' }, mallory))).toBe(403)
    expect(await post(signedAnswer(question, { by: 'bob' }, bob))).toBe(403)
    expect(await post({ ...signedAnswer(question), scope: 'project' })).toBe(403)
    expect(await post(signedAnswer(question, { digest: '0'.repeat(64) }))).toBe(403)
    expect(await post(signedAnswer(question, { at: new Date(Date.now() - 3_600_000).toISOString() }))).toBe(
      403,
    )
    expect(await post({ ...signedAnswer(question), signature: 'x' })).toBe(403)
    const { desk } = await running.daemon.core.frontDesk.get()
    // The person at the machine is not among the approvers.
    const { answer } = await running.daemon.core.frontDesk.get()
    expect(() => answer(question.id, { decision: 'allow', by: 'local', via: 'terminal' })).toThrow(/may not/)
    expect(desk.questions.answerOf(question.id)).toBeUndefined()
    const good = signedAnswer(question)
    expect(await post(good)).toBe(200)
    expect(await decision).toBe('allow')
    expect(desk.questions.answerOf(question.id)!.signature).toBe(`ed25519:${good.signature}`)
  })

  it('is one of two where the hook wants two, and nobody counts twice', async () => {
    const hook = { approvers: ['alice', 'bob'], approvals: 2 }
    const running = await runningDaemon({ at: guarded(`via = ["terminal"]\nwait = 30\n${APPROVERS}`, hook) })
    const { question, decision } = await asking(running)
    const post = async (answer: object) =>
      (await send(running, '/v1/approvals/answers/key', JSON.stringify(answer), {})).status
    expect(await post(signedAnswer(question))).toBe(200)
    expect(await post(signedAnswer(question))).toBe(403)
    expect(await open(running, question.id)).toBe(true)
    expect(await post(signedAnswer(question, { by: 'bob' }, bob))).toBe(200)
    expect(await decision).toBe('allow')
    const { desk } = await running.daemon.core.frontDesk.get()
    expect(
      desk.questions
        .answerOf(question.id)!
        .votes!.map(({ by }) => by)
        .sort(),
    ).toEqual(['alice', 'bob'])
  })

  it('the yes of an approver who is then removed from the settings does not count', async () => {
    const settings = `via = ["terminal"]\nwait = 30\n`
    const running = await runningDaemon({ at: guarded(settings + APPROVERS, { approvals: 2 }) })
    const { question, decision } = await asking(running)
    const post = async (answer: object) =>
      JSON.parse(
        (await send(running, '/v1/approvals/answers/key', JSON.stringify(answer), {})).text,
      ) as object
    expect(await post(signedAnswer(question))).toMatchObject({ status: 'voted', missing: 1 })
    const left = APPROVERS.slice(APPROVERS.lastIndexOf('[['))
    running.configure('crosshook/config.toml', `[approvals]\n${settings}${left}\n`)
    expect(await post(signedAnswer(question, { by: 'bob' }, bob))).toMatchObject({
      status: 'voted',
      missing: 1,
    })
    expect(await open(running, question.id)).toBe(true)
    const desk = await running.daemon.core.frontDesk.get()
    desk.answer(question.id, { decision: 'allow', by: 'local', via: 'terminal' })
    expect(await decision).toBe('allow')
    const { votes } = desk.desk.questions.answerOf(question.id)!
    expect(votes!.map(({ by }) => by)).toEqual(['bob', 'local'])
  })
})

describe('two names of one person', () => {
  const named = (name: string, fields: string) => `[[approvals.approvers]]\nname = "${name}"\n${fields}\n`
  const yes = (question: Question, by: string) => ({
    ...{ id: question.id, decision: 'allow' as const, digest: question.digest, words: '' },
    ...{ scope: 'once' as const, by, at: new Date().toISOString() },
  })
  const byKey = (question: Question, by: string, key = alice) => {
    const answer = yes(question, by)
    return JSON.stringify({ ...answer, signature: sign(key, 'answer', signedText(answer)) })
  }
  async function needsTwo(approvers: string) {
    const running = await runningDaemon({
      at: guarded(`via = ["terminal"]\nwait = 30\n${approvers}`, { approvals: 2 }),
    })
    const post = (channel: string, body: string) =>
      send(running, `/v1/approvals/answers/${channel}`, body, {})
    return { running, post, ...(await asking(running)) }
  }

  it('with the same key are one', async () => {
    const key = `key = "${alice.public}"`
    const { running, post, question } = await needsTwo(named('alice', key) + named('bob', key))
    expect((await post('key', byKey(question, 'alice'))).status).toBe(200)
    const second = await post('key', byKey(question, 'bob'))
    expect(second).toMatchObject({ status: 403, text: expect.stringContaining('have the same key') })
    expect(await open(running, question.id)).toBe(true)
  })

  it('two approvers who each share a key with a third are one person', async () => {
    const { running, post, question } = await needsTwo(
      named('alice', `key = "${alice.public}"\nslack = "U1"`) +
        named('carol', `slack = "U1"\npasskey = "YQ.YQ"`) +
        named('bob', `key = "${mallory.public}"\npasskey = "YQ.Yg"`),
    )
    expect((await post('key', byKey(question, 'alice'))).status).toBe(200)
    expect((await post('key', byKey(question, 'bob', mallory))).status).toBe(403)
    expect(await open(running, question.id)).toBe(true)
  })

  it('are one where the key of a name lies at this machine, whose person has said yes', async () => {
    const { running, post, question } = await needsTwo(named('alice', `key = "${alice.public}"`))
    const own = createKey(running.daemon.core.runtime.paths.state)
    running.configure(
      'crosshook/config.toml',
      `[approvals]\nvia = ["terminal"]\n${named('alice', `key = "${own.public}"`)}`,
    )
    const desk = await running.daemon.core.frontDesk.get()
    desk.answer(question.id, { decision: 'allow', by: 'local', via: 'terminal' })
    expect((await post('key', byKey(question, 'alice', own))).status).toBe(403)
    expect(await open(running, question.id)).toBe(true)
  })

  it('cannot be made of other spellings of one key', async () => {
    const raw = publicBytes(alice.public)
    const pem = publicKeyObject(raw).export({ format: 'pem', type: 'spki' }).toString()
    const spare = `${alice.public.slice(0, -1)}${String.fromCharCode(alice.public.charCodeAt(50) + 1)}`
    for (const spelling of [pem, raw.toString('base64'), `${alice.public}=`, ` ${alice.public}`, spare]) {
      const { running, post, question } = await needsTwo(
        named('alice', `key = "${alice.public}"`) + named('bob', `key = ${JSON.stringify(spelling)}`),
      )
      expect((await post('key', byKey(question, 'alice'))).status).toBe(200)
      expect((await post('key', byKey(question, 'bob'))).status).toBeGreaterThanOrEqual(400)
      expect(await open(running, question.id)).toBe(true)
    }
  })
})

describe('an approver with a passkey', () => {
  const ORIGIN = 'https://approvals.example'
  const hash = (data: Uint8Array | string) => createHash('sha256').update(data).digest()

  /** As an authenticator makes it: a P-256 key, user present and verified. */
  function authenticator() {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { x, y } = publicKey.export({ format: 'jwk' })
    const id = Buffer.from('credential-of-alice').toString('base64url')
    // COSE: kty EC2, alg ES256, crv P-256, x, y.
    const cose = Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x!, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y!, 'base64url'),
    ])
    const respond = (challenge: string, { origin = ORIGIN, flags = 0x05 } = {}) => {
      const clientData = Buffer.from(
        JSON.stringify({ type: 'webauthn.get', challenge, origin, crossOrigin: false }),
      )
      const data = Buffer.concat([hash('approvals.example'), Buffer.from([flags, 0, 0, 0, 0])])
      const signature = createSign('sha256').update(data).update(hash(clientData)).sign(privateKey)
      return {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: clientData.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: signature.toString('base64url'),
        },
      }
    }
    return { setting: `${id}.${cose.toString('base64url')}`, respond }
  }

  it('signs exactly one answer: another answer, origin, key or an unverified user does not count', async () => {
    const own = authenticator()
    const running = await runningDaemon({
      at: guarded(
        `via = ["terminal"]\nwait = 30\npublic_url = "${ORIGIN}"\n[[approvals.approvers]]\nname = "alice"\npasskey = "${own.setting}"`,
        { approvers: ['alice'] },
      ),
    })
    const { question, decision } = await asking(running)
    const answer = {
      id: question.id,
      decision: 'allow' as const,
      digest: question.digest,
      words: '',
      scope: 'once' as const,
      by: 'alice',
      at: new Date().toISOString(),
    }
    const post = async (body: object) =>
      (await send(running, '/v1/approvals/answers/passkey', JSON.stringify(body), {})).status
    const challenge = passkeyChallenge(answer)
    const good = { ...answer, response: own.respond(challenge) }
    expect(await post({ ...good, scope: 'project' })).toBe(403)
    expect(await post({ ...good, words: 'other words' })).toBe(403)
    expect(await post({ ...good, by: 'bob' })).toBe(403)
    expect(await post({ ...answer, response: authenticator().respond(challenge) })).toBe(403)
    expect(
      await post({ ...answer, response: own.respond(challenge, { origin: 'https://evil.example' }) }),
    ).toBe(403)
    expect(await post({ ...answer, response: own.respond(challenge, { flags: 0x01 }) })).toBe(403)
    expect(await post({ ...answer, response: {} })).toBe(403)
    expect(await open(running, question.id)).toBe(true)
    expect(await post(good)).toBe(200)
    expect(await decision).toBe('allow')
    const { desk } = await running.daemon.core.frontDesk.get()
    expect(desk.questions.answerOf(question.id)!.proof).toBe(`passkey ${own.setting}`)
    expect(await post(good)).toBe(403)
  })

  it('is one person under two names, however the credential and its key are written', async () => {
    const own = authenticator()
    const [id = '', cose = ''] = own.setting.split('.')
    const bytes = Buffer.from(cose, 'base64url')
    // Another order of the same fields: alg before kty.
    const turned = Buffer.concat([
      bytes.subarray(0, 1),
      bytes.subarray(3, 5),
      bytes.subarray(1, 3),
      bytes.subarray(5),
    ])
    const other = `${Buffer.from('another id').toString('base64url')}.${turned.toString('base64url')}`
    for (const second of [own.setting, `${id}.${turned.toString('base64url')}`, other]) {
      const running = await runningDaemon({
        at: guarded(
          `via = ["terminal"]\nwait = 30\npublic_url = "${ORIGIN}"\n[[approvals.approvers]]\nname = "alice"\npasskey = "${own.setting}"\n[[approvals.approvers]]\nname = "bob"\npasskey = "${second}"`,
          { approvals: 2 },
        ),
      })
      const { question } = await asking(running)
      const answerAs = async (by: string, credential: string) => {
        const answer = {
          ...{ id: question.id, decision: 'allow' as const, digest: question.digest, words: '' },
          ...{ scope: 'once' as const, by, at: new Date().toISOString() },
        }
        const response = { ...own.respond(passkeyChallenge(answer)), id: credential, rawId: credential }
        const body = JSON.stringify({ ...answer, response })
        return (await send(running, '/v1/approvals/answers/passkey', body, {})).status
      }
      expect(await answerAs('alice', id)).toBe(200)
      expect(await answerAs('bob', second.split('.')[0]!)).toBe(403)
      expect(await open(running, question.id)).toBe(true)
    }
  })
})

describe('an agent that goes', () => {
  const closed = async ({ daemon }: Running, id: string) => {
    const { desk } = await daemon.core.frontDesk.get()
    return desk.questions.wait(id, Date.now() + 20_000)
  }
  const GONE = { decision: 'deny', by: 'gone' }

  it('by closing its request ends its question', async () => {
    const running = await runningDaemon({ at: guarded('via = ["terminal"]\nwait = 60') })
    const leaves = new AbortController()
    const sent = fetch(`${running.daemon.status.http}/v1/agents/codex/PreToolUse`, {
      method: 'POST',
      headers: { authorization: `Bearer ${running.token}` },
      body: JSON.stringify({
        session_id: 's1',
        cwd: '/',
        hook_event_name: 'PreToolUse',
        tool_name: 'Bash',
        tool_input: { command: './deploy.sh' },
      }),
      signal: leaves.signal,
    })
    const question = await questionOf(running, './deploy.sh')
    expect((await running.ask('GET', '/v1/approvals')).body.approvals).toMatchObject([{ waits: true }])
    leaves.abort()
    await expect(sent).rejects.toThrow()
    expect(await closed(running, question.id)).toMatchObject(GONE)
    expect((await running.ask('GET', '/v1/approvals')).body.approvals).toEqual([])
  })

  it.skipIf(!existsSync(RELAY))('by killing the relay ends its question', async () => {
    const at = guarded('via = ["terminal"]\nwait = 60')
    const running = await runningDaemon({ at })
    const relay = spawn(RELAY, ['hook', 'codex', 'PreToolUse'], {
      env: { ...at.env, CROSSHOOK_NO_DAEMON: '' },
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    relay.stdin.end(
      JSON.stringify({
        session_id: 's1',
        cwd: '/',
        hook_event_name: 'PreToolUse',
        tool_name: 'Bash',
        tool_input: { command: './deploy.sh' },
      }),
    )
    const question = await questionOf(running, './deploy.sh')
    relay.kill('SIGKILL')
    expect(await closed(running, question.id)).toMatchObject(GONE)
  })
})

describe('the API', () => {
  it('lets a signed-in page answer, and no token, no socket, no cookie without the page token', async () => {
    const running = await runningDaemon({ at: guarded('via = ["page"]\nwait = 30') })
    const { daemon, ask, token } = running
    const { question, decision } = await asking(running)
    const path = `/v1/approvals/${question.id}/answer`
    const yes = { decision: 'allow', digest: question.digest }
    expect((await ask('GET', '/v1/approvals')).body.approvals).toMatchObject([{ id: question.id }])
    expect((await ask('POST', path, yes)).status).toBe(403)
    expect((await send(running, path, JSON.stringify(yes), {})).status).toBe(401)
    const cookie = daemon.core.people.enter(daemon.core.people.invite().code)!.split(';')[0]!
    const { csrf } = daemon.core.people.sessionOf({ headers: { cookie } } as never)!
    expect((await send(running, path, JSON.stringify(yes), { cookie })).status).toBe(403)
    const headers = { cookie, [CSRF_HEADER]: csrf }
    expect((await send(running, path, JSON.stringify({ ...yes, digest: 'other' }), headers)).status).toBe(403)
    expect((await send(running, path, JSON.stringify({ decision: 'allow' }), headers)).status).toBe(400)
    expect(token).not.toBe('')
    expect(await open(running, question.id)).toBe(true)
    expect((await send(running, path, JSON.stringify(yes), headers)).status).toBe(200)
    expect(await decision).toBe('allow')
    expect((await send(running, path, JSON.stringify(yes), headers)).status).toBe(403)
  })

  it('takes no answer that somebody else wrote into the state folder', async () => {
    const running = await runningDaemon({ at: guarded('via = ["terminal"]\nwait = 30') })
    const { question, decision } = await asking(running)
    const { desk } = await running.daemon.core.frontDesk.get()
    const file = join(desk.questions.folder, `${question.id}.answer`)
    const forged = {
      id: question.id,
      decision: 'allow',
      words: '',
      by: 'local',
      via: 'terminal',
      at: '',
      scope: 'once',
      digest: question.digest,
      signature: '',
    }
    writeFileSync(file, `${JSON.stringify(forged)}\n${'0'.repeat(64)}\n`)
    expect(desk.questions.answerOf(question.id)).toBeUndefined()
    rmSync(file)
    const { answer } = await running.daemon.core.frontDesk.get()
    answer(question.id, { decision: 'deny', by: 'local', via: 'terminal' })
    expect(await decision).toBe('deny')
  })

  it('does not count events that wait for a person as running', async () => {
    const running = await runningDaemon({ at: guarded('via = ["terminal"]\nwait = 30') })
    const { question, decision } = await asking(running)
    expect(running.daemon.core.admission.running).toBe(0)
    const { answer } = await running.daemon.core.frontDesk.get()
    answer(question.id, { decision: 'deny', by: 'local', via: 'terminal' })
    await decision
    expect(running.daemon.core.admission.running).toBe(0)
  })
})
