import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { HookEvent } from '../../spec/event.ts'
import { HOOK_DEFAULTS, type Hook } from '../../spec/hook.ts'
import type { Outcome } from '../../spec/outcome.ts'
import { read } from './config.ts'
import { dialect } from './index.ts'
import { ruleMatcher } from './rule.ts'

const agent = dialect.agent!
const format = dialect.format!

function recorded(file: string): HookEvent {
  const path = join(import.meta.dirname, 'fixtures', `${file}.json`)
  return agent.decode(JSON.parse(readFileSync(path, 'utf8')).stdin, { env: {}, cwd: '/' })
}

function answer(file: string, outcome: Outcome): unknown {
  const { stdout, stderr, exit_code } = agent.encode(outcome, recorded(file))
  return exit_code !== 0 ? { exit_code, stderr } : stdout === '' ? '' : JSON.parse(stdout)
}

describe('events of Claude Code', () => {
  it('have canonical tools and fields', () => {
    expect(recorded('PreToolUse.Edit')).toMatchObject({
      event_type: 'before_tool',
      session_id: '9aa2a464-10ed-4fdd-803b-cc72f6331580',
      work_dir: '/home/dev/project',
      tool_name: 'EditFile',
      native_tool_name: 'Edit',
      tool_input: { path: '/home/dev/project/b.txt', old_string: 'one', new_string: 'two' },
      tool_use_id: 'toolu_fake0004',
      context: { permission_mode: 'acceptEdits', transcript_path: expect.stringContaining('.jsonl') },
    })
    expect(recorded('PreToolUse.Bash.in_subagent').context).toMatchObject({
      subagent_id: 'abdd39dfec74a8a5f',
      subagent_type: 'general-purpose',
    })
    expect(recorded('PreToolUse.mcp__lab__echo').tool_name).toBe('mcp__lab__echo')
    expect(recorded('Stop.bgtasks')).toMatchObject({
      event_type: 'before_stop',
      final_message: { role: 'assistant', content: 'all done' },
      context: { stop_hook_active: false },
    })
    expect(recorded('CwdChanged.basic')).toMatchObject({
      path: '/home/dev/project/sub',
      previous_path: '/home/dev/project',
    })
    expect(recorded('FileChanged.change')).toMatchObject({ path: '/home/dev/project/.env', kind: 'change' })
    expect(recorded('PostToolBatch.basic')).toMatchObject({
      event_type: 'claude-code/PostToolBatch',
      tool_calls: [{ tool_name: 'Bash' }],
    })
  })
})

