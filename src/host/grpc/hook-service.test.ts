import { status } from '@grpc/grpc-js'
import { expect, test } from 'vitest'
import { place, type Running, type RunOptions, runningDaemon } from '../testing.ts'
import { type OtherClient, OURS, otherClient } from './testing.ts'

const SHELL = {
  event_type: 'before_tool',
  tool_name: 'Shell',
  session_id: 's1',
  tool_input: { command: 'rm -rf /' },
}

async function connected(options: RunOptions = {}): Promise<Running & { client: OtherClient }> {
  const running = await runningDaemon(options)
  return { ...running, client: otherClient(running.daemon.status.grpc, running.token) }
}

const json = (value: unknown) => Buffer.from(JSON.stringify(value))

test('a hook is registered, listed and unregistered', async () => {
  const { client } = await connected()
  const matcher = { tool: 'Bash', path_pattern: '*.rs', command_pattern: 'rm' }
  const config = { priority: 10, timeout_ms: 3000, async: false, fail_behavior: 'block' }
  const hook_id = await client.register('PreToolUse', matcher, config)
  expect(await client.call('ListHooks')).toEqual({
    hooks: [{ hook_id, event_type: 'PreToolUse', matcher, config }],
  })
  expect(await client.call('UnregisterHook', { hook_id })).toEqual({ removed: true })
  expect(await client.call('UnregisterHook', { hook_id })).toEqual({ removed: false })
  expect(await client.call('ListHooks')).toEqual({ hooks: [] })
})

test('an event goes out on the stream in the words of the design, and a block comes back', async () => {
  const { client, fire } = await connected()
  const hook_id = await client.register('PreToolUse', { tool: 'Bash' })
  const stream = await client.stream(() => ({ action: 'BLOCK', reason: 'Dangerous command' }))
  expect(await fire(SHELL)).toMatchObject({ decision: 'deny', reason: 'Dangerous command' })
  expect(stream.events).toEqual([
    {
      hook_id,
      event_id: expect.stringMatching(/.+/),
      event_type: 'PreToolUse',
      session_id: 's1',
      timestamp: expect.any(Number),
      payload: expect.objectContaining({
        eventType: 'PreToolUse',
        sessionId: 's1',
        tool: 'Bash',
        args: { command: 'rm -rf /' },
      }),
    },
  ])
  expect(await fire({ ...SHELL, tool_name: 'ReadFile', tool_input: { path: 'a' } })).toMatchObject({
    decision: 'allow',
    hooks: [],
  })
})

test('modified, retry and skip mean what they say', async () => {
  const { client, fire } = await connected()
  await client.register('PreToolUse')
  let answer: object = {}
  await client.stream(() => answer)
  answer = { action: 'CONTINUE', modified: json({ args: { command: 'ls', timeout: 30000 } }) }
  expect(await fire(SHELL)).toMatchObject({
    decision: 'allow',
    updated_input: { command: 'ls', timeout: 30000 },
  })
  answer = { action: 'RETRY', retry_delay_ms: 750 }
  expect(await fire(SHELL)).toMatchObject({ decision: 'allow', retry: 750 })
  answer = { action: 'RETRY' }
  expect(await fire(SHELL)).toMatchObject({ retry: 1000 })
  answer = { action: 'SKIP' }
  expect(await fire(SHELL)).toMatchObject({ decision: 'allow', hooks: [{ status: 'allowed' }] })
})

test('an invalid answer is a failure of the hook', async () => {
  const { client, fire } = await connected()
  await client.register('PreToolUse', {}, { fail_behavior: 'block' })
  let answer: object = { action: 'CONTINUE', modified: Buffer.from('not json') }
  await client.stream(() => answer)
  expect(await fire(SHELL)).toMatchObject({ decision: 'deny', hooks: [{ status: 'failed' }] })
  answer = { action: 'CONTINUE', modified: json({ args: 'text' }) }
  expect(await fire(SHELL)).toMatchObject({ decision: 'deny', hooks: [{ status: 'failed' }] })
  answer = { action: 9 }
  expect(await fire(SHELL)).toMatchObject({ decision: 'deny', hooks: [{ status: 'failed' }] })
})

