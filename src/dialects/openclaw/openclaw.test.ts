import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { HookEvent } from '../../spec/event.ts'
import { type PluginBench, pluginBench } from '../lib/plugin-testing.ts'
import { installer } from './config.ts'
import { dialect } from './index.ts'

const agent = dialect.agent!
const place = { home: '/h', project: '/p', env: {}, level: 'user' as const }
const files = installer.files(place)
const settings = files.at(-1)!
const command = { line: () => '', argv: () => ['crosshook'] }

function recorded(name: string): HookEvent {
  const { payload, event } = JSON.parse(
    readFileSync(join(import.meta.dirname, 'fixtures', `${name}.json`), 'utf8'),
  )
  return agent.decode(payload, { event, env: {}, cwd: '/' })
}

describe('events of OpenClaw', () => {
  it('have canonical tools and fields', () => {
    expect(recorded('before_agent_run.basic')).toMatchObject({
      event_type: 'before_agent',
      prompt: 'MAIN-TASK: please do the work.',
      work_dir: '/home/dev/project',
    })
    expect(recorded('before_tool_call.basic')).toMatchObject({
      event_type: 'before_tool',
      tool_name: 'Shell',
      tool_input: { command: 'echo hello > h.txt; pwd' },
      tool_use_id: 'call_1',
      work_dir: '/home/dev/project',
    })
    expect(recorded('before_tool_call.basic.3')).toMatchObject({
      tool_name: 'EditFile',
      tool_input: { path: '/home/dev/project/w.txt', edits: [{ oldText: 'abc', newText: 'xyz' }] },
    })
    expect(recorded('after_tool_call.basic')).toMatchObject({
      event_type: 'after_tool',
      tool_output: [{ type: 'text', text: '/home/dev/project' }],
    })
    expect(recorded('after_tool_call.basic.2')).toMatchObject({
      event_type: 'after_tool_failure',
      error: expect.stringContaining('exited with code 3'),
    })
    expect(recorded('before_agent_finalize.basic')).toMatchObject({
      event_type: 'before_stop',
      final_message: { role: 'assistant', content: 'I am done.' },
    })
  })

  it('tell a program of code mode from a shell command', () => {
    const payload = { toolName: 'exec', toolKind: 'code_mode_exec', params: { code: '1' } }
    const event = agent.decode(payload, { event: 'before_tool_call', env: {}, cwd: '/' })
    expect(event.tool_name).toBe('code_mode_exec')
  })
})

describe('openclaw.json', () => {
  it('has our plugin in the list of those that may be loaded, and not any more afterwards', () => {
    const text = '{ "plugins": { "allow": ["telegram"] } }\n'
    const added = settings.add(text, command)
    expect(JSON.parse(added).plugins).toEqual({
      allow: ['telegram', 'crosshook'],
      entries: { crosshook: { enabled: true, hooks: { allowConversationAccess: true } } },
    })
    expect(settings.problems!(added, place)).toEqual([])
    expect(settings.remove(added)).toBe(text)
  })

  it.each([
    [{ enabled: false }, 'plugins.enabled'],
    [{ deny: ['crosshook'] }, 'plugins.deny'],
    [{ allow: ['telegram'] }, 'plugins.allow'],
    [{ entries: { crosshook: { enabled: false } } }, 'crosshook.enabled'],
    [{ entries: { crosshook: { enabled: true } } }, 'keeps prompts from crosshook'],
  ])('says what keeps the plugin from running: %j', (plugins, words) => {
    const entries = { crosshook: { enabled: true, hooks: { allowConversationAccess: true } } }
    const text = JSON.stringify({ plugins: { entries, ...plugins } })
    const [problem] = settings.problems!(text, place)
    expect(problem?.message).toContain(words)
  })
})

type Handler = (event: Record<string, unknown>, context: Record<string, unknown>) => Promise<unknown>

