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

function recorded(file: string): HookEvent {
  const { stdin, event } = JSON.parse(
    readFileSync(join(import.meta.dirname, 'fixtures', `${file}.json`), 'utf8'),
  )
  return agent.decode(stdin, { event, env: {}, cwd: '/' })
}

function answer(file: string, outcome: Outcome): unknown {
  const { stdout } = agent.encode(outcome, recorded(file))
  return stdout === '' ? '' : JSON.parse(stdout)
}

describe('events of Droid', () => {
  it('have canonical tools and fields', () => {
    expect(recorded('PreToolUse.basic')).toMatchObject({
      event_type: 'before_tool',
      tool_name: 'Shell',
      native_tool_name: 'Execute',
      tool_input: { command: 'echo hi-from-shell' },
      context: { permission_mode: 'auto-high' },
    })
    expect(recorded('PreToolUse.basic.3')).toMatchObject({
      tool_name: 'EditFile',
      tool_input: { path: '/home/dev/project/new.txt', old_string: 'abc', new_string: 'xyz' },
    })
    expect(recorded('PostToolUse.basic.2')).toMatchObject({
      event_type: 'after_tool',
      tool_name: 'WriteFile',
      tool_output: expect.stringContaining('"success":true'),
    })
    expect(recorded('SessionStart.basic')).toMatchObject({ event_type: 'session_start', source: 'startup' })
  })
})

describe('answers to Droid', () => {
  it.each<[string, string, Outcome, unknown]>([
    [
      'a deny carries its reason',
      'PreToolUse.basic',
      { decision: 'deny', reason: 'NO' },
      pre({ permissionDecision: 'deny', permissionDecisionReason: 'NO' }),
    ],
    [
      'a rewrite approves nothing',
      'PreToolUse.basic.2',
      { updated_input: { content: 'new' } },
      pre({ updatedInput: { file_path: '/home/dev/project/new.txt', content: 'new' } }),
    ],
    [
      'a stop ends the run, and the tool does not run before',
      'PreToolUse.basic',
      { stop: 'ENOUGH' },
      {
        continue: false,
        stopReason: 'ENOUGH',
        ...pre({ permissionDecision: 'deny', permissionDecisionReason: 'ENOUGH' }),
      },
    ],
    [
      'after a tool the reason is told as context',
      'PostToolUse.basic',
      { decision: 'deny', reason: 'NO', additional_context: ['C'] },
      { hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: 'NO\n\nC' } },
    ],
    [
      'a session gets context',
      'SessionStart.basic',
      { additional_context: ['C'] },
      { hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: 'C' } },
    ],
    [
      'the agent goes on',
      'Stop.basic',
      { decision: 'deny', reason: 'TESTS' },
      { decision: 'block', reason: 'TESTS' },
    ],
  ])('%s', (_, file, outcome, expected) => {
    expect(answer(file, outcome)).toEqual(expected)
  })
})

describe('hooks written for Droid', () => {
  const hook: Hook = {
    ...HOOK_DEFAULTS,
    name: 'h',
    format: 'droid',
    scope: 'user',
    events: [],
    native_event: 'PreToolUse',
    run: { type: 'command', argv: ['x'] },
    origin: { file: 'f' },
  }
  const edit: HookEvent = {
    event_type: 'before_tool',
    timestamp: '2026-01-01T00:00:00Z',
    session_id: 's',
    work_dir: '/p',
    context: {},
    agent: 'another',
    tool_name: 'EditFile',
    tool_input: { path: '/p/a', old_string: 'x', new_string: 'y' },
    native_tool_name: 'replace',
  }

  it('hear of edits in their own words, and answer in them', () => {
    expect(JSON.parse(format.encode(edit, hook, {}).text)).toMatchObject({
      hook_event_name: 'PreToolUse',
      tool_name: 'Edit',
      tool_input: { file_path: '/p/a', old_str: 'x', new_str: 'y' },
    })
    const stdout = JSON.stringify(pre({ updatedInput: { file_path: '/q' } }))
    expect(format.decode({ exit_code: 0, stdout, stderr: '' }, edit, hook).outcome).toEqual({
      updated_input: { path: '/q' },
    })
    expect(format.decode({ exit_code: 1, stdout: '', stderr: 'E' }, edit, hook).outcome).toMatchObject({
      failed: true,
      message: 'exit code 1: E',
    })
  })

  it('stand at the top of hooks.json and below "hooks" in settings.json', () => {
    const entry = [{ matcher: 'Execute', hooks: [{ type: 'command', command: 'guard', timeout: 5 }] }]
    const inFile = read({
      path: '/p/.factory/hooks.json',
      text: JSON.stringify({ PreToolUse: entry }),
      scope: 'project',
    })
    const wrapped = JSON.stringify({ hooks: { PreToolUse: entry } })
    const inSettings = read({ path: '/p/.factory/settings.json', text: wrapped, scope: 'project' })
    for (const { hooks } of [inFile, inSettings])
      expect(hooks).toMatchObject([
        {
          events: ['before_tool'],
          timeout: 5000,
          matcher: { tool_names: ['Execute', 'Shell'] },
          run: { command: 'guard' },
        },
      ])
    expect(read({ path: '/p/.factory/hooks.json', text: wrapped, scope: 'project' }).hooks).toEqual([])
  })
})

describe('the hooks.json of Droid', () => {
  it('has our events as its keys', () => {
    const [file] = installer.files({ home: '/h', project: '/p', env: {}, level: 'user' })
    const line = (event: string) => `crosshook hook droid ${event}`
    const text = file!.add(undefined, { line, argv: (event) => line(event).split(' ') })
    expect(JSON.parse(text)).toMatchObject({
      PreToolUse: [{ matcher: '*', hooks: [{ type: 'command', command: line('PreToolUse') }] }],
    })
  })
})

function pre(members: object): object {
  return { hookSpecificOutput: { hookEventName: 'PreToolUse', ...members } }
}
