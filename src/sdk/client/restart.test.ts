import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, onTestFinished, test, vi } from 'vitest'
import { PROGRAM } from '../../../test/program.ts'
import { type Place, place } from '../../host/testing.ts'
import { CrosshookClient } from './client.ts'

const execute = promisify(execFile)

interface Started {
  pid: number
  http: string
  grpc: string
  token: string
}

async function start(at: Place, ...args: string[]): Promise<Started> {
  const { stdout } = await execute(process.execPath, [PROGRAM, 'daemon', 'start', '--json', ...args], {
    env: at.env,
  })
  const status = JSON.parse(stdout)
  onTestFinished(() => kill(status))
  return { ...status, token: readFileSync(status.token_file, 'utf8').trim() }
}

function kill({ pid }: { pid: number }): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

async function fire({ http, token }: Started, tool: string) {
  const response = await fetch(`${http}/v1/events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ event_type: 'before_tool', tool_name: tool }),
  })
  return (await response.json()) as { decision: string; reason: string | null; hooks: unknown[] }
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 30_000
  while (!(await holds())) {
    if (Date.now() > end) throw new Error('it never came to hold')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** A client that was told nothing, in the user's own place. */
function client(at: Place): { client: CrosshookClient; troubles: string[] } {
  vi.stubEnv('XDG_STATE_HOME', at.env.XDG_STATE_HOME)
  const troubles: string[] = []
  const made = new CrosshookClient({ onTrouble: (sentence) => troubles.push(sentence) })
  onTestFinished(async () => {
    await made.close()
    vi.unstubAllEnvs()
  })
  return { client: made, troubles }
}

const block = (reason: string) => () => ({ action: 'block' as const, reason })

test('a daemon that was killed and came back on another port is found again, and all hooks run again', async () => {
  const at = place()
  const first = await start(at)
  const { client: sdk, troubles } = client(at)
  const id = await sdk.registerHook('PreToolUse', { matcher: { tool: 'One' }, handler: block('one') })
  await sdk.registerHook('PreToolUse', { matcher: { tool: 'Two' }, handler: block('two') })
  expect((await fire(first, 'One')).reason).toBe('one')
  kill(first)
  await until(async () => troubles.length > 0)
  await until(() => sdk.listHooks().then(() => false, isAway))
  const second = await start(at)
  expect(second.grpc).not.toBe(first.grpc)
  await until(async () => (await fire(second, 'Two')).reason === 'two')
  expect((await fire(second, 'One')).reason).toBe('one')
  expect(await sdk.listHooks()).toMatchObject([{ id }, { matcher: { tool: 'Two' } }])
  expect(await sdk.unregisterHook(id)).toBe(true)
  expect(await fire(second, 'One')).toMatchObject({ decision: 'allow', hooks: [] })
}, 60_000)

test('a client without a stream asks the daemon that runs now', async () => {
  const at = place()
  const first = await start(at)
  const { client: sdk } = client(at)
  expect(await sdk.listHooks()).toEqual([])
  kill(first)
  await until(() => sdk.listHooks().then(() => false, isAway))
  await start(at)
  expect(await sdk.listHooks()).toEqual([])
}, 60_000)

test('a client that found no daemon finds it later', async () => {
  const at = place()
  const { client: sdk } = client(at)
  await expect(sdk.registerHook('PreToolUse', block('later'))).rejects.toMatchObject({
    code: 'no_daemon',
    fix: expect.stringContaining('daemon start'),
  })
  const daemon = await start(at)
  await sdk.registerHook('PreToolUse', block('later'))
  expect((await fire(daemon, 'One')).reason).toBe('later')
}, 60_000)

test('a hook that a new daemon refuses keeps none of the others away', async () => {
  const at = place()
  const first = await start(at)
  const { client: sdk, troubles } = client(at)
  for (const tool of ['One', 'Two'])
    await sdk.registerHook('PreToolUse', { matcher: { tool }, handler: block(tool) })
  await sdk.registerHook('PostToolUse', () => null)
  at.configure('crosshook/a3s.json', { hooks: { maxHooksPerEvent: 1 } })
  kill(first)
  await until(async () => troubles.length > 0)
  const second = await start(at)
  await until(async () => (await sdk.listHooks().catch(() => [])).length === 2)
  expect((await sdk.listHooks()).map(({ event }) => event)).toEqual(['PreToolUse', 'PostToolUse'])
  expect((await fire(second, 'One')).reason).toBe('One')
  expect(troubles.filter((sentence) => sentence.includes('registered again'))).toEqual([
    expect.stringMatching(/^the hook \S+ could not be registered again: .*1/),
  ])
}, 60_000)

function isAway(error: { code?: string }): boolean {
  return error.code === 'no_daemon'
}

test('a hook that must hold lets nothing pass while the daemon is new and its program is not back', async () => {
  const at = place()
  const first = await start(at)
  const { client: sdk } = client(at)
  const handler = () => ({ action: 'continue' as const })
  const id = await sdk.registerHook('PreToolUse', { handler, config: { failBehavior: 'block' } })
  expect((await fire(first, 'One')).decision).toBe('allow')
  kill(first)
  const second = await start(at)
  // Asked again and again: either the program is back and agrees, or its hook blocks. Nothing passes unseen.
  await until(async () => {
    const { decision, hooks } = await fire(second, 'One')
    expect(hooks).toEqual([expect.objectContaining({ name: id })])
    return decision === 'allow'
  })
  expect(await sdk.listHooks()).toEqual([expect.objectContaining({ id })])
})
