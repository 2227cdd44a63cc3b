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
const hint = { env: {}, cwd: '/' }

function recorded(file: string): HookEvent {
  const path = join(import.meta.dirname, 'fixtures', `${file}.json`)
  return agent.decode(JSON.parse(readFileSync(path, 'utf8')).stdin, hint)
}

describe('events of Kimi Code', () => {
  it('have canonical tools and fields', () => {
    expect(recorded('PreToolUse.record_all-2')).toMatchObject({
      event_type: 'before_tool',
      tool_name: 'ReadFile',
      tool_input: { path: '/nonexistent/file.txt' },
      tool_use_id: 'call_2_0',
    })
    expect(recorded('UserPromptSubmit.background')).toMatchObject({
      event_type: 'before_agent',
      prompt: 'MAIN-PROMPT hello',
    })
    expect(recorded('PostToolUseFailure.post_exit2')).toMatchObject({
      event_type: 'after_tool_failure',
      error: expect.stringContaining('Process exited with code 3'),
    })
    expect(recorded('SubagentStart.stop_subagent')).toMatchObject({
      subagent_type: 'explore',
      task_description: expect.stringContaining('SUBAGENT-TASK'),
    })
    expect(recorded('TaskStarted.background')).toMatchObject({
      event_type: 'kimi-code/TaskStarted',
      task_id: 'bash-tbhwreon',
    })
    expect(recorded('Notification.background')).toMatchObject({
      message: expect.stringContaining('bg completed'),
    })
  })

  it('tell a granted permission from a refused one', () => {
    const result = (decision: string) =>
      agent.decode({ hook_event_name: 'PermissionResult', tool_name: 'Bash', tool_input: {}, decision }, hint)
        .event_type
    expect([result('approved'), result('rejected')]).toEqual(['permission_granted', 'permission_denied'])
  })
})

describe('answers to Kimi Code', () => {
  const exit = (reason: string) => ({ stdout: '', stderr: `${reason}\n`, exit_code: 2 })
  const silence = { stdout: '', stderr: '', exit_code: 0 }
  it.each<[string, string, Outcome, unknown]>([
    ['a deny is exit code 2', 'PreToolUse.compact-2', { decision: 'deny', reason: 'NO' }, exit('NO')],
    [
      'an ask that slipped through is a deny',
      'PreToolUse.compact-2',
      { decision: 'ask', reason: 'SURE?' },
      exit('SURE?'),
    ],
    [
      'a rewrite that slipped through is a deny',
      'PreToolUse.compact-2',
      { updated_input: { command: 'x' } },
      exit('Blocked by a hook that gave no reason.'),
    ],
    [
      'context to a prompt is plain text',
      'UserPromptSubmit.background',
      { additional_context: ['A', 'B'] },
      { ...silence, stdout: 'A\n\nB\n' },
    ],
    [
      'context that looks like JSON stays a text',
      'UserPromptSubmit.background',
      { additional_context: ['{"message":"x"}'] },
      { ...silence, stdout: 'Note: {"message":"x"}\n' },
    ],
    ['a deny at the stop goes on', 'Stop.acp_approve', { decision: 'deny', reason: 'TESTS' }, exit('TESTS')],
    ['an event that only watches hears nothing', 'PostToolUse.acp_approve', { user_message: 'hi' }, silence],
  ])('%s', (_, file, outcome, expected) => {
    expect(agent.encode(outcome, recorded(file))).toEqual(expected)
  })
})