test('a hook that does not answer in time fails by its fail_behavior', async () => {
  const { client, fire } = await connected()
  const id = await client.register('PreToolUse', {}, { timeout_ms: 100 })
  await client.stream(() => undefined)
  expect(await fire(SHELL)).toMatchObject({ decision: 'allow', hooks: [{ name: id, status: 'timed_out' }] })
  await client.register('PreToolUse', {}, { timeout_ms: 100, fail_behavior: 'block' })
  expect(await fire(SHELL)).toMatchObject({ decision: 'deny' })
})

test('without a stream a hook fails at once, and works again when its client is back', async () => {
  const { client, fire } = await connected()
  await client.register('PreToolUse', {}, { timeout_ms: 40_000, fail_behavior: 'block' })
  const started = performance.now()
  expect(await fire(SHELL)).toMatchObject({ decision: 'deny', hooks: [{ status: 'failed' }] })
  const stream = await client.stream(() => undefined)
  const waiting = fire(SHELL)
  await expect.poll(() => stream.events.length).toBeGreaterThan(0)
  stream.cancel()
  expect(await waiting).toMatchObject({ decision: 'deny', hooks: [{ status: 'failed' }] })
  expect(performance.now() - started).toBeLessThan(35_000)
  await client.stream(() => ({ action: 'CONTINUE' }))
  expect(await fire(SHELL)).toMatchObject({ decision: 'allow', hooks: [{ status: 'allowed' }] })
})

test('a connection that breaks lets things go on, unless the hook is to block then, and its failure is reported', async () => {
  const { client, fire } = await connected()
  const open = await client.register('PreToolUse', {}, { timeout_ms: 40_000 })
  const asked = async () => {
    const stream = await client.stream(() => undefined)
    const waiting = fire(SHELL)
    await expect.poll(() => stream.events.length).toBeGreaterThan(0)
    const started = performance.now()
    stream.cancel()
    const { decision, hooks } = await waiting
    // It does not wait for the time limit of a hook whose program has gone.
    expect(performance.now() - started).toBeLessThan(35_000)
    return { decision, hooks }
  }
  const error = 'its program disconnected before it answered'
  expect(await asked()).toMatchObject({ decision: 'allow', hooks: [{ name: open, status: 'failed', error }] })
  await client.call('UnregisterHook', { hook_id: open })
  const closed = await client.register('PreToolUse', {}, { timeout_ms: 40_000, fail_behavior: 'block' })
  expect(await asked()).toMatchObject({
    decision: 'deny',
    hooks: [{ name: closed, status: 'failed', error }],
  })
})

test('events go to the newest open stream of the client that registered the hook', async () => {
  const { daemon, token, client, fire } = await connected()
  const named = otherClient(daemon.status.grpc, token, 'another program')
  await named.register('PreToolUse')
  const foreign = await client.stream(() => ({ action: 'BLOCK', reason: 'not mine' }))
  const old = await named.stream(() => ({ action: 'BLOCK', reason: 'old' }))
  const fresh = await named.stream(() => ({ action: 'BLOCK', reason: 'fresh' }))
  expect(await fire(SHELL)).toMatchObject({ reason: 'fresh' })
  fresh.end()
  await expect.poll(() => daemon.core.streams.count).toBe(2)
  expect(await fire(SHELL)).toMatchObject({ reason: 'old' })
  expect(foreign.events).toEqual([])
  expect(old.events).toHaveLength(1)
})

test('several events of one hook are in flight; answers find theirs by id or by age', async () => {
  const { client, fire } = await connected()
  const hook_id = await client.register('PreToolUse')
  const stream = await client.stream(() => undefined)
  const first = fire({ ...SHELL, session_id: 'first' })
  await expect.poll(() => stream.events.length).toBeGreaterThanOrEqual(1)
  const second = fire({ ...SHELL, session_id: 'second' })
  const third = fire({ ...SHELL, session_id: 'third' })
  await expect.poll(() => stream.events.length).toBeGreaterThanOrEqual(3)
  const third_id = stream.events.find((event) => event.session_id === 'third')!.event_id
  stream.send({ hook_id, event_id: third_id, action: 'BLOCK', reason: 'for the third' })
  stream.send({ hook_id, action: 'BLOCK', reason: 'for the oldest' })
  expect(await third).toMatchObject({ reason: 'for the third' })
  expect(await first).toMatchObject({ reason: 'for the oldest' })
  stream.send({ hook_id, action: 'CONTINUE' })
  expect(await second).toMatchObject({ decision: 'allow' })
})

