import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { HOOK_DEFAULTS, type Hook } from '../../spec/hook.ts'
import { place, runningDaemon, userHook } from '../testing.ts'

const EVENT = {
  event_type: 'before_tool',
  tool_name: 'Shell',
  tool_input: { command: 'ls' },
  session_id: 's1',
}

function callback(call: () => unknown): Hook {
  return {
    ...HOOK_DEFAULTS,
    name: 'function',
    format: 'agenthooks',
    scope: 'sdk',
    events: ['before_tool'],
    run: { type: 'callback', name: 'function', call },
    origin: { file: '' },
  }
}

/** A request with exactly these headers; `fetch` would not send some of them. */
function raw(
  url: string,
  headers: Record<string, string>,
  body = '',
): Promise<{ status: number; body: string }> {
  const { port } = new URL(url)
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port, path: '/v1/events', method: 'POST', headers },
      (response) => {
        let text = ''
        response.on('data', (chunk) => (text += chunk))
        response.once('end', () => resolve({ status: response.statusCode!, body: text }))
      },
    )
    sent.once('error', reject)
    sent.end(body)
  })
}

test('an event is answered with what its hooks decided', async () => {
  const at = place()
  userHook(at, 'guard', 'echo "not here" >&2; exit 2', 'matcher:\n  tool: Shell\n')
  const { ask } = await runningDaemon({ at })
  const { status, body } = await ask('POST', '/v1/events', EVENT)
  expect(status).toBe(200)
  expect(body).toMatchObject({
    decision: 'deny',
    reason: 'not here',
    hooks: [{ name: 'guard', scope: 'user' }],
  })
  const alias = await ask('POST', '/v1/events', { ...EVENT, event_type: 'PreToolUse' })
  expect(alias.body).toMatchObject({ event_type: 'before_tool', decision: 'deny' })
})

test('a hook that was changed counts from the next event on', async () => {
  const at = place()
  userHook(at, 'guard', 'exit 0')
  const { fire } = await runningDaemon({ at })
  expect(await fire(EVENT)).toMatchObject({ decision: 'allow' })
  userHook(at, 'guard', 'echo "now closed" >&2; exit 2')
  expect(await fire(EVENT)).toMatchObject({ decision: 'deny', reason: 'now closed' })
  userHook(at, 'other', 'echo "other" >&2; exit 2', 'priority: 900\n')
  expect(await fire(EVENT)).toMatchObject({ reason: 'other' })
})

test('while a hook is being replaced no event is lost, and none slips past it', async () => {
  const at = place()
  userHook(at, 'guard', 'echo "version 0" >&2; exit 2')
  const { ask } = await runningDaemon({ at })
  const script = join(at.env.XDG_CONFIG_HOME!, 'agents', 'hooks', 'guard', 'scripts', 'run.sh')
  let isOver = false
  const answers: Promise<{ status: number; body: Record<string, unknown> }>[] = []
  const firing = (async () => {
    while (!isOver) {
      const answer = ask('POST', '/v1/events', EVENT)
      answers.push(answer)
      await Promise.race([answer, new Promise((resolve) => setTimeout(resolve, 5))])
    }
  })()
  for (let version = 1; version <= 20; version++) {
    writeFileSync(`${script}.new`, `#!/bin/sh\necho "version ${version}" >&2; exit 2\n`, { mode: 0o755 })
    renameSync(`${script}.new`, script)
    expect((await ask('POST', '/v1/events', EVENT)).body).toMatchObject({ reason: `version ${version}` })
  }
  isOver = true
  await firing
  const ended = await Promise.all(answers)
  expect(ended.length).toBeGreaterThan(20)
  for (const { status, body } of ended) {
    expect(status).toBe(200)
    expect(body).toMatchObject({ decision: 'deny', reason: expect.stringMatching(/^version \d+$/) })
  }
  expect((await ask('POST', '/v1/events', EVENT)).body.reason).toBe('version 20')
})

test('a block that an agent knows by its exit code stays a block over HTTP', async () => {
  const at = place()
  userHook(at, 'guard', 'echo "not here" >&2; exit 2', 'matcher:\n  tool: Shell\n')
  const { ask } = await runningDaemon({ at })
  const payload = { event: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'ls' }, cwd: at.root }
  const { status, body, headers } = await ask('POST', '/v1/agents/kimi-code/PreToolUse', payload)
  expect([status, headers.get('x-crosshook-exit-code')]).toEqual([200, '2'])
  expect(body).toEqual({ decision: 'block', reason: expect.stringContaining('not here') })
})

