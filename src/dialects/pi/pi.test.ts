import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { HookEvent } from '../../spec/event.ts'
import { type PluginBench, pluginBench } from '../lib/plugin-testing.ts'
import { installer } from './config.ts'
import { dialect } from './index.ts'

const agent = dialect.agent!
const [file] = installer.files({ home: '/h', project: '/p', env: {}, level: 'user' })

function recorded(name: string): HookEvent {
  const { payload, event } = JSON.parse(
    readFileSync(join(import.meta.dirname, 'fixtures', `${name}.json`), 'utf8'),
  )
  return agent.decode(payload, { event, env: {}, cwd: '/' })
}

describe('events of pi', () => {
  it('have canonical tools and fields', () => {
    expect(recorded('tool_call.basic.4')).toMatchObject({
      event_type: 'before_tool',
      tool_name: 'EditFile',
      native_tool_name: 'edit',
      tool_input: { path: 'new.txt', edits: [{ oldText: 'abc', newText: 'xyz' }] },
      tool_use_id: 'call_4_0',
    })
    expect(recorded('input.basic')).toMatchObject({
      event_type: 'before_agent',
      prompt: 'please do the thing',
    })
    expect(recorded('tool_result.basic.2')).toMatchObject({
      event_type: 'after_tool_failure',
      tool_name: 'Shell',
      error: '(no output)\n\nCommand exited with code 3',
    })
    expect(recorded('tool_result.basic.3')).toMatchObject({
      event_type: 'after_tool',
      tool_name: 'WriteFile',
    })
    expect(recorded('session_shutdown.basic')).toMatchObject({
      event_type: 'session_end',
      exit_reason: 'quit',
    })
  })

  it('are answered in pi’s own fields', () => {
    const { stdout } = agent.encode({ updated_input: { path: '/x' } }, recorded('tool_call.basic.3'))
    expect(JSON.parse(stdout)).toEqual({ input: { path: '/x', content: 'abc' } })
  })
})

type Handler = (event: Record<string, unknown>, context: unknown) => Promise<unknown>

describe('the extension in pi', () => {
  let bench: PluginBench
  const sent: unknown[][] = []
  const context = { cwd: '/p', hasUI: false, sessionManager: { getSessionId: () => 's' } }
  beforeEach(() => {
    bench = pluginBench(file!, 'pi')
    sent.length = 0
  })
  afterEach(() => bench.close())

  async function handlers(): Promise<Record<string, Handler>> {
    const found: Record<string, Handler> = {}
    const extension = (await bench.load()).default as (pi: unknown) => void
    extension({
      on: (event: string, handler: Handler) => {
        found[event] = handler
      },
      sendUserMessage: (...message: unknown[]) => sent.push(message),
    })
    return found
  }
  const bash = (command: string) => ({
    type: 'tool_call',
    toolName: 'bash',
    toolCallId: 'c',
    input: { command },
  })

  it('blocks, and tells why', async () => {
    bench.answers('tool_call', { deny: 'NO' })
    const { tool_call } = await handlers()
    expect(await tool_call!(bash('ls'), context)).toEqual({ block: true, reason: 'NO' })
    expect(bench.heard()).toEqual([
      { event: 'tool_call', payload: { ...bash('ls'), cwd: '/p', sessionId: 's' } },
    ])
  })

  it('rewrites the input in place', async () => {
    bench.answers('tool_call', { input: { command: 'pwd' } })
    const event = bash('ls')
    expect(await (await handlers()).tool_call!(event, context)).toBeUndefined()
    expect(event.input).toEqual({ command: 'pwd' })
  })

  it('gives the prompt the context of the session', async () => {
    bench.answers('session_start', { context: 'SESSION' })
    bench.answers('input', { context: 'C', prompt: 'P' })
    const { session_start, input, before_agent_start } = await handlers()
    await session_start!({ type: 'session_start' }, context)
    expect(await input!({ type: 'input', text: 'do it', source: 'rpc' }, context)).toEqual({
      action: 'transform',
      text: 'P',
    })
    expect(await before_agent_start!({}, context)).toEqual({
      message: { customType: 'crosshook', content: 'SESSION\n\nC', display: false },
    })
    expect(await before_agent_start!({}, context)).toBeUndefined()
  })

  it('replaces a result and adds to it', async () => {
    bench.answers('tool_result', { output: 'NEW', context: 'C' })
    const content = [{ type: 'text', text: 'old' }]
    expect(await (await handlers()).tool_result!({ type: 'tool_result', content }, context)).toEqual({
      content: [
        { type: 'text', text: 'NEW' },
        { type: 'text', text: 'C' },
      ],
    })
  })

  it('sends the agent back to work', async () => {
    bench.answers('agent_end', { deny: 'TESTS' })
    await (await handlers()).agent_end!({ type: 'agent_end', messages: [] }, context)
    expect(sent).toEqual([['TESTS', { deliverAs: 'followUp' }]])
  })
})
