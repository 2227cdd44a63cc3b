import { describe, expect, it } from 'vitest'
import { cutBytes, decode, encode, sanitize } from './events.ts'
import { aHook, anEvent } from './testing.ts'

const told = (trigger: string, event: Parameters<typeof anEvent>[0]) =>
  JSON.parse(encode(anEvent(event), aHook(trigger)).text)

describe('what a hook is told', () => {
  it('holds nothing but the name and the folder when the turn ends', () => {
    expect(told('stop', { event_type: 'before_stop', stop_reason: 'end_turn' })).toEqual({
      hook_event_name: 'stop',
      cwd: '/project',
    })
  })

  it('names the built-in tools and their inputs in their own words', () => {
    const call = (tool_name: string, tool_input: Record<string, unknown>) => {
      const { tool_name: name, tool_input: input } = told('preToolUse', { tool_name, tool_input })
      return [name, input]
    }
    expect(call('Shell', { command: 'ls' })).toEqual(['execute_bash', { command: 'ls' }])
    expect(call('ReadFile', { path: 'a' })).toEqual([
      'fs_read',
      { operations: [{ mode: 'Line', path: 'a' }] },
    ])
    expect(call('ListFolder', { path: '.' })).toEqual([
      'fs_read',
      { operations: [{ mode: 'Directory', path: '.' }] },
    ])
    expect(call('WriteFile', { path: 'a', content: 'x' })).toEqual([
      'fs_write',
      { command: 'create', path: 'a', file_text: 'x' },
    ])
    expect(call('EditFile', { path: 'a', old_string: 'x', new_string: 'y' })).toEqual([
      'fs_write',
      { command: 'str_replace', path: 'a', old_str: 'x', new_str: 'y' },
    ])
    expect(call('mcp__git__status', { short: true })).toEqual(['@git/status', { short: true }])
  })

  it('passes a call that is already in its own words as it is', () => {
    const input = { command: 'create', path: '/test/file.py' }
    expect(told('preToolUse', { tool_name: 'fs_write', tool_input: input, work_dir: '.' })).toEqual({
      hook_event_name: 'preToolUse',
      cwd: '.',
      tool_name: 'fs_write',
      tool_input: input,
    })
  })

  it('has the result of a tool that worked and the error of one that failed', () => {
    const call = { tool_name: 'Shell', tool_input: { command: 'ls' } }
    const worked = told('postToolUse', { ...call, event_type: 'after_tool', tool_output: 'a\nb' })
    const failed = told('postToolUse', { ...call, event_type: 'after_tool_failure', error: 'no such folder' })
    expect(worked.tool_response).toEqual({ success: true, result: ['a\nb'] })
    expect(failed.tool_response).toEqual({ success: false, error: ['no such folder'] })
  })

  it('keeps a result that is in its own words', () => {
    const tool_output = { success: true, result: [{ exit_status: '0' }] }
    expect(
      told('postToolUse', { event_type: 'after_tool', tool_name: 'fs_read', tool_output }).tool_response,
    ).toEqual(tool_output)
  })

  it('has the prompt raw on stdin and clean in the environment', () => {
    const prompt = 'Hello\x00World\nTest\r\tEnd'
    const input = encode(anEvent({ event_type: 'before_agent', prompt }), aHook('userPromptSubmit'))
    expect(JSON.parse(input.text)).toEqual({ hook_event_name: 'userPromptSubmit', cwd: '/project', prompt })
    expect(input.env).toEqual({ USER_PROMPT: 'HelloWorld\nTest\r\tEnd' })
  })

  it('carries the session in stand-alone hook files only', () => {
    expect(told('Stop', { event_type: 'before_stop' })).toEqual({
      hook_event_name: 'Stop',
      cwd: '/project',
      session_id: 'sess-1',
    })
  })
})

describe('cutting by bytes', () => {
  it('never breaks a character', () => {
    expect(Buffer.byteLength(sanitize('한'.repeat(2000)))).toBe(4095)
    expect(sanitize(`${'a'.repeat(4094)}한국어`)).toBe('a'.repeat(4094))
    expect(cutBytes('한국', 4)).toBe('한')
  })
})

describe('what the agent sends', () => {
  const hint = { env: {}, cwd: '/elsewhere' }

  it('becomes a canonical call and comes back unchanged to hooks of this format', () => {
    const native = {
      hook_event_name: 'preToolUse',
      cwd: '/repo',
      tool_name: 'fs_read',
      tool_input: { operations: [{ mode: 'Line', path: '/repo/a.md', start_line: 3 }] },
    }
    const event = decode(native, hint)
    expect(event).toMatchObject({
      event_type: 'before_tool',
      work_dir: '/repo',
      agent: 'amazon-q',
      native_event: 'preToolUse',
      native_tool_name: 'fs_read',
      tool_name: 'ReadFile',
      native,
    })
    expect((event.tool_input as { path: string }).path).toBe('/repo/a.md')
    expect(JSON.parse(encode(event, aHook('preToolUse')).text)).toEqual(native)
  })

  it('tells a write from an edit, and an MCP tool from both', () => {
    const call = (tool_name: string, tool_input: object) => {
      const event = decode({ hook_event_name: 'preToolUse', tool_name, tool_input }, hint)
      return [event.tool_name, event.tool_input]
    }
    expect(call('fs_write', { command: 'create', path: 'a', file_text: 'x' })).toEqual([
      'WriteFile',
      { path: 'a', content: 'x' },
    ])
    expect(call('write', { command: 'str_replace', path: 'a', old_str: 'x', new_str: 'y' })).toEqual([
      'EditFile',
      { path: 'a', old_string: 'x', new_string: 'y' },
    ])
    expect(call('@git/status', {})).toEqual(['mcp__git__status', {}])
    expect(call('use_aws', { service_name: 's3' })).toEqual(['use_aws', { service_name: 's3' }])
  })

  it('is a failure of the tool when its response says so', () => {
    const native = {
      hook_event_name: 'postToolUse',
      tool_name: 'shell',
      tool_input: { command: 'false' },
      tool_response: { success: false, error: ['exit 1'] },
    }
    expect(decode(native, hint)).toMatchObject({ event_type: 'after_tool_failure', error: 'exit 1' })
  })

  it('keeps what it does not know', () => {
    expect(decode({ hook_event_name: 'PostFileDelete', file: 'a' }, hint)).toMatchObject({
      event_type: 'amazon-q/PostFileDelete',
      native: { file: 'a' },
    })
    expect(decode('nonsense', { ...hint, event: 'stop' })).toMatchObject({
      event_type: 'before_stop',
      work_dir: '/elsewhere',
    })
  })
})