test('the depth of a call comes from its header, not from the environment of the daemon', async () => {
  const at = place()
  at.env.COPILOT_PROJECT_DIR = at.root
  mkdirSync(join(at.env.XDG_STATE_HOME!, 'crosshook/install'), { recursive: true })
  writeFileSync(
    join(at.env.XDG_STATE_HOME!, 'crosshook/install/manifest.json'),
    JSON.stringify({ version: 1, files: [{ agent: 'copilot', level: 'user', file: '/x' }] }),
  )
  userHook(at, 'guard', 'echo "depth $CROSSHOOK_DEPTH" >&2; exit 2', 'matcher:\n  tool: Shell\n')
  const { ask } = await runningDaemon({ at })
  const payload = {
    cwd: at.root,
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'ls' },
  }
  const call = (depth: string) =>
    ask('POST', '/v1/agents/claude-code/PreToolUse', payload, { 'x-crosshook-depth': depth })
  for (const [depth, seen] of [
    ['', 'depth 1'],
    ['2', 'depth 3'],
  ] as const)
    expect((await call(depth)).body).toMatchObject({
      hookSpecificOutput: { permissionDecisionReason: seen },
    })
  const tooDeep = await call('5')
  expect(tooDeep.status).toBeGreaterThanOrEqual(400)
  expect(tooDeep.body.detail).toContain('without end')
})

test("an agent's own payload is answered in its own words", async () => {
  const at = place()
  userHook(at, 'guard', 'echo "not here" >&2; exit 2', 'matcher:\n  tool: Shell\n')
  const { ask } = await runningDaemon({ at })
  const payload = {
    session_id: 's1',
    cwd: at.root,
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'ls' },
  }
  const { status, body, headers } = await ask('POST', '/v1/agents/claude-code/PreToolUse', payload)
  expect(status).toBe(200)
  expect(headers.get('x-crosshook-exit-code')).toMatch(/^\d+$/)
  expect(body).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } })
  const unknown = await ask('POST', '/v1/agents/claude-kode/PreToolUse', payload)
  expect(unknown.status).toBe(404)
  expect(unknown.body).toMatchObject({
    code: 'unknown_agent',
    detail: expect.stringContaining('claude-code'),
  })
})

test("an agent's payload that is not UTF-8 is refused in the agent's own words, and in the journal", async () => {
  const at = place()
  userHook(at, 'guard', 'exit 0', 'matcher:\n  tool: Shell\n')
  const { ask, daemon, token } = await runningDaemon({ at })
  const payload = JSON.stringify({ hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: {} })
  for (const body of [
    Buffer.from(`\ufeff${payload}`, 'utf16le'),
    Buffer.from(`${payload.slice(0, -1)},"x":"\xff"}`, 'latin1'),
  ]) {
    const response = await fetch(`${daemon.status.http}/v1/agents/claude-code/PreToolUse`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body,
    })
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } })
  }
  const { body } = await ask('GET', '/v1/journal')
  expect(JSON.stringify(body).match(/bytes that are not UTF-8 text/g)?.length).toBeGreaterThanOrEqual(2)
})

test('a request without a token, with a wrong one or without the scope is refused', async () => {
  const { ask, daemon, eventsToken } = await runningDaemon()
  const as = (token: string) => ({ authorization: token })
  const none = await fetch(`${daemon.status.http}/v1/events`, { method: 'POST', body: '{}' })
  expect(none.status).toBe(401)
  expect(none.headers.get('content-type')).toBe('application/problem+json')
  expect((await ask('POST', '/v1/events', EVENT, as('Bearer wrong'))).status).toBe(401)
  expect((await ask('POST', '/v1/events', EVENT, as(`Bearer ${'x'.repeat(43)}`))).status).toBe(401)
  expect((await ask('GET', '/v1/status', undefined, as('Basic abc'))).status).toBe(401)
  const events = as(`Bearer ${eventsToken}`)
  expect((await ask('POST', '/v1/events', EVENT, events)).status).toBe(200)
  expect((await ask('GET', '/v1/status', undefined, events)).status).toBe(200)
  for (const path of ['/v1/runtime/hooks', '/v1/journal', '/v1/stream', '/v1/runtime/hooks/dead-letter'])
    expect((await ask('GET', path, undefined, events)).body).toMatchObject({
      status: 403,
      code: 'wrong_scope',
    })
  expect((await ask('POST', '/v1/runtime/hooks', { hooks: {} }, events)).status).toBe(403)
})

