import { describe, expect, it } from 'vitest'
import { encode, findEvent, payloadOf } from './events.ts'
import { aHook, anEvent } from './testing.ts'

const BASE = { sessionId: 's1', timestamp: 1768473000000, metadata: {} }
const USAGE = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }

describe('what a handler is called with', () => {
  it('has the tool and its arguments in the words of the document', () => {
    const event = anEvent({
      tool_name: 'WriteFile',
      tool_input: { path: 'a.env', content: 'x' },
      tool_use_id: '',
    })
    const payload = {
      eventType: 'PreToolUse',
      ...BASE,
      tool: 'Write',
      args: { file_path: 'a.env', content: 'x' },
      context: { workingDirectory: '/workspace', recentTools: [], tokenUsage: USAGE },
    }
    expect(encode(event, aHook())).toEqual({ text: JSON.stringify(payload), value: payload })
  })

  it('has what the agent knows of the session', () => {
    const context = { recent_tools: ['Bash'], token_usage: { total_tokens: 7 }, permission_mode: 'plan' }
    expect(payloadOf(anEvent({ tool_name: 'Shell', context, agent: 'codex' }))).toMatchObject({
      metadata: { permission_mode: 'plan', agent: 'codex' },
      tool: 'Bash',
      args: {},
      context: { recentTools: ['Bash'], tokenUsage: { total_tokens: 7 } },
    })
  })

  it('leaves a tool that is not in its table as it is', () => {
    expect(payloadOf(anEvent({ tool_name: 'Write', tool_input: { file_path: 'a' } }))).toMatchObject({
      tool: 'Write',
      args: { file_path: 'a' },
    })
  })

  it('has the result of a tool, whether it worked or not', () => {
    const call = { tool_name: 'Shell', tool_input: { command: 'ls' }, duration_ms: 12 }
    const worked = anEvent({ ...call, event_type: 'after_tool', tool_output: { stdout: 'a', exit_code: 0 } })
    const failed = anEvent({ ...call, event_type: 'after_tool_failure', error: 'no' })
    expect(payloadOf(worked)).toEqual({
      ...BASE,
      eventType: 'PostToolUse',
      tool: 'Bash',
      args: { command: 'ls' },
      result: { success: true, output: 'a', exitCode: 0, duration: 12 },
    })
    expect(payloadOf(failed, 'PostToolUse').result).toEqual({ success: false, output: 'no', duration: 12 })
    expect(payloadOf(failed, 'ToolError')).toMatchObject({ eventType: 'ToolError', error: 'no' })
  })

  it('has the prompt before generation, and text and usage after it', () => {
    const start = anEvent({ event_type: 'before_model', prompt: 'hi', model: 'm', tools: ['Shell'] })
    expect(payloadOf(start)).toEqual({
      ...BASE,
      eventType: 'GenerateStart',
      prompt: 'hi',
      model: { name: 'm' },
      tools: ['Bash'],
    })
    const end = anEvent({
      event_type: 'after_model',
      prompt: 'hi',
      response: 'ho',
      usage: { total_tokens: 3 },
    })
    expect(payloadOf(end)).toMatchObject({
      eventType: 'GenerateEnd',
      response: { text: 'ho', toolCalls: [], usage: { total_tokens: 3 }, duration: 0 },
    })
  })

  it('has the tool calls and the duration of an answer', () => {
    const toolCalls = [{ name: 'Bash', args: { command: 'ls' } }]
    const response = { text: 'ho', toolCalls, usage: { total_tokens: 3 } }
    const end = anEvent({ event_type: 'after_model', response, duration_ms: 42 })
    expect(payloadOf(end).response).toEqual({
      text: 'ho',
      toolCalls,
      usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 3 },
      duration: 42,
    })
  })

  it('has the fields of other events in the same spelling', () => {
    const event = anEvent({ event_type: 'context_warning', token_count: 90, token_limit: 100 })
    expect(payloadOf(event)).toEqual({
      ...BASE,
      eventType: 'ContextWarning',
      tokenCount: 90,
      tokenLimit: 100,
    })
  })
})

describe('event names', () => {
  it.each(['PreToolUse', 'pre_tool_use', 'preToolUse', 'before_tool'])('finds %s', (name) => {
    expect(findEvent(name)).toEqual({ native: 'PreToolUse', events: ['before_tool'] })
  })

  it('has names for events beyond the document', () => {
    expect(findEvent('skill_load')).toEqual({ native: 'SkillLoad', events: ['a3s/SkillLoad'] })
    expect(findEvent('before_agent')).toEqual({ native: 'BeforeAgent', events: ['before_agent'] })
    expect(findEvent('Never')).toBeUndefined()
  })
})
