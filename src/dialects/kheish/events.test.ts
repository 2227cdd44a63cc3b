import { describe, expect, it } from 'vitest'
import { encode, executionKey, type Invocation, invocationKey, pascalCase, toInvocation } from './events.ts'
import { EVENT_NAMES, EVENTS } from './names.ts'
import { outcomeJsonSchema } from './outcome-schema.ts'
import { aHook, anEvent } from './testing.ts'

const greeting: Invocation = {
  event: 'notification',
  subject: 'subject',
  session_id: 'session',
  run_id: 'run',
  payload: { message: 'hello' },
}

describe('keys', () => {
  it('gives one invocation one key, whatever the order of its fields', () => {
    expect(invocationKey(greeting)).toBe('hook-invocation-be706e6531d72952b77753d23ca1327b')
    const { event, ...rest } = greeting
    expect(invocationKey({ ...rest, event })).toBe(invocationKey(greeting))
  })

  it('gives each hook its own idempotency key', () => {
    expect(executionKey('contract', greeting)).toBe('hook-execution-678cf200734d03f3a5250c66717258ee')
    expect(executionKey('other', greeting)).not.toBe(executionKey('contract', greeting))
  })
})

describe('the invocation', () => {
  const call = { tool_name: 'write_file', tool_input: { path: 'a.txt' }, tool_use_id: 'call-1' }

  it('carries the tool call on stdin as compact JSON', () => {
    const { text, value } = encode(
      anEvent({ ...call, context: { run_id: 'run-1', agent_id: 'agent-1' } }),
      aHook(),
    )
    expect(value).toBeUndefined()
    expect(text).toBe(JSON.stringify(JSON.parse(text)))
    expect(JSON.parse(text)).toEqual({
      event: 'pre_tool_use',
      subject: 'write_file',
      session_id: 'session-1',
      agent_id: 'agent-1',
      run_id: 'run-1',
      payload: { tool_call: { id: 'call-1', name: 'write_file', input: { path: 'a.txt' } } },
      contract_version: 1,
      invocation_key: expect.stringMatching(/^hook-invocation-[0-9a-f]{32}$/),
    })
  })

  it('leaves out what is not there', () => {
    const event = anEvent({ tool_name: 'write_file', session_id: '', payload: null })
    expect(toInvocation(event, aHook())).toEqual({ event: 'pre_tool_use', subject: 'write_file' })
  })

  it("speaks of tools in Kheish's words, whoever fired, and of those that it does not know as they are called", () => {
    const edit = { tool_name: 'EditFile', tool_input: { path: 'a', old_string: 'x', new_string: 'y' } }
    const own = toInvocation(anEvent({ ...edit, native_tool_name: 'edit_file' }), aHook())
    expect(own).toMatchObject({
      subject: 'edit_file',
      payload: { tool_call: { name: 'edit_file', input: { path: 'a', old_text: 'x', new_text: 'y' } } },
    })
    const other = toInvocation(anEvent({ ...edit, native_tool_name: 'Edit' }), aHook())
    expect(other).toMatchObject({
      subject: 'edit_file',
      payload: { tool_call: { name: 'edit_file', input: { path: 'a', old_text: 'x', new_text: 'y' } } },
    })
    const unknown = toInvocation(anEvent({ tool_name: 'mcp__db__query', tool_input: { sql: '1' } }), aHook())
    expect(unknown).toMatchObject({
      subject: 'mcp__db__query',
      payload: { tool_call: { input: { sql: '1' } } },
    })
  })

  it('tells the result of a tool, and whether it failed', () => {
    const after = anEvent({ event_type: 'after_tool', ...call, tool_output: 'done' })
    expect(toInvocation(after, aHook({ native_event: 'post_tool_use' })).payload).toMatchObject({
      tool_result: { call_id: 'call-1', output: 'done', is_error: false },
    })
    const failed = anEvent({ event_type: 'after_tool_failure', ...call, error: 'no space' })
    expect(toInvocation(failed, aHook({ native_event: 'post_tool_use_failure' })).payload).toMatchObject({
      tool_result: { call_id: 'call-1', output: { error: 'no space' }, is_error: true },
    })
  })

  const payloads = [
    ['setup', { trigger: 'maintenance' }, 'maintenance', { trigger: 'maintenance' }],
    ['setup', {}, 'init', { trigger: 'init' }],
    ['session_start', { source: 'resume' }, 'resume', { trigger: 'resume' }],
    [
      'user_prompt_submit',
      { prompt: 'hi' },
      undefined,
      { input: 'hi', conversation: { session_id: 'session-1' } },
    ],
    ['stop', { step_count: 3 }, 'completed', { status: 'completed', turns: 3 }],
    [
      'stop_failure',
      { error: 'overloaded' },
      'overloaded',
      { error: 'overloaded', error_kind: 'runtime_error' },
    ],
    ['file_changed', { path: 'a.ts' }, 'a.ts', { path: 'a.ts', kind: 'modified' }],
    [
      'config_change',
      { source: 'api', setting: 'hooks', current: 1 },
      'api',
      { source: 'api', setting: 'hooks', current: 1 },
    ],
    ['worktree_create', { path: '/w' }, '/w', { worktree_path: '/w', session_id: 'session-1' }],
    ['instructions_loaded', {}, 'session-1', undefined],
    ['pre_compact', { trigger: 'auto', token_count: 9 }, 'auto', { trigger: 'auto', token_count: 9 }],
    [
      'permission_denied',
      { tool_name: 'bash', reason: 'no' },
      'bash',
      { tool_call: { name: 'bash', input: {} }, reason: 'no' },
    ],
  ] as const

  it.each(payloads)('of %s with %j has subject %s', (name, fields, subject, payload) => {
    const event = anEvent({ event_type: EVENTS[name].event, ...fields })
    const { subject: said, payload: carried } = toInvocation(event, aHook({ native_event: name }))
    expect({ said, carried }).toEqual({ said: subject, carried: payload })
  })

  it('can be made of every event by its canonical name alone', () => {
    for (const name of EVENT_NAMES) {
      expect(toInvocation(anEvent({ event_type: EVENTS[name].event }), {}).event).toBe(name)
    }
  })
})

