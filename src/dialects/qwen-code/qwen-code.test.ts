import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { HookEvent } from '../../spec/event.ts'
import { HOOK_DEFAULTS, type Hook } from '../../spec/hook.ts'
import type { Outcome } from '../../spec/outcome.ts'
import { read } from './config.ts'
import { dialect } from './index.ts'

const agent = dialect.agent!
const format = dialect.format!
const hint = { env: {}, cwd: '/' }

function recorded(file: string): HookEvent {
  const path = join(import.meta.dirname, 'fixtures', `${file}.json`)
  return agent.decode(JSON.parse(readFileSync(path, 'utf8')).stdin, hint)
}

describe('events of Qwen Code', () => {
  it('have canonical tools and fields', () => {
    expect(recorded('PreToolUse.tools-edit')).toMatchObject({
      event_type: 'before_tool',
      tool_name: 'EditFile',
      tool_input: { path: '/home/dev/project/new.txt', old_string: 'beta' },
    })
    expect(recorded('PreToolUse.subagent-read_file').context).toMatchObject({
      subagent_id: 'general-purpose-call_dqll5s0tv4',
    })
    expect(recorded('TodoCompleted.todo-2')).toMatchObject({
      event_type: 'task_completed',
      task_id: '1',
      task_subject: 'a',
      context: { phase: 'postWrite' },
    })
  })

  it('do not take the results of tools for a prompt', () => {
    const submit = (prompt: string) =>
      agent.decode({ hook_event_name: 'UserPromptSubmit', prompt }, hint).event_type
    expect([submit('hello'), submit('')]).toEqual(['before_agent', 'qwen-code/UserPromptSubmit'])
  })
})

describe('answers to Qwen Code', () => {
  const shell = 'PreToolUse.basic-run_shell_command'
  const pre = (reason: string) => ({
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: reason,
    },
  })
  const result = 'PostToolUse.basic-run_shell_command'
  it.each<[string, string, Outcome, unknown]>([
    ['a deny is JSON with a reason', shell, { decision: 'deny', reason: 'NO' }, pre('NO')],
    ['an ask that slipped through is a deny', shell, { decision: 'ask', reason: 'SURE?' }, pre('SURE?')],
    [
      'a rewrite that slipped through is a deny',
      shell,
      { updated_input: { command: 'x' } },
      pre('Blocked by a hook that gave no reason.'),
    ],
    [
      'a deny after the tool is context',
      result,
      { decision: 'deny', reason: 'NO' },
      { hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: 'NO' } },
    ],
    [
      'a replaced output is a reason to stop',
      result,
      { updated_output: 'NEW' },
      { continue: false, stopReason: 'NEW' },
    ],
    [
      'a deny at the stop goes on',
      'Stop.basic',
      { decision: 'deny', reason: 'TESTS' },
      { decision: 'block', reason: 'TESTS' },
    ],
    ['a stop at the stop is not "continue: false"', 'Stop.basic', { stop: 'S' }, { systemMessage: 'S' }],
    [
      'a permission is granted with a rewrite',
      'PermissionRequest.interactive-run_shell_command',
      { updated_input: { command: 'pwd' } },
      {
        hookSpecificOutput: {
          hookEventName: 'PermissionRequest',
          decision: {
            behavior: 'allow',
            updatedInput: { command: 'pwd', is_background: false, description: 'd' },
          },
        },
      },
    ],
    [
      'a batch is blocked',
      'PostToolBatch.basic',
      { decision: 'deny', reason: 'NO', additional_context: ['C'] },
      {
        decision: 'block',
        reason: 'NO',
        hookSpecificOutput: { hookEventName: 'PostToolBatch', additionalContext: 'C' },
      },
    ],
  ])('%s', (_, file, outcome, expected) => {
    const { stdout, exit_code } = agent.encode(outcome, recorded(file))
    expect([exit_code, JSON.parse(stdout)]).toEqual([0, expected])
  })
})

describe('hooks written for Qwen Code', () => {
  const hook = (native: string): Hook => ({
    ...HOOK_DEFAULTS,
    name: 'h',
    format: 'qwen-code',
    scope: 'user',
    events: [],
    native_event: native,
    run: { type: 'command', argv: ['x'] },
    origin: { file: 'f' },
  })
  const event = recorded('PreToolUse.tools-read_file-2')
  const decoded = (exit_code: number, stdout: string, stderr = '', native = 'PreToolUse') =>
    format.decode({ exit_code, stdout, stderr }, event, hook(native)).outcome
  const failed = expect.objectContaining({ failed: true })

  it.each<[string, unknown, unknown]>([
    ['exit 2 takes stderr alone', decoded(2, '{"decision":"allow"}', 'E'), { decision: 'deny', reason: 'E' }],
    ['silent exit 2 does not block', decoded(2, 'text'), failed],
    [
      'exit 1 with a deny blocks',
      decoded(1, '{"decision":"deny","reason":"R"}'),
      { decision: 'deny', reason: 'R' },
    ],
    ['exit 127 fails', decoded(127, '', 'not found'), failed],
    [
      'JSON on stderr counts',
      decoded(0, '', '{"decision":"deny","reason":"R"}'),
      { decision: 'deny', reason: 'R' },
    ],
    ['broken JSON fails', decoded(0, '{"decision":'), failed],
    [
      'continue: false refuses the call',
      decoded(0, '{"continue":false,"stopReason":"S"}'),
      { decision: 'deny', reason: 'S' },
    ],
    [
      'continue: false goes on at the stop',
      decoded(0, '{"continue":false,"stopReason":"S"}', '', 'Stop'),
      { decision: 'deny', reason: 'S' },
    ],
    [
      'plain text is context for a prompt',
      decoded(0, 'C', '', 'UserPromptSubmit'),
      { additional_context: ['C'] },
    ],
    ['plain text is nothing before a tool', decoded(0, 'C'), {}],
  ])('%s', (_, outcome, expected) => {
    expect(outcome).toEqual(expected)
  })

  it('are read with aliases and both units of time', () => {
    const { hooks, problems } = read({
      path: '/home/dev/.qwen/settings.json',
      scope: 'user',
      text: JSON.stringify({
        hooks: {
          PreToolUse: [
            { matcher: 'Bash|edit', hooks: [{ type: 'command', command: 'a', timeout: 10 }] },
            { matcher: 'run_.*', hooks: [{ type: 'command', command: 'b', timeout: 5000 }] },
            { matcher: '[', hooks: [{ type: 'command', command: 'c' }] },
            {
              hooks: [
                { type: 'function', name: 'd' },
                { type: 'command', command: 'e', async: true },
              ],
            },
          ],
          PreCompact: [{ matcher: 'auto', hooks: [{ type: 'command', command: 'f' }] }],
        },
      }),
    })
    expect(hooks.map(({ matcher, timeout, mode }) => ({ matcher, timeout, mode }))).toEqual([
      {
        matcher: { tool_names: ['run_shell_command', 'edit', 'Shell', 'EditFile'] },
        timeout: 10_000,
        mode: 'concurrent',
      },
      {
        matcher: { any: [{ tool: 'run_.*' }, { tool_names: ['run_shell_command', 'Shell'] }] },
        timeout: 5000,
        mode: 'concurrent',
      },
      { matcher: {}, timeout: 60_000, mode: 'background' },
      { matcher: { subject_pattern: '^(?:auto)$' }, timeout: 60_000, mode: 'concurrent' },
    ])
    expect(problems).toHaveLength(2)
  })
})