test('lower priorities come first, all run together, and a block wins', async () => {
  const { client, fire } = await connected()
  const late = await client.register('PreToolUse', {}, { priority: 200 })
  const unset = await client.register('PreToolUse')
  const early = await client.register('PreToolUse', {}, { priority: 5 })
  await client.stream(({ hook_id }) =>
    hook_id === late
      ? { action: 'BLOCK', reason: 'late' }
      : { action: 'CONTINUE', modified: json({ args: { [hook_id === early ? 'a' : 'b']: 1 } }) },
  )
  const result = await fire(SHELL)
  expect(result).toMatchObject({ decision: 'deny', reason: 'late' })
  expect((result.hooks as { name: string }[]).map(({ name }) => name)).toEqual([early, unset, late])
  await client.call('UnregisterHook', { hook_id: late })
  expect(await fire(SHELL)).toMatchObject({
    decision: 'allow',
    updated_input: { command: 'rm -rf /', a: 1, b: 1 },
  })
})

test('an asynchronous hook is not waited for', async () => {
  const { client, fire } = await connected()
  await client.register('PostToolUse', {}, { async: true, timeout_ms: 5000 })
  const stream = await client.stream(() => undefined)
  const result = await fire({ ...SHELL, event_type: 'after_tool', tool_output: 'done' })
  expect(result).toMatchObject({ decision: 'allow', hooks: [{ status: 'background' }] })
  await expect.poll(() => stream.events.length).toBeGreaterThan(0)
  expect(stream.events[0]).toMatchObject({
    event_type: 'PostToolUse',
    payload: { result: { success: true } },
  })
})

test('the limits of hooks refuse one too many, and can be set', async () => {
  const { client } = await connected()
  for (let i = 0; i < 10; i++) await client.register('PreToolUse')
  await expect(client.register('PreToolUse')).rejects.toMatchObject({ code: status.RESOURCE_EXHAUSTED })
  for (const event of ['PostToolUse', 'ToolError', 'GenerateStart', 'GenerateEnd'])
    for (let i = 0; i < 10; i++) await client.register(event)
  await expect(client.register('SessionStart')).rejects.toMatchObject({ code: status.RESOURCE_EXHAUSTED })

  const at = place()
  at.configure('crosshook/a3s.json', { hooks: { maxHooksPerEvent: 1, failBehavior: 'block' } })
  const small = await connected({ at })
  await small.client.register('PreToolUse')
  await expect(small.client.register('PreToolUse')).rejects.toMatchObject({ code: status.RESOURCE_EXHAUSTED })
  expect(await small.fire(SHELL)).toMatchObject({ decision: 'deny' })
})

test('an invalid registration is refused with the reason', async () => {
  const { client } = await connected()
  await expect(client.register('PreToolUze')).rejects.toMatchObject({
    code: status.INVALID_ARGUMENT,
    message: expect.stringContaining('PreToolUse'),
  })
  await expect(client.register('PreToolUse', {}, { fail_behavior: 'panic' })).rejects.toMatchObject({
    code: status.INVALID_ARGUMENT,
  })
})

test('calls without a token, with a wrong one or with too small a scope are refused', async () => {
  const { daemon, eventsToken } = await connected()
  const { grpc } = daemon.status
  await expect(otherClient(grpc, '').call('ListHooks')).rejects.toMatchObject({
    code: status.UNAUTHENTICATED,
  })
  await expect(otherClient(grpc, 'x'.repeat(43)).call('ListHooks')).rejects.toMatchObject({
    code: status.UNAUTHENTICATED,
  })
  const { failed } = await otherClient(grpc, 'wrong').stream(() => undefined)
  expect(await failed).toMatchObject({ code: status.UNAUTHENTICATED })
  await expect(otherClient(grpc, eventsToken).register('PreToolUse')).rejects.toMatchObject({
    code: status.PERMISSION_DENIED,
  })
})