describe('the plugin in OpenClaw', () => {
  let bench: PluginBench
  beforeEach(() => {
    bench = pluginBench(files[0]!, 'openclaw')
  })
  afterEach(() => bench.close())

  async function handlers(): Promise<Record<string, Handler>> {
    const found: Record<string, Handler> = {}
    const plugin = (await bench.load()).default as { register(api: unknown): void }
    plugin.register({
      on: (event: string, handler: Handler) => {
        found[event] = handler
      },
      registerAgentToolResultMiddleware: (handler: Handler) => {
        found.middleware = handler
      },
    })
    return found
  }
  const run = { runId: 'r', sessionKey: 'agent:main:main', sessionId: 's', workspaceDir: '/w' }
  const session = { sessionKey: 'agent:main:main', sessionId: 's' }
  const exec = { toolName: 'exec', params: { command: 'ls' }, toolCallId: 'c' }

  it('blocks, tells why, and knows the folder of the session', async () => {
    bench.answers('before_tool_call', { deny: 'NO', context: 'C' })
    const { before_prompt_build, before_tool_call } = await handlers()
    await before_prompt_build!({ prompt: 'P' }, run)
    expect(await before_tool_call!(exec, session)).toEqual({ block: true, blockReason: 'NO\n\nC' })
    expect(bench.heard().at(-1)).toEqual({
      event: 'before_tool_call',
      payload: { ...exec, ...session, cwd: '/w' },
    })
  })

  it('blocks when crosshook fails', async () => {
    bench.answers('before_tool_call', 'echo BROKEN >&2; exit 3')
    expect(await (await handlers()).before_tool_call!(exec, session)).toEqual({
      block: true,
      blockReason: 'crosshook failed: BROKEN',
    })
  })

  it('asks about a prompt once, adds to it, and refuses it', async () => {
    bench.answers('session_start', { context: 'START' })
    bench.answers('before_agent_run', { context: 'C' })
    const { session_start, before_prompt_build, before_agent_run } = await handlers()
    await session_start!({ sessionId: 's' }, session)
    expect(await before_prompt_build!({ prompt: 'P' }, run)).toEqual({ prependContext: 'START\n\nC' })
    expect(await before_agent_run!({ prompt: 'START\n\nC\n\nP' }, run)).toBeUndefined()
    expect(bench.heard().map(({ event }) => event)).toEqual(['session_start', 'before_agent_run'])
    bench.answers('before_agent_run', { deny: 'NO' })
    expect(await before_prompt_build!({ prompt: 'Q' }, run)).toBeUndefined()
    expect(await before_agent_run!({ prompt: 'Q' }, run)).toEqual({
      outcome: 'block',
      reason: 'NO',
      message: 'NO',
    })
  })

  it('judges another prompt than the one that it asked about', async () => {
    const { before_prompt_build, before_agent_run } = await handlers()
    await before_prompt_build!({ prompt: 'P' }, run)
    bench.answers('before_agent_run', { deny: 'NO' })
    expect(await before_agent_run!({ prompt: 'other' }, run)).toMatchObject({ outcome: 'block' })
  })

  it('leaves the task of a subagent to the tool that started it', async () => {
    bench.answers('before_agent_run', { deny: 'NO' })
    const sub = { ...run, sessionKey: 'agent:main:subagent:1' }
    const { before_prompt_build, before_agent_run } = await handlers()
    await before_prompt_build!({ prompt: 'P' }, sub)
    expect(await before_agent_run!({ prompt: 'P' }, sub)).toBeUndefined()
    expect(bench.heard()).toEqual([])
  })

  it('replaces a result with its details, and adds to it what was said before the call', async () => {
    bench.answers('before_tool_call', { context: 'BEFORE', input: { command: 'pwd' } })
    bench.answers('after_tool_call', { output: 'NEW', context: 'AFTER' })
    const { before_tool_call } = await handlers()
    // OpenClaw takes the middleware from another copy of the plugin.
    const { middleware } = await handlers()
    expect(await before_tool_call!(exec, session)).toEqual({ params: { command: 'pwd' } })
    const result = {
      content: [{ type: 'text', text: 'old' }],
      details: { status: 'completed', exitCode: 0, aggregated: 'old' },
    }
    const event = { toolName: 'exec', toolCallId: 'c', args: { command: 'pwd' }, cwd: '/w', result }
    expect(await middleware!(event, session)).toEqual({
      result: {
        content: [
          { type: 'text', text: 'NEW' },
          { type: 'text', text: 'BEFORE\n\nAFTER' },
        ],
        details: { status: 'completed', exitCode: 0 },
      },
    })
    expect(bench.heard().at(-1)!.payload).toMatchObject({ params: { command: 'pwd' }, cwd: '/w' })
  })
})