test('a web page cannot reach it: not by its origin, not by a name that points here', async () => {
  const { daemon, token } = await runningDaemon()
  const { http } = daemon.status
  const authorization = `Bearer ${token}`
  const body = JSON.stringify(EVENT)
  const { port } = new URL(http)
  expect((await raw(http, { authorization, host: `rebound.example:${port}` }, body)).status).toBe(403)
  expect((await raw(http, { authorization, origin: 'https://page.example' }, body)).status).toBe(403)
  expect((await raw(http, { authorization, origin: 'null' }, body)).status).toBe(403)
  expect((await raw(http, { authorization, origin: 'http://127.0.0.1:1' }, body)).status).toBe(403)
  expect((await raw(http, { authorization, 'sec-fetch-site': 'cross-site' }, body)).status).toBe(403)
  expect((await raw(http, { authorization, origin: http }, body)).status).toBe(200)
  expect((await raw(http, { authorization, host: `localhost:${port}` }, body)).status).toBe(200)
})

test('bodies that are too large, broken or none are refused', async () => {
  const { ask } = await runningDaemon({ limits: { eventBytes: 2000 } })
  const large = await ask('POST', '/v1/events', { ...EVENT, padding: 'x'.repeat(5000) })
  expect(large.body).toMatchObject({ status: 413, code: 'too_large' })
  const stream = new ReadableStream({
    start(controller) {
      for (let i = 0; i < 10; i++) controller.enqueue(new TextEncoder().encode('x'.repeat(1000)))
      controller.close()
    },
  })
  const { daemon, token } = await runningDaemon({ limits: { eventBytes: 2000 } })
  const chunked = await fetch(`${daemon.status.http}/v1/events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: stream,
    duplex: 'half',
  } as RequestInit)
  expect(chunked.status).toBe(413)
  for (const text of ['', '{', '[]', 'null', '"text"', '{"tool_name":"Shell"}', '{"event_type":7}'])
    expect((await ask('POST', '/v1/events', text)).body).toMatchObject({ status: 400, code: 'bad_input' })
  const relative = await ask('POST', '/v1/events', { ...EVENT, work_dir: 'some/folder' })
  expect(relative.body).toMatchObject({ status: 400, detail: expect.stringContaining('some/folder') })
  const unknown = await ask('POST', '/v1/events', { event_type: 'befor_tool' })
  expect(unknown.body).toMatchObject({
    code: 'unknown_event',
    detail: expect.stringContaining('before_tool'),
  })
  expect((await ask('GET', '/v1/nothing')).body).toMatchObject({ status: 404, code: 'not_found' })
})

test('a body that comes too slowly is not waited for', async () => {
  const { daemon, token } = await runningDaemon({ limits: { bodyTimeout: 200 } })
  const { port } = new URL(daemon.status.http)
  const started = performance.now()
  const answer = await new Promise<string>((resolve) => {
    const socket = connect(Number(port), '127.0.0.1')
    let text = ''
    socket.on('data', (chunk) => (text += chunk))
    socket.once('close', () => resolve(text))
    socket.write(
      `POST /v1/events HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\nContent-Length: 100\r\n\r\n{"event`,
    )
  })
  expect(answer).toMatch(/^HTTP\/1\.1 408 /)
  expect(performance.now() - started).toBeLessThan(25_000)
})

