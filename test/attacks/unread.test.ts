/** Calls that do not say what they do, by every door: a closed guard refuses them, an open one says that it checked nothing. */

import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHooks, loadHooks } from '../../src/index.ts'
import type { FireResult } from '../../src/spec/outcome.ts'
import { calledBefore } from '../compile-cache.ts'

const PROGRAM = join(import.meta.dirname, '../../bin/crosshook')

let root: string
let daemon: { http: string; token_file: string }

/** A home for each policy; each has a guard that looks at the parsed line and one that looks at acts. */
const env = (policy: string) =>
  calledBefore({
    HOME: join(root, policy),
    PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
    CROSSHOOK_MANAGED_DIR: join(root, 'none'),
  })

beforeAll(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'unread-')))
  for (const policy of ['closed', 'open'])
    for (const [name, matcher] of [
      ['line', '{command: "rm -rf"}'],
      ['acts', '{does: delete}'],
    ]) {
      const folder = join(root, policy, '.config/agents/hooks', name!)
      mkdirSync(folder, { recursive: true })
      writeFileSync(
        join(folder, 'HOOK.md'),
        `---\nname: ${name}\ndescription: d\ntrigger: before_tool\nmatcher: ${matcher}\non_failure: ${policy}\noutcome: {decision: deny, reason: guarded}\n---\n`,
      )
    }
  await crosshook(['daemon', 'start', '--http', '127.0.0.1:0'], '', 'closed')
  daemon = JSON.parse((await crosshook(['daemon', 'status', '--json'], '', 'closed')).stdout)
}, 60_000)

afterAll(async () => {
  await crosshook(['daemon', 'stop'], '', 'closed')
  rmSync(root, { recursive: true, force: true, maxRetries: 10 })
})

function crosshook(args: string[], input: string, policy: string): Promise<{ code: number; stdout: string }> {
  return new Promise((resolve) => {
    const child = execFile(PROGRAM, args, { cwd: root, env: env(policy) }, (error, stdout) =>
      resolve({ code: Number(error?.code ?? 0), stdout }),
    )
    child.stdin!.on('error', () => {}).end(input)
  })
}

const INPUTS: Record<string, unknown> = {
  'no command': { description: 'tidy up' },
  'a command in another spelling': { Command: 'rm -rf /' },
  'a command that is null': { command: null },
  'a command that is a number': { command: 7 },
  'a command that is true': { command: true },
  'a command in an object': { command: { line: 'rm -rf /' } },
  'a command in a list of lists': { command: [['rm', '-rf', '/']] },
  'a command one level down': { input: { command: 'rm -rf /' } },
  'a list with something else in it': { command: ['echo', { x: 'rm -rf /' }] },
  'a text for an input': 'rm -rf /',
  'a list for an input': ['rm -rf /'],
  'a number for an input': 5,
}

type Door = (event: Record<string, unknown>) => Promise<FireResult>

const DOORS: Record<string, Door> = {
  'the command line': async (event) => {
    const { code, stdout } = await crosshook(
      ['fire', 'before_tool', '--json'],
      JSON.stringify(event),
      'closed',
    )
    expect(code).toBe(2)
    return JSON.parse(stdout)
  },
  HTTP: async (event) => {
    const reply = await fetch(`${daemon.http}/v1/events`, {
      method: 'POST',
      headers: { authorization: `Bearer ${readFileSync(daemon.token_file, 'utf8').trim()}` },
      body: JSON.stringify({ event_type: 'before_tool', ...event }),
    })
    return (await reply.json()) as FireResult
  },
  'the library': async (event) => {
    const hooks = await loadHooks({ work_dir: root, env: env('closed') })
    const result = await hooks.fire('before_tool', event)
    hooks.close()
    return result
  },
  'functions in process': async (event) => {
    const hooks = createHooks()
    const on_failure = 'closed'
    hooks.on('before_tool', () => ({ decision: 'deny' }), { matcher: { command: 'rm -rf' }, on_failure })
    return hooks.fire('before_tool', event)
  },
}

describe.each(Object.entries(DOORS))('by %s', (_, fire) => {
  it.each(Object.entries(INPUTS))(
    'a shell call with %s is refused by a closed guard',
    async (_, tool_input) => {
      const { decision, reason } = await fire({ tool_name: 'Shell', tool_input, work_dir: root })
      expect([decision, reason]).toEqual([
        'deny',
        expect.stringMatching(
          /`command` of Shell is|no hook can judge|input that is|`command` is|no readable tool/,
        ),
      ])
    },
  )
})

describe.each([
  ['claude-code', 'PreToolUse', 'Bash'],
  ['gemini-cli', 'BeforeTool', 'run_shell_command'],
  ['codex', 'PreToolUse', 'Bash'],
])('by %s', (agent, event, tool_name) => {
  it.each(Object.entries(INPUTS))('a shell call with %s is refused', async (_, tool_input) => {
    const payload = { session_id: 's', cwd: root, hook_event_name: event, tool_name, tool_input }
    const { stdout } = await crosshook(['hook', agent, event], JSON.stringify(payload), 'closed')
    expect(stdout).toContain('no hook can judge')
  })
})

it('a guard that fails open says that it checked nothing', async () => {
  const event = JSON.stringify({ tool_name: 'Shell', tool_input: {}, work_dir: root })
  const { code, stdout } = await crosshook(['fire', 'before_tool', '--json'], event, 'open')
  const { decision, hooks } = JSON.parse(stdout) as FireResult
  expect([code, decision]).toEqual([0, 'allow'])
  expect(hooks).toEqual([
    expect.objectContaining({ name: 'acts', status: 'failed', error: expect.stringContaining('is missing') }),
    expect.objectContaining({ name: 'line', status: 'failed', error: expect.stringContaining('is missing') }),
  ])
})

it('the act of such a call is unknown', async () => {
  const { stdout } = await crosshook(
    ['acts', '--tool', 'Shell', '--input', '{"command": 5}', '--json'],
    '',
    'open',
  )
  expect(JSON.parse(stdout)).toEqual([expect.objectContaining({ does: 'unknown', certain: false })])
})

it('a command of another tool that is no text is no reason to pass', async () => {
  const hooks = createHooks()
  hooks.on('before_tool', () => ({ decision: 'deny' }), {
    matcher: { command: 'rm -rf' },
    on_failure: 'closed',
  })
  const fire = (command: unknown) =>
    hooks.fire('before_tool', { tool_name: 'mcp__box__run', tool_input: { command } })
  expect((await fire({ line: 'rm -rf /' })).decision).toBe('deny')
  expect((await fire(['ls', ['rm -rf /']])).decision).toBe('deny')
  expect((await fire(undefined)).decision).toBe('allow')
})