describe('executors', () => {
  it('sends the idempotency key to servers', () => {
    const hook = aHook({ run: { type: 'http', url: 'https://example.com/' } })
    expect(encode(anEvent({ tool_name: 'bash' }), hook).headers).toEqual({
      'Idempotency-Key': expect.stringMatching(/^hook-execution-[0-9a-f]{32}$/),
    })
  })

  it('gives callbacks the invocation without the fields of the wire', () => {
    const hook = aHook({ run: { type: 'callback', name: 'cb' } })
    expect(encode(anEvent({ tool_name: 'bash' }), hook).value).toEqual({
      event: 'pre_tool_use',
      subject: 'bash',
      session_id: 'session-1',
      payload: { tool_call: { name: 'bash', input: {} } },
    })
  })

  it('gives prompts their variables and the schema of the answer', () => {
    const hook = aHook({ run: { type: 'prompt', template: 'Check {{subject}}' } })
    const input = encode(anEvent({ tool_name: 'bash', payload: { n: 1 } }), hook)
    expect(input.value).toEqual({
      variables: {
        event: 'PreToolUse',
        subject: 'bash',
        session_id: 'session-1',
        agent_id: '',
        run_id: '',
        payload: '{"n":1}',
        invocation_json: JSON.stringify(JSON.parse(input.text), null, 2),
      },
      schema: outcomeJsonSchema,
    })
  })

  it('spells events as templates do', () => {
    expect(pascalCase('post_tool_use_failure')).toBe('PostToolUseFailure')
  })
})