test('the audit trail says as much as its level asks for', async () => {
  const at = place()
  at.configure('crosshook/a3s.json', { hooks: { auditLevel: 'verbose' } })
  const { client, daemon, fire } = await connected({ at })
  const id = await client.register('PreToolUse')
  await client.stream(({ session_id }) =>
    session_id === 's1'
      ? { action: 'BLOCK', reason: 'no' }
      : { action: 'CONTINUE', modified: json({ args: { command: 'ls' } }) },
  )
  await fire(SHELL)
  await fire({ ...SHELL, session_id: 's2' })
  await client.call('UnregisterHook', { hook_id: id })
  const lines = daemon.core.runtime
    .journal()
    .list({ event: 'hook_audit' })
    .map(({ reason }) => reason!.replace(id, 'ID').replace(/\d+ ms/, 'N ms'))
  expect(lines).toEqual([
    'hook registered: ID (PreToolUse)',
    'hook started: ID (PreToolUse)',
    'hook completed: ID (PreToolUse): blocked in N ms',
    'hook blocked: ID (PreToolUse): no',
    'hook started: ID (PreToolUse)',
    'hook modified: ID (PreToolUse): args',
    'hook completed: ID (PreToolUse): allowed in N ms',
    'hook unregistered: ID (PreToolUse)',
  ])
})

test('agents fire events here too, with the smaller scope, within their deadline', async () => {
  const { client, daemon, eventsToken } = await connected()
  const agent = otherClient(daemon.status.grpc, eventsToken, undefined, OURS)
  const request = { event_type: 'PreToolUse', event: json({ ...SHELL, event_type: undefined }) }
  const allowed = await agent.call('Fire', request)
  expect(allowed).toMatchObject({ decision: 'allow' })
  expect(JSON.parse(String(allowed.result))).toMatchObject({ event_type: 'before_tool', hooks: [] })
  await client.register('PreToolUse', {}, { timeout_ms: 30_000 })
  let answer: object | undefined = { action: 'BLOCK', reason: 'no' }
  const stream = await client.stream(() => answer)
  expect(await agent.call('Fire', request)).toMatchObject({ decision: 'deny', reason: 'no' })
  answer = undefined
  const started = performance.now()
  await expect(agent.call('Fire', request, 300)).rejects.toMatchObject({ code: status.DEADLINE_EXCEEDED })
  expect(performance.now() - started).toBeLessThan(25_000)
  // The event still waits for its hook, and the daemon for the event.
  stream.cancel()
  await expect(agent.call('Fire', { event_type: 'nothing' })).rejects.toMatchObject({
    code: status.INVALID_ARGUMENT,
  })
  await expect(
    agent.call('Fire', { event_type: 'before_tool', event: Buffer.from('{') }),
  ).rejects.toMatchObject({
    code: status.INVALID_ARGUMENT,
  })
})

test('an event that other readers could read otherwise is refused', async () => {
  const { client, daemon, token } = await connected()
  await client.register('PreToolUse')
  await client.stream(() => ({ action: 'BLOCK', reason: 'seen' }))
  const agent = otherClient(daemon.status.grpc, token, undefined, OURS)
  const text = JSON.stringify({ ...SHELL, event_type: undefined })
  const fire = (event: Buffer) => agent.call('Fire', { event_type: 'PreToolUse', event })
  for (const event of [
    Buffer.from(text.replace('"command"', '"command":"ls","comm\\u0061nd"')),
    Buffer.from(text, 'utf16le'),
    Buffer.from(text.replace('rm', '\xff'), 'latin1'),
  ])
    await expect(fire(event)).rejects.toMatchObject({ code: status.INVALID_ARGUMENT })
  expect(await fire(Buffer.from(`\ufeff${text}`))).toMatchObject({ decision: 'deny', reason: 'seen' })
})

test('more events than there is room for are refused', async () => {
  const { client, daemon, token } = await connected({ limits: { concurrent: 1, waiting: 0 } })
  const agent = otherClient(daemon.status.grpc, token, undefined, OURS)
  const hook_id = await client.register('PreToolUse')
  const stream = await client.stream(() => undefined)
  const first = agent.call('Fire', { event_type: 'before_tool' })
  await expect.poll(() => stream.events.length).toBeGreaterThan(0)
  await expect(agent.call('Fire', { event_type: 'before_tool' })).rejects.toMatchObject({
    code: status.RESOURCE_EXHAUSTED,
  })
  stream.send({ hook_id, action: 'CONTINUE' })
  expect(await first).toMatchObject({ decision: 'allow' })
})

test('an event that is too large is refused', async () => {
  const { daemon, token } = await connected({ limits: { eventBytes: 1000 } })
  const agent = otherClient(daemon.status.grpc, token, undefined, OURS)
  const event = json({ padding: 'x'.repeat(5000) })
  await expect(agent.call('Fire', { event_type: 'before_tool', event })).rejects.toMatchObject({
    code: status.RESOURCE_EXHAUSTED,
  })
})
