import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { HookEvent } from '../../spec/event.ts'
import { HOOK_DEFAULTS, type Hook } from '../../spec/hook.ts'
import { read } from './config.ts'
import { dialect } from './index.ts'

const agent = dialect.agent!
const format = dialect.format!
const hint = (event: string) => ({ event, env: {}, cwd: '/' })
const { stdin } = JSON.parse(
  readFileSync(join(import.meta.dirname, 'fixtures/PreToolUse.basic.json'), 'utf8'),
)
const shell = agent.decode(stdin, hint('PreToolUse'))

/** As its source builds it: nothing records a PostToolUse. */
const after = agent.decode(
  { ...stdin, event_type: 'PostToolUse', tool_result: { status: 'success', output: 'hi' } },
  hint('PostToolUse'),
)

describe('events of Letta Code', () => {
  it('have canonical tools, and the agent in the place of the session', () => {
    expect(shell).toMatchObject({
      event_type: 'before_tool',
      session_id: 'agent-local-f4bce44d-5629-45ee-8e36-3abccbfe0783',
      work_dir: '/home/dev/project',
      tool_name: 'Shell',
      tool_input: { command: 'echo hi-from-shell', description: 'd' },
      tool_use_id: 'call_2_0',
    })
    expect(shell.context).not.toHaveProperty('subagent_id')
    expect(after).toMatchObject({
      event_type: 'after_tool',
      tool_output: { status: 'success', output: 'hi' },
    })
  })
})

describe('answers to Letta Code', () => {
  it('deny with exit code 2, the only way to block', () => {
    expect(agent.encode({ decision: 'deny', reason: 'NO' }, shell)).toEqual({
      stdout: '',
      stderr: 'NO\n',
      exit_code: 2,
    })
  })

  it('tell everything after a tool as context', () => {
    const { stdout } = agent.encode({ decision: 'deny', reason: 'NO', additional_context: ['C'] }, after)
    expect(JSON.parse(stdout)).toEqual({
      hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: 'NO\n\nC' },
    })
  })

  it('are plain text to a prompt', () => {
    const prompt = agent.decode({ event_type: 'UserPromptSubmit', prompt: 'p' }, hint('UserPromptSubmit'))
    expect(agent.encode({ additional_context: ['C'] }, prompt).stdout).toBe('C\n')
  })
})

describe('hooks written for Letta Code', () => {
  const hook = (native_event: string): Hook => ({
    ...HOOK_DEFAULTS,
    name: 'h',
    format: 'letta',
    scope: 'user',
    events: [],
    native_event,
    run: { type: 'command', argv: ['x'] },
    origin: { file: 'f' },
  })
  const event: HookEvent = { ...shell, agent: 'another' }

  it.each<[string, string, number, string, unknown]>([
    ['exit 2 blocks', 'PreToolUse', 2, '', { decision: 'deny', reason: 'ERR' }],
    [
      'a deny in JSON says nothing',
      'PreToolUse',
      0,
      '{"hookSpecificOutput":{"permissionDecision":"deny"}}',
      {},
    ],
    [
      'context counts after a tool',
      'PostToolUse',
      0,
      '{"additionalContext":"C"}',
      { additional_context: ['C'] },
    ],
    ['plain text is context for a prompt', 'UserPromptSubmit', 0, 'C', { additional_context: ['C'] }],
  ])('%s', (_, native, exit_code, stdout, expected) => {
    expect(format.decode({ exit_code, stdout, stderr: 'ERR' }, event, hook(native)).outcome).toEqual(expected)
  })

  it('are read with milliseconds, and one after another where they block', () => {
    const entry = { hooks: [{ type: 'command', command: 'guard', timeout: 500 }] }
    const text = JSON.stringify({
      hooks: { PreToolUse: [{ matcher: 'Bash', ...entry }], Notification: [entry] },
    })
    expect(read({ path: '/p/.letta/settings.json', text, scope: 'project' }).hooks).toMatchObject([
      { native_event: 'PreToolUse', timeout: 500, mode: 'sequence' },
      { native_event: 'Notification', mode: 'concurrent', blocks: false },
    ])
  })
})