describe('answers to Claude Code', () => {
  it.each<[string, string, Outcome, unknown]>([
    [
      'a deny is JSON, not exit code 2',
      'PreToolUse.Write',
      { decision: 'deny', reason: 'NO' },
      pre({ permissionDecision: 'deny', permissionDecisionReason: 'NO' }),
    ],
    [
      'an ask is an ask',
      'PreToolUse.Write',
      { decision: 'ask', reason: 'SURE?' },
      pre({ permissionDecision: 'ask', permissionDecisionReason: 'SURE?' }),
    ],
    ['an allow approves nothing', 'PreToolUse.Write', { decision: 'allow', reason: 'fine' }, ''],
    [
      'a stop also denies, or the tool would run',
      'PreToolUse.Write',
      { stop: 'ENOUGH' },
      {
        continue: false,
        stopReason: 'ENOUGH',
        ...pre({ permissionDecision: 'deny', permissionDecisionReason: 'ENOUGH' }),
      },
    ],
    [
      'a rewrite is the whole native input',
      'PreToolUse.Write',
      { updated_input: { path: '/x' } },
      pre({ updatedInput: { file_path: '/x', content: 'one\n' } }),
    ],
    [
      'context goes with a deny',
      'PreToolUse.Write',
      { decision: 'deny', reason: 'NO', additional_context: ['A', 'B'] },
      pre({ permissionDecision: 'deny', permissionDecisionReason: 'NO', additionalContext: 'A\n\nB' }),
    ],
    ['a message is for the person', 'PreToolUse.Write', { user_message: 'hi' }, { systemMessage: 'hi' }],
    [
      'a deny after the tool is feedback',
      'PostToolUse.Write',
      { decision: 'deny', reason: 'NO' },
      { decision: 'block', reason: 'NO' },
    ],
    [
      'a replaced text keeps the shape of the tool',
      'PostToolUse.Read',
      { updated_output: 'NEW' },
      {
        hookSpecificOutput: {
          hookEventName: 'PostToolUse',
          updatedToolOutput: {
            type: 'text',
            file: {
              filePath: '/home/dev/project/b.txt',
              content: 'NEW',
              numLines: 2,
              startLine: 1,
              totalLines: 2,
            },
          },
        },
      },
    ],
    [
      'an MCP tool takes any output',
      'PostToolUse.mcp__lab__elicit',
      { updated_output: 'NEW' },
      { hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput: 'NEW' } },
    ],
    [
      'a deny at the stop continues with the context',
      'Stop.bgtasks',
      { decision: 'deny', reason: 'TESTS', additional_context: ['C'] },
      { decision: 'block', reason: 'TESTS\n\nC' },
    ],
    [
      'a stop at the stop is not beaten by a block',
      'Stop.bgtasks',
      { decision: 'deny', reason: 'R', stop: 'S' },
      { continue: false, stopReason: 'S' },
    ],
    [
      'tasks are blocked',
      'TaskCreated.basic',
      { decision: 'deny', reason: 'NO' },
      { decision: 'block', reason: 'NO' },
    ],
    [
      'a permission is granted by an allow',
      'PermissionRequest.Bash',
      { decision: 'allow' },
      permission({ behavior: 'allow' }),
    ],
    [
      'a permission is refused with a message',
      'PermissionRequest.Bash',
      { decision: 'deny', reason: 'NO' },
      permission({ behavior: 'deny', message: 'NO' }),
    ],
    [
      'a stopped permission interrupts',
      'PermissionRequest.Bash',
      { stop: 'NO' },
      {
        continue: false,
        stopReason: 'NO',
        ...permission({ behavior: 'deny', message: 'NO', interrupt: true }),
      },
    ],
    [
      'compaction is blocked',
      'PreCompact.manual',
      { decision: 'deny', reason: 'NO' },
      { decision: 'block', reason: 'NO' },
    ],
    [
      'a model switch is refused',
      'PreModelSwitch.sdk',
      { decision: 'deny', reason: 'NO' },
      {
        hookSpecificOutput: {
          hookEventName: 'PreModelSwitch',
          permissionDecision: 'deny',
          permissionDecisionReason: 'NO',
        },
      },
    ],
    [
      'a question is answered',
      'Elicitation.form',
      { updated_output: { name: 'Bob' } },
      { hookSpecificOutput: { hookEventName: 'Elicitation', action: 'accept', content: { name: 'Bob' } } },
    ],
  ])('%s', (_, file, outcome, expected) => {
    expect(answer(file, outcome)).toEqual(expected)
  })

  it('are plain text before compaction', () => {
    expect(agent.encode({ additional_context: ['keep X'] }, recorded('PreCompact.manual')).stdout).toBe(
      'keep X\n',
    )
  })
})

