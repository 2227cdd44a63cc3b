import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { HookEvent } from '../../spec/event.ts'
import { HOOK_DEFAULTS, type Hook } from '../../spec/hook.ts'
import type { Outcome } from '../../spec/outcome.ts'
import { installer, read } from './config.ts'
import { dialect } from './index.ts'

const agent = dialect.agent!
const format = dialect.format!
const hint = (event: string) => ({ event, env: {}, cwd: '/' })

function recorded(file: string): HookEvent {
  const { stdin, event } = JSON.parse(
    readFileSync(join(import.meta.dirname, 'fixtures', `${file}.json`), 'utf8'),
  )
  return agent.decode(stdin, hint(event))
}

function calling(name: string, input: object): HookEvent {
  return agent.decode(
    { hookName: 'tool_call', taskId: 't', tool_call: { id: 'c', name, input } },
    hint('PreToolUse'),
  )
}

function answer(event: HookEvent, outcome: Outcome): unknown {
  const { stdout, exit_code } = agent.encode(outcome, event)
  expect(exit_code).toBe(0)
  return stdout === '' ? '' : JSON.parse(stdout)
}

describe('events of Cline', () => {
  it('have canonical tools, with lists beside their text', () => {
    expect(recorded('PreToolUse.basic')).toMatchObject({
      event_type: 'before_tool',
      session_id: '1794736778997_atnar',
      work_dir: '/home/dev/project',
      tool_name: 'Shell',
      native_tool_name: 'run_commands',
      tool_input: { command: 'echo hi-from-shell', commands: ['echo hi-from-shell'] },
      tool_use_id: 'call_1_0',
    })
    expect(calling('run_commands', { commands: ['a', 'b'] }).tool_input).toMatchObject({ command: 'a\nb' })
    expect(calling('editor', { path: '/a', new_text: 'x' })).toMatchObject({
      tool_name: 'WriteFile',
      tool_input: { path: '/a', content: 'x' },
    })
    expect(calling('editor', { path: '/a', old_text: 'x', new_text: 'y' })).toMatchObject({
      tool_name: 'EditFile',
      tool_input: { path: '/a', old_string: 'x', new_string: 'y' },
    })
    expect(calling('read_files', { files: [{ path: '/a' }] })).toMatchObject({
      tool_name: 'ReadFile',
      tool_input: { path: '/a' },
    })
    expect(recorded('PostToolUse.basic')).toMatchObject({ event_type: 'after_tool', duration_ms: 27 })
    expect(recorded('TaskComplete.basic')).toMatchObject({
      event_type: 'before_stop',
      final_message: { role: 'assistant', content: 'finished' },
    })
  })

  it('are known by what the payload says when the name of the file is not', () => {
    const event = agent.decode({ hookName: 'session_shutdown' }, { env: {}, cwd: '/' })
    expect(event).toMatchObject({ event_type: 'session_end', native_event: 'SessionShutdown' })
  })
})

describe('answers to Cline', () => {
  const shell = recorded('PreToolUse.basic')
  it.each<[string, HookEvent, Outcome, unknown]>([
    ['a deny cancels', shell, { decision: 'deny', reason: 'NO' }, { cancel: true, errorMessage: 'NO' }],
    ['a stop does, too', shell, { stop: 'ENOUGH' }, { cancel: true, errorMessage: 'ENOUGH' }],
    [
      'a rewritten command is a list again',
      shell,
      { updated_input: { command: 'ls' }, additional_context: ['C'] },
      { overrideInput: { commands: ['ls'] }, context: 'C' },
    ],
    [
      'a command that was not touched stays the list that it was',
      calling('run_commands', { commands: ['a', 'b'] }),
      { updated_input: { command: 'a\nb' } },
      { overrideInput: { commands: ['a', 'b'] } },
    ],
    [
      'a rewritten file keeps its other fields',
      calling('editor', { path: '/a', new_text: 'x' }),
      { updated_input: { content: 'y' } },
      { overrideInput: { path: '/a', new_text: 'y' } },
    ],
    [
      'nothing is cancelled after the fact',
      recorded('PostToolUse.basic'),
      { decision: 'deny', reason: 'NO', additional_context: ['C'] },
      { context: 'NO\n\nC' },
    ],
  ])('%s', (_, event, outcome, expected) => {
    expect(answer(event, outcome)).toEqual(expected)
  })
})

describe('hooks written for Cline', () => {
  const hook: Hook = {
    ...HOOK_DEFAULTS,
    name: 'h',
    format: 'cline',
    scope: 'user',
    events: [],
    native_event: 'PreToolUse',
    run: { type: 'command', argv: ['x'] },
    origin: { file: 'f' },
  }
  const shell: HookEvent = {
    event_type: 'before_tool',
    timestamp: '2026-01-01T00:00:00Z',
    session_id: 's',
    work_dir: '/p',
    context: {},
    agent: 'another',
    tool_name: 'Shell',
    tool_input: { command: 'ls' },
    native_tool_name: 'terminal',
  }
  const decoded = (stdout: string, exit_code = 0) =>
    format.decode({ exit_code, stdout, stderr: '' }, shell, hook).outcome

  it('hear of other agents in their own words', () => {
    expect(JSON.parse(format.encode(shell, hook, {}).text)).toMatchObject({
      hookName: 'tool_call',
      taskId: 's',
      workspaceRoots: ['/p'],
      tool_call: { name: 'run_commands', input: { commands: ['ls'] } },
      preToolUse: { toolName: 'run_commands', parameters: { commands: '["ls"]' } },
    })
  })

  it('speak JSON, and nothing else counts', () => {
    expect(decoded('{"cancel":true,"errorMessage":"NO"}')).toEqual({ decision: 'deny', reason: 'NO' })
    expect(decoded('{"overrideInput":{"commands":["a","b"]},"contextModification":"C"}')).toEqual({
      updated_input: { command: 'a\nb' },
      additional_context: ['C'],
    })
    expect(decoded('', 2)).toMatchObject({ failed: true, exit_code: 2 })
  })

  it('are files with the name of the event', () => {
    const { hooks } = read({ path: '/p/.cline/hooks/pretooluse.py', text: 'print()', scope: 'project' })
    expect(hooks).toMatchObject([
      {
        events: ['before_tool'],
        native_event: 'PreToolUse',
        run: { type: 'command', argv: ['python3', '/p/.cline/hooks/pretooluse.py'] },
      },
    ])
    expect(read({ path: '/p/.cline/hooks/README.md', text: '', scope: 'project' }).hooks).toEqual([])
  })
})

describe('the hook files of Cline', () => {
  const file = installer
    .files({ home: '/h', project: '/p', env: {}, level: 'user' })
    .find(({ path }) => path.endsWith('PreToolUse.sh'))!
  const command = { line: (event: string) => `crosshook hook cline ${event}`, argv: () => [] }

  it('are small programs, and never somebody else’s', () => {
    expect(file).toMatchObject({ path: '/h/.cline/hooks/PreToolUse.sh', mode: 0o755 })
    const text = file.add(undefined, command)
    expect(text.split('\n').at(-2)).toBe('crosshook hook cline PreToolUse')
    expect(read({ path: file.path, text, scope: 'user' }).hooks).toEqual([])
    expect(() => file.add('#!/bin/sh\nmine\n', command)).toThrow('one file for each event')
    expect(file.remove('#!/bin/sh\nmine\n')).toBe('#!/bin/sh\nmine\n')
  })
})