test('more events than there is room for are told to come again', async () => {
  let release = () => {}
  const gate = new Promise<void>((resolve) => {
    release = resolve
  })
  const { ask, daemon } = await runningDaemon({
    limits: { concurrent: 2, waiting: 3 },
    hooks: [callback(() => gate)],
  })
  const sent = Array.from({ length: 9 }, () => ask('POST', '/v1/events', EVENT))
  const refused = await Promise.race(sent)
  expect(refused.body).toMatchObject({ status: 429, code: 'overloaded' })
  expect(refused.headers.get('retry-after')).toBe('1')
  await expect.poll(() => daemon.core.admission.refused).toBe(4)
  release()
  const statuses = (await Promise.all(sent)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(5)
  expect(statuses.filter((status) => status === 429)).toHaveLength(4)
  expect((await ask('POST', '/v1/events', EVENT)).status).toBe(200)
})

test('the socket serves the same API to its owner, without a token', async () => {
  const { daemon } = await runningDaemon()
  const answer = await new Promise<string>((resolve, reject) => {
    const sent = request({ socketPath: daemon.status.socket!, path: '/v1/runtime/hooks' }, (response) => {
      let text = ''
      response.on('data', (chunk) => (text += chunk))
      response.once('end', () => resolve(text))
    })
    sent.once('error', reject)
    sent.end()
  })
  expect(JSON.parse(answer)).toEqual({ hooks: {} })
})

test('the journal can be read and followed', async () => {
  const { ask, daemon, token, fire } = await runningDaemon()
  await fire(EVENT)
  await fire({ ...EVENT, session_id: 's2' })
  const { body } = await ask('GET', '/v1/journal?session=s2')
  expect(body.records).toMatchObject([{ event: 'before_tool', session_id: 's2', source: 'daemon' }])
  expect((await ask('GET', '/v1/journal?limit=x')).body).toMatchObject({ status: 400 })
  const [first] = (await ask('GET', '/v1/journal')).body.records as { seq: number }[]
  const over = new AbortController()
  const stream = await fetch(`${daemon.status.http}/v1/stream`, {
    headers: { authorization: `Bearer ${token}`, 'last-event-id': String(first!.seq) },
    signal: over.signal,
  })
  expect(stream.headers.get('content-type')).toContain('text/event-stream')
  await fire({ ...EVENT, session_id: 's3' })
  let text = ''
  for await (const chunk of stream.body!) {
    text += new TextDecoder().decode(chunk)
    if (text.includes('"s3"')) break
  }
  over.abort()
  expect(text).toContain('"session_id":"s2"')
  expect(text).not.toContain('"session_id":"s1"')
  expect(text).toMatch(/id: \d+/)
})

test('status and metrics count what happened', async () => {
  const at = place()
  userHook(at, 'broken', 'exit 1')
  const { ask, fire } = await runningDaemon({ at })
  await fire(EVENT)
  const { body } = await ask('GET', '/v1/status')
  expect(body).toMatchObject({
    status: 'ready',
    ready: true,
    events: { decisions: { allow: 1, deny: 0 } },
    hooks: {
      configured_count: 1,
      failure_count: 1,
      dead_lettered_count: 1,
      unresolved_dead_lettered_count: 1,
      last_dead_letter_hook: 'broken',
      dead_letter_read_error: null,
    },
    health: { warnings: [{ code: 'unresolved_hook_dead_letters' }] },
  })
  const { text } = (await ask('GET', '/metrics')).body as { text: string }
  expect(text).toContain('crosshook_events_total{decision="allow"} 1')
  expect(text).toContain('crosshook_hook_failures_total 1')
  expect(text).toMatch(/crosshook_event_duration_seconds_bucket\{le="\+Inf"\} 1/)
})

test('the state folder may vanish: events are still judged', async () => {
  const at = place()
  userHook(at, 'guard', 'echo "not here" >&2; exit 2')
  const { daemon, fire } = await runningDaemon({ at })
  const { rmSync, writeFileSync } = await import('node:fs')
  rmSync(daemon.core.runtime.paths.state, { recursive: true })
  writeFileSync(daemon.core.runtime.paths.state, 'a file where the folder was')
  expect(await fire(EVENT)).toMatchObject({ decision: 'deny', reason: 'not here' })
  rmSync(daemon.core.runtime.paths.state)
})

test('a path that is there says which methods it takes; one that is not, that it is not', async () => {
  const { ask, daemon, token } = await runningDaemon()
  const wrong = await ask('DELETE', '/v1/events')
  expect(wrong).toMatchObject({ status: 405, body: { code: 'wrong_method', fix: 'It takes POST.' } })
  expect(wrong.headers.get('allow')).toBe('POST')
  expect((await ask('PUT', '/v1/runtime/hooks')).headers.get('allow')).toBe('GET, POST')
  expect((await ask('GET', '/v1/agents/claude-code/PreToolUse')).status).toBe(405)
  expect(await ask('GET', '/v1/nothing')).toMatchObject({ status: 404, body: { code: 'not_found' } })
  const { status, body } = await raw(daemon.status.http, {
    host: 'localhost:99999',
    authorization: `Bearer ${token}`,
  })
  expect([status, JSON.parse(body)]).toMatchObject([403, { detail: expect.stringContaining('no host') }])
})

test('a folder that no file system has is one without hooks, not a fault of ours', async () => {
  const { ask } = await runningDaemon()
  expect((await ask('POST', '/v1/events', { ...EVENT, work_dir: '/\0' })).body).toMatchObject({
    decision: 'allow',
  })
  const payload = {
    hook_event_name: 'PreToolUse',
    session_id: 's',
    cwd: '\0',
    tool_name: 'Bash',
    tool_input: {},
  }
  expect((await ask('POST', '/v1/agents/claude-code/PreToolUse', payload)).status).toBe(200)
})
