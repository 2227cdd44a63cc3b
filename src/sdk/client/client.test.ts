import { expect, onTestFinished, test } from 'vitest'
import { NO_LOG } from '../../host/log.ts'
import { place, runningDaemon } from '../../host/testing.ts'
import { createHooks, loadHooks } from '../hooks.ts'
import { CrosshookClient } from './client.ts'

const EVENT = {
  event_type: 'before_tool',
  session_id: 's1',
  tool_name: 'Shell',
  tool_input: { command: 'ls' },
}

function connected(options: { address: string; token: string; onTrouble?: (sentence: string) => void }) {
  const client = new CrosshookClient(options)
  onTestFinished(() => client.close())
  return client
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + 30_000
  while (!(await holds())) {
    if (Date.now() > end) throw new Error('it never came to hold')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

test('a client whose daemon was started anew registers its hooks again', async () => {
  const at = place()
  const first = await runningDaemon({ at })
  const { status } = first.daemon
  at.configure(
    'crosshook/config.toml',
    `[daemon]\nhttp = "${new URL(status.http).host}"\ngrpc = "${status.grpc}"\n`,
  )
  const client = connected({ address: status.grpc, token: first.token })
  const id = await client.registerHook('PreToolUse', () => ({ action: 'block', reason: 'still here' }))
  expect(await first.fire(EVENT)).toMatchObject({ reason: 'still here' })
  await first.daemon.stop()
  const second = await runningDaemon({ at })
  await until(async () => (await second.fire(EVENT)).reason === 'still here')
  expect(await client.listHooks()).toMatchObject([{ id }])
  expect(await client.unregisterHook(id)).toBe(true)
  expect(await second.fire(EVENT)).toMatchObject({ decision: 'allow', hooks: [] })
})

test('two clients of one process do not get each other’s events', async () => {
  const { daemon, token, fire } = await runningDaemon()
  const [a, b] = [0, 1].map(() => connected({ address: daemon.status.grpc, token }))
  await a!.registerHook('PreToolUse', {
    handler: () => ({ action: 'continue', modified: { args: { command: 'ls', a: 1 } } }),
  })
  await b!.registerHook('PreToolUse', {
    handler: () => ({ action: 'continue', modified: { args: { command: 'ls', b: 2 } } }),
  })
  expect(await fire(EVENT)).toMatchObject({ updated_input: { command: 'ls', a: 1, b: 2 } })
})

test('a refused registration rejects, and says why', async () => {
  const { daemon, token } = await runningDaemon()
  const client = connected({ address: daemon.status.grpc, token })
  await expect(client.registerHook('PreToolUze' as 'PreToolUse', () => null)).rejects.toThrow('PreToolUse')
  const many = Array.from({ length: 11 }, () => client.registerHook('PreToolUse', () => null))
  const results = await Promise.allSettled(many)
  expect(results.filter(({ status }) => status === 'rejected')).toMatchObject([{ reason: { code: 'limit' } }])
  const stranger = connected({ address: daemon.status.grpc, token: 'wrong' })
  await expect(stranger.registerHook('PreToolUse', () => null)).rejects.toThrow('token')
  const nobody = connected({ address: '127.0.0.1:1', token })
  await expect(nobody.registerHook('PreToolUse', () => null)).rejects.toMatchObject({ code: 'no_daemon' })
})

test('close takes the hooks along', async () => {
  const { daemon, token, fire } = await runningDaemon()
  const client = new CrosshookClient({ address: daemon.status.grpc, token })
  await client.registerHook('PreToolUse', () => ({ action: 'block', reason: 'no' }))
  await client.close()
  expect(await fire(EVENT)).toMatchObject({ decision: 'allow', hooks: [] })
})

test('tools run through the daemon only where its settings allow it', async () => {
  const { daemon, token, fire } = await runningDaemon()
  await fire(EVENT)
  const client = connected({ address: daemon.status.grpc, token })
  await expect(client.executeTool('s1', 'Bash', { command: 'ls' })).rejects.toThrow('runs no tools')
  const at = place()
  at.configure('crosshook/config.toml', '[daemon]\nexecute_tool = true\n')
  const open = await runningDaemon({ at })
  await open.fire({ ...EVENT, work_dir: at.root })
  const other = connected({ address: open.daemon.status.grpc, token: open.token })
  expect(await other.executeTool('s1', 'Bash', { command: 'pwd; exit 3' })).toMatchObject({
    success: false,
    output: `${at.root}\n`,
    exitCode: 3,
  })
  await other.executeTool('s1', 'Write', { file_path: 'new/file.txt', content: 'text' })
  expect(await other.executeTool('s1', 'Read', { file_path: 'new/file.txt' })).toMatchObject({
    output: 'text',
  })
  await expect(other.executeTool('unknown', 'Bash', { command: 'ls' })).rejects.toThrow('no event of session')
  await expect(other.executeTool('s1', 'Juggle', {})).rejects.toThrow('no tool "Juggle"')
})

test('in process a hook works as soon as it is registered', async () => {
  const hooks = createHooks()
  const lines: string[] = []
  const client = new CrosshookClient({ hooks, onAudit: (line) => lines.push(line) })
  client.setHookAuditLevel('verbose')
  const id = client.registerHook('PreToolUse', () => ({ action: 'block', reason: 'no' }))
  expect(await hooks.fire('before_tool', { tool_name: 'Shell' })).toMatchObject({
    decision: 'deny',
    reason: 'no',
  })
  client.unregisterHook(id)
  await id
  expect(await hooks.fire('before_tool', { tool_name: 'Shell' })).toMatchObject({ decision: 'allow' })
  expect(lines.map((line) => line.split(':')[0])).toEqual([
    'hook registered',
    'hook started',
    'hook completed',
    'hook blocked',
    'hook unregistered',
  ])
  for (let i = 0; i < 10; i++) await client.registerHook('PreToolUse', () => null)
  await expect(client.registerHook('PreToolUse', () => null)).rejects.toMatchObject({ code: 'limit' })
})

test.each(['through the daemon', 'in process'])(
  'setHookAuditLevel decides what is in the trail, %s',
  async (way) => {
    const lines: string[] = []
    const { daemon, token, ask, fire: fireThere } = await runningDaemon()
    const hooks = createHooks()
    const isLocal = way === 'in process'
    const client = isLocal
      ? new CrosshookClient({ hooks, onAudit: (line) => lines.push(line) })
      : connected({ address: daemon.status.grpc, token })
    const fire = () => (isLocal ? hooks.fire('before_tool', { tool_name: 'Shell' }) : fireThere(EVENT))
    const trail = async (): Promise<string[]> => {
      if (isLocal) return lines.splice(0).map((line) => line.split(':')[0]!)
      const { body } = await ask('GET', '/v1/journal?event=hook_audit')
      const all = (body.records as { reason: string }[]).map(({ reason }) => reason.split(':')[0]!)
      return all.slice(all.lastIndexOf('hook audit level') + 1)
    }
    await client.registerHook('PreToolUse', () => ({ action: 'block', reason: 'no' }))
    await client.setHookAuditLevel('info')
    await trail()
    await fire()
    expect(await trail()).toEqual(['hook blocked'])
    await client.setHookAuditLevel('verbose')
    await fire()
    expect(await trail()).toEqual(['hook started', 'hook completed', 'hook blocked'])
    await client.setHookAuditLevel('off')
    await fire()
    expect(await trail()).toEqual([])
  },
)

test('in process, asynchronous hooks run without being waited for', async () => {
  const hooks = createHooks()
  const client = new CrosshookClient({ hooks })
  const ran = new Promise<string>((resolve) => {
    client.registerHook('PostToolUse', {
      handler: (event) => resolve(event.tool),
      config: { async: true },
    })
  })
  const result = await hooks.fire('after_tool', { tool_name: 'Shell', tool_output: '' })
  expect(result.hooks).toMatchObject([{ status: 'background' }])
  expect(await ran).toBe('Bash')
})

test('beside hooks that were loaded from files, in their words and with their journal', async () => {
  const at = place()
  const hooks = await loadHooks({ work_dir: at.root, env: at.env })
  onTestFinished(() => hooks.close())
  const client = new CrosshookClient({ hooks })
  await client.registerHook('PreToolUse', (event) => ({
    action: 'continue',
    modified: { args: { command: `nice ${event.args.command}` } },
  }))
  await client.registerHook('PreToolUse', {
    matcher: { commandPattern: 'rm' },
    handler: () => {
      throw new Error('broken')
    },
    config: { failBehavior: 'block' },
  })
  expect(
    await hooks.fire('before_tool', { tool_name: 'Shell', tool_input: { command: 'ls' } }),
  ).toMatchObject({
    decision: 'allow',
    updated_input: { command: 'nice ls' },
  })
  expect(
    await hooks.fire('before_tool', { tool_name: 'Shell', tool_input: { command: 'rm x' } }),
  ).toMatchObject({
    decision: 'deny',
  })
})

test('a pattern that is looked for as plain text is told, by the daemon’s log and in process', async () => {
  const lines: string[] = []
  const { daemon, token } = await runningDaemon({ log: { ...NO_LOG, warn: (line) => lines.push(line) } })
  const hook = { matcher: { commandPattern: '^(?!git )' }, handler: () => null }
  await connected({ address: daemon.status.grpc, token }).registerHook('PreToolUse', hook)
  const words =
    /^the pattern `\^\(\?!git \)` of hook "hook-.*" cannot be used, and is looked for as plain text: /
  await expect.poll(() => lines).toEqual([expect.stringMatching(words)])
  const warned = new Promise<Error>((resolve) => process.once('warning', resolve))
  await new CrosshookClient({ hooks: createHooks() }).registerHook('PreToolUse', hook)
  expect((await warned).message).toMatch(words)
})
