import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isAlive, processIds } from '../executors/command-testing.ts'
import { OURS, otherClient } from './grpc/testing.ts'
import { type Log, NO_LOG } from './log.ts'
import { type Place, place, runningDaemon, userHook } from './testing.ts'

const FAILED_PRECONDITION = 9
const INVALID_ARGUMENT = 3
const NOT_FOUND = 5

async function tools(at: Place = place()) {
  at.configure('crosshook/config.toml', '[daemon]\nexecute_tool = true\n')
  const lines: string[] = []
  const note = (line: string) => lines.push(line)
  const log: Log = { ...NO_LOG, info: note, warn: note }
  const running = await runningDaemon({ at, log })
  await running.fire({ event_type: 'session_start', session_id: 's1', work_dir: at.root })
  const client = otherClient(running.daemon.status.grpc, running.token, 'tools', OURS)
  const run = (tool: string, args: unknown, { session = 's1', deadline = 10_000 } = {}) =>
    client.call(
      'ExecuteTool',
      {
        session_id: session,
        tool,
        args: Buffer.from(typeof args === 'string' ? args : JSON.stringify(args)),
      },
      deadline,
    )
  return { ...running, at, client, run, lines }
}

const DENY = 'matcher:\n  tool: ^Shell$\n  command: ^rm\n'

test.for([
  ['Bash', {}, INVALID_ARGUMENT, 'needs "command"'],
  ['Bash', { command: 3 }, INVALID_ARGUMENT, 'has 3'],
  ['Read', {}, INVALID_ARGUMENT, 'needs "path"'],
  ['Write', { file_path: 'x' }, INVALID_ARGUMENT, 'needs "content"'],
  ['Bash', '[]', INVALID_ARGUMENT, '"args" is JSON, but not an object'],
  ['Bash', '{', INVALID_ARGUMENT, 'Send the bytes of a JSON object'],
  ['Juggle', {}, INVALID_ARGUMENT, 'It has: Shell, ReadFile, WriteFile'],
] as const)('%s with %j is refused, and says what is missing', async ([tool, args, code, words]) => {
  const { run } = await tools()
  await expect(run(tool, args)).rejects.toMatchObject({ code, details: expect.stringContaining(words) })
})

test('a call that a hook blocks, or wants to ask about, does not run, and each call is in the log', async () => {
  const at = place()
  userHook(at, 'guard', 'echo "not that" >&2; exit 2', DENY)
  const asks = 'matcher:\n  tool: ^Shell$\n  command: ^touch\noutcome:\n  decision: ask\n  reason: really?\n'
  userHook(at, 'asks', '', asks)
  const { run, lines, ask } = await tools(at)
  await expect(run('Bash', { command: 'rm x' })).rejects.toMatchObject({
    code: FAILED_PRECONDITION,
    details: expect.stringContaining('blocked by a hook: not that'),
  })
  await expect(run('Bash', { command: 'touch made' })).rejects.toMatchObject({
    code: FAILED_PRECONDITION,
    details: expect.stringContaining('wants a person to decide about Bash: really?'),
  })
  expect(existsSync(join(at.root, 'made'))).toBe(false)
  await expect(run('Bash', { command: 'ls' }, { session: 'unseen' })).rejects.toMatchObject({
    code: NOT_FOUND,
    details: expect.stringContaining('the event that the hook was called with'),
  })
  expect(await run('Bash', { command: 'echo done; exit 4' })).toMatchObject({ success: false, exit_code: 4 })
  expect(lines.filter((line) => line.startsWith('executeTool'))).toEqual([
    expect.stringMatching(/^executeTool: Bash did not run: Bash was blocked by a hook: not that/),
    expect.stringMatching(/^executeTool: Bash did not run: A hook wants a person/),
    expect.stringMatching(/^executeTool: Bash did not run: The daemon has seen no event/),
    expect.stringMatching(/^executeTool: Bash failed in \d+ ms/),
  ])
  const { body } = await ask('GET', '/v1/journal')
  const events = (body.records as { event: string; decision: string }[]).map(({ event, decision }) => [
    event,
    decision,
  ])
  expect(events).toEqual([
    ['session_start', 'allow'],
    ['before_tool', 'deny'],
    ['before_tool', 'ask'],
    ['before_tool', 'allow'],
    ['after_tool_failure', 'allow'],
  ])
})

test('a command ends when its caller gives up, when its time is over, and when the daemon stops', async () => {
  const { run, at, daemon } = await tools()
  const mark = (name: string) => existsSync(join(at.root, name))
  const slow = (name: string) => ({ command: `echo $$ > ${name}.pid; sleep 30; touch ${name}` })
  const pidOf = async (name: string) => (await processIds(join(at.root, `${name}.pid`), 1))[0]!
  await expect(run('Bash', slow('given-up'), { deadline: 2500 })).rejects.toMatchObject({ code: 4 })
  const givenUp = await pidOf('given-up')
  // Who leaves the group and holds the output keeps nobody waiting.
  const started = performance.now()
  expect(await run('Bash', { command: 'setsid sleep 30 & sleep 30', timeout: 300 })).toMatchObject({
    success: false,
    output: expect.stringContaining('it ran longer than 300 ms'),
  })
  expect(performance.now() - started).toBeLessThan(25_000)
  expect(await run('Bash', { command: 'kill -TERM $$' })).toMatchObject({
    success: false,
    output: '\n(ended by SIGTERM)',
  })
  const left = run('Bash', slow('stopped')).catch(() => {})
  const stopped = await pidOf('stopped')
  await daemon.stop()
  await left
  await expect.poll(() => [givenUp, stopped].filter(isAlive)).toEqual([])
  expect([mark('given-up'), mark('stopped')]).toEqual([false, false])
})

test('long output is cut, and says so', async () => {
  const { run } = await tools()
  const { output } = (await run('Bash', { command: 'head -c 3000000 /dev/zero | tr "\\0" x' })) as {
    output: string
  }
  expect(output).toMatch(/x\n\(cut at 1048576 characters\)$/)
})

test('the audit level and who set it are written down, also when it is switched off', async () => {
  const { client, lines, ask } = await tools()
  await client.call('SetHookAuditLevel', { level: 'off' })
  const line = 'hook audit level: info → off (client:tools)'
  expect(lines).toContain(line)
  const { body } = await ask('GET', '/v1/journal?event=hook_audit')
  expect(body.records).toMatchObject([{ subject: 'client:tools', reason: line }])
  await expect(client.call('SetHookAuditLevel', { level: 'loud' })).rejects.toMatchObject({
    code: INVALID_ARGUMENT,
    details: expect.stringContaining('off, info, verbose'),
  })
})

test('a tool call belongs to the trace of the event that its hook answers', async () => {
  const at = place()
  userHook(at, 'tells', 'echo "trace $TRACEPARENT" >&2; exit 2', 'matcher:\n  tool: ^Shell$\n')
  const { client, run, ask } = await tools(at)
  await client.register('PreToolUse', { tool: 'Outer' })
  const told = new Promise((resolve) => {
    void client.stream(() => {
      run('Bash', { command: 'ls' }).catch((error: Error) => resolve(error.message))
      return undefined
    })
  })
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  const event = { event_type: 'before_tool', session_id: 's1', work_dir: at.root, tool_name: 'Outer' }
  void ask('POST', '/v1/events', event, { traceparent }).catch(() => {})
  expect(await told).toContain(`trace ${traceparent}`)
})