describe('hooks written for Claude Code', () => {
  const shell: HookEvent = {
    event_type: 'before_tool',
    timestamp: '2026-01-01T00:00:00Z',
    session_id: 's',
    work_dir: '/p',
    context: {},
    agent: 'another',
    tool_name: 'WriteFile',
    tool_input: { path: '/p/a', content: 'x' },
    native_tool_name: 'write_file',
  }
  const hook = (native: string, run: Hook['run'] = { type: 'command', argv: ['x'] }): Hook => ({
    ...HOOK_DEFAULTS,
    name: 'h',
    format: 'claude-code',
    scope: 'user',
    events: [],
    native_event: native,
    run,
    origin: { file: 'f' },
  })
  const decoded = (exit_code: number, stdout: string, stderr = '', native = 'PreToolUse') =>
    format.decode({ exit_code, stdout, stderr }, shell, hook(native)).outcome

  it('get the payload that they expect, whoever fired', () => {
    const input = format.encode(shell, hook('PreToolUse'), {})
    expect(JSON.parse(input.text)).toEqual({
      session_id: 's',
      cwd: '/p',
      hook_event_name: 'PreToolUse',
      transcript_path: '',
      permission_mode: 'default',
      tool_name: 'Write',
      tool_input: { file_path: '/p/a', content: 'x' },
      tool_use_id: '',
    })
    expect(input.env).toMatchObject({ CLAUDE_PROJECT_DIR: '/p' })
  })

  it.each<[string, unknown, unknown]>([
    [
      'exit 2 blocks, also with an allow on stdout',
      decoded(2, JSON.stringify(pre({ permissionDecision: 'allow' })), 'ERR'),
      { decision: 'deny', reason: 'ERR' },
    ],
    ['silent exit 2 blocks', decoded(2, ''), { decision: 'deny', reason: 'Blocked by hook' }],
    [
      'exit 1 is a failure',
      decoded(1, '', 'E'),
      { failed: true, kind: 'failed', retryable: false, exit_code: 1, message: 'exit code 1: E' },
    ],
    [
      'JSON counts with exit 1 too',
      decoded(1, JSON.stringify(pre({ permissionDecision: 'deny', permissionDecisionReason: 'R' }))),
      { decision: 'deny', reason: 'R' },
    ],
    [
      'a rewrite comes back in canonical fields',
      decoded(0, JSON.stringify(pre({ updatedInput: { file_path: '/q', content: 'y' } }))),
      { updated_input: { path: '/q', content: 'y' } },
    ],
    [
      'the older words work',
      decoded(0, '{"decision":"block","reason":"R"}'),
      { decision: 'deny', reason: 'R' },
    ],
    [
      'a text around the JSON loses it',
      decoded(0, `log\n${JSON.stringify(pre({ permissionDecision: 'deny' }))}`),
      {},
    ],
    [
      'a wrong event name is invalid',
      decoded(0, '{"hookSpecificOutput":{"permissionDecision":"deny"}}'),
      expect.objectContaining({ failed: true }),
    ],
    [
      'a wrong decision is invalid',
      decoded(0, JSON.stringify(pre({ permissionDecision: 'nope' }))),
      expect.objectContaining({ failed: true }),
    ],
    ['continue: false stops', decoded(0, '{"continue":false,"stopReason":"S"}'), { stop: 'S' }],
    [
      'plain text is context for a prompt',
      decoded(0, 'C\n', '', 'UserPromptSubmit'),
      { additional_context: ['C'] },
    ],
    ['plain text is nothing before a tool', decoded(0, 'C\n'), {}],
  ])('%s', (_, outcome, expected) => {
    expect(outcome).toEqual(expected)
  })

  it('may be prompts and URLs', () => {
    const verdict = format.decode(
      { value: { ok: false, reason: 'R' } },
      shell,
      hook('PreToolUse', { type: 'prompt', template: 't' }),
    )
    expect(verdict.outcome).toEqual({ decision: 'deny', reason: 'R' })
    const http = hook('PreToolUse', { type: 'http', url: 'http://x' })
    expect(
      format.decode(
        { status: 200, value: pre({ permissionDecision: 'deny', permissionDecisionReason: 'R' }) },
        shell,
        http,
      ).outcome,
    ).toEqual({ decision: 'deny', reason: 'R' })
    expect(format.decode({ status: 403, value: {} }, shell, http).outcome).toMatchObject({ failed: true })
  })

  it('are read from settings with their matchers and limits', () => {
    const { hooks, problems } = read({
      path: '/p/.claude/settings.json',
      scope: 'project',
      text: JSON.stringify({
        hooks: {
          PreToolUse: [
            { matcher: 'Bash|Write', hooks: [{ type: 'command', command: 'guard', timeout: 5 }] },
            {
              matcher: 'Edit',
              hooks: [
                {
                  type: 'command',
                  command: 'a b',
                  args: [`\${CLAUDE_PROJECT_DIR}/x`, "it's"],
                  onFailure: 'block',
                },
              ],
            },
            { matcher: 'mcp__.*', hooks: [{ type: 'http', url: 'http://h/x' }] },
            { matcher: '[', hooks: [{ type: 'command', command: 'never' }] },
            {
              hooks: [
                { type: 'command', command: 'crosshook hook claude-code PreToolUse' },
                { type: 'mcp_tool', server: 's', tool: 't' },
              ],
            },
          ],
          SessionStart: [
            { matcher: 'startup|resume', hooks: [{ type: 'command', command: 'x', async: true }] },
          ],
          Nonsense: [{ hooks: [{ type: 'command', command: 'x' }] }],
        },
      }),
    })
    expect(
      hooks.map(({ name, matcher, timeout, mode, on_failure, blocks }) => ({
        name,
        matcher,
        timeout,
        mode,
        on_failure,
        blocks,
      })),
    ).toEqual([
      {
        name: '.claude/settings.json#PreToolUse.1',
        matcher: { tool_names: ['Bash', 'Write', 'Shell', 'WriteFile'] },
        timeout: 5000,
        mode: 'concurrent',
        on_failure: 'open',
        blocks: true,
      },
      {
        name: '.claude/settings.json#PreToolUse.2',
        matcher: {
          any: [
            { agents: ['claude-code'], tool_names: ['Edit'] },
            { not: { agents: ['claude-code'] }, tool_names: ['Edit', 'EditFile'] },
          ],
        },
        timeout: 600_000,
        mode: 'concurrent',
        on_failure: 'closed',
        blocks: true,
      },
      {
        name: '.claude/settings.json#PreToolUse.3',
        matcher: { any: [{ tool: 'mcp__.*' }] },
        timeout: 600_000,
        mode: 'concurrent',
        on_failure: 'open',
        blocks: true,
      },
      {
        name: '.claude/settings.json#SessionStart.1',
        matcher: { subject_pattern: '^(?:startup|resume)$' },
        timeout: 600_000,
        mode: 'background',
        on_failure: 'open',
        blocks: false,
      },
    ])
    expect(hooks[1]!.run).toEqual({
      type: 'command',
      shell: '/bin/sh',
      args: ['-c'],
      command: `'a b' "\${CLAUDE_PROJECT_DIR}"'/x' 'it'\\''s'`,
    })
    expect(problems.map(({ level, hook }) => [level, hook])).toEqual([
      ['error', '.claude/settings.json#PreToolUse.4'],
      ['error', '.claude/settings.json#PreToolUse.5'],
      ['warning', '.claude/settings.json#Nonsense.1'],
    ])
  })

  it('understand permission rules as conditions', () => {
    expect(ruleMatcher('Bash(git *)')).toEqual({ tool_names: ['Bash', 'Shell'], command: '^git(?: .*)?$' })
    expect(ruleMatcher('Bash(npm run:*)')).toMatchObject({ command: '^npm run(?:\\s.*)?$' })
    expect(ruleMatcher('Read(src/**)')).toEqual({ tool_names: ['Read', 'ReadFile'], path: 'src/**' })
    expect(ruleMatcher('not a rule!')).toBeUndefined()
  })
})

function pre(members: object): object {
  return { hookSpecificOutput: { hookEventName: 'PreToolUse', ...members } }
}

function permission(decision: object): object {
  return { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } }
}