describe('hooks written for Kimi Code', () => {
  const hook = (native: string): Hook => ({
    ...HOOK_DEFAULTS,
    name: 'h',
    format: 'kimi-code',
    scope: 'user',
    events: [],
    native_event: native,
    run: { type: 'command', argv: ['x'] },
    origin: { file: 'f' },
  })
  const event = recorded('PreToolUse.compact-2')
  const decoded = (exit_code: number, stdout: string, stderr = '', native = 'PreToolUse') =>
    format.decode({ exit_code, stdout, stderr }, event, hook(native)).outcome
  const failed = expect.objectContaining({ failed: true })

  it.each<[string, unknown, unknown]>([
    ['exit 2 blocks with stderr', decoded(2, 'O', 'E'), { decision: 'deny', reason: 'E' }],
    ['silent exit 2 blocks', decoded(2, ''), { decision: 'deny', reason: 'Blocked by PreToolUse hook' }],
    [
      'a permission decision blocks',
      decoded(0, '{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"R"}}'),
      { decision: 'deny', reason: 'R' },
    ],
    ['a top-level decision does not', decoded(0, '{"decision":"deny","reason":"R"}'), {}],
    [
      'a rewrite is ignored',
      decoded(0, '{"hookSpecificOutput":{"permissionDecision":"allow","updatedInput":{}}}'),
      {},
    ],
    [
      'JSON with exit 1 is a failure',
      decoded(1, '{"hookSpecificOutput":{"permissionDecision":"deny"}}'),
      failed,
    ],
    [
      'stdout is context for a prompt',
      decoded(0, 'C\n', '', 'UserPromptSubmit'),
      { additional_context: ['C'] },
    ],
    [
      'a message is unwrapped',
      decoded(0, '{"message":"M"}', '', 'UserPromptSubmit'),
      { additional_context: ['M'] },
    ],
  ])('%s', (_, outcome, expected) => {
    expect(outcome).toEqual(expected)
  })

  it('get the prompt in parts', () => {
    const foreign = { ...event, agent: 'another', event_type: 'before_agent', prompt: 'hello', native: {} }
    expect(JSON.parse(format.encode(foreign, hook('UserPromptSubmit'), {}).text)).toMatchObject({
      hook_event_name: 'UserPromptSubmit',
      prompt: [{ type: 'text', text: 'hello' }],
      client_type: 'kimi_code_cli',
    })
  })

  it('are read with their patterns, each on its own', () => {
    const { hooks, problems } = read({
      path: '/home/dev/.kimi-code/config.toml',
      scope: 'user',
      text: [
        "[[hooks]]\nevent = 'PreToolUse'\nmatcher = 'Ba'\ncommand = 'a'",
        "[[hooks]]\nevent = 'UserPromptSubmit'\nmatcher = 'deploy'\ncommand = 'b'\ntimeout = 5",
        "[[hooks]]\nevent = 'Stop'\nmatcher = 'x'\ncommand = 'c'",
        "[[hooks]]\nevent = 'PreToolUse'\ncommand = 'd'\ntimeout = 601",
        "[[hooks]]\nevent = 'Nope'\ncommand = 'e'",
        "[[hooks]]\nevent = 'Stop'\ncommand = 'crosshook hook kimi-code Stop'",
      ].join('\n'),
    })
    expect(
      hooks.map(({ name, matcher, timeout, origin }) => ({ name, matcher, timeout, line: origin.line })),
    ).toEqual([
      {
        name: '~/.kimi-code/config.toml#PreToolUse.1',
        matcher: { any: [{ tool: 'Ba' }, { tool_names: ['Bash', 'Shell'] }] },
        timeout: 30_000,
        line: 1,
      },
      {
        name: '~/.kimi-code/config.toml#UserPromptSubmit.1',
        matcher: { when: 'prompt.matches("deploy")' },
        timeout: 5000,
        line: 5,
      },
    ])
    expect(problems.map(({ level, line }) => [level, line])).toEqual([
      ['error', 10],
      ['error', 14],
      ['warning', 18],
    ])
  })
})

describe('the settings of Kimi Code', () => {
  const [file] = installer.files({ home: '/home/dev', project: '/p', env: {}, level: 'user' })
  const command = { line: (event: string) => `crosshook hook kimi-code ${event}`, argv: () => [] }

  it('take only events that every version knows', () => {
    const found = file!.find(file!.add(undefined, command)).map(({ event }) => event)
    expect(found).toHaveLength(13)
    expect(found).not.toContain('TurnStarted')
  })

  it('are left alone beside an entry over which all hooks would be dropped', () => {
    for (const entry of [
      "event = 'Nope'\ncommand = 'x'",
      "event = 'Stop'\ncommand = 'x'\nname = 'n'",
      "event = 'Stop'",
    ])
      expect(() => file!.add(`[[hooks]]\n${entry}\n`, command)).toThrowError(
        expect.objectContaining({ code: 'bad_settings' }),
      )
  })

  it('lose our entries also when a program rewrote the file without our marks', () => {
    const rewritten = file!.add('a = 1\n', command).replace(/^#.*\n/gm, '')
    expect(file!.remove(rewritten)).toBe('a = 1\n')
  })
})
