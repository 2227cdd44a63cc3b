import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { HookEvent } from '../../spec/event.ts'
import { HOOK_DEFAULTS, type Hook } from '../../spec/hook.ts'
import type { Outcome } from '../../spec/outcome.ts'
import { installer, read } from './config.ts'
import { dialect } from './index.ts'
import { trustHash } from './trust.ts'

const agent = dialect.agent!
const format = dialect.format!

function recorded(file: string): HookEvent {
  const path = join(import.meta.dirname, 'fixtures', `${file}.json`)
  return agent.decode(JSON.parse(readFileSync(path, 'utf8')).stdin, { env: {}, cwd: '/' })
}

function shellCall(): HookEvent {
  const native = {
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'ls' },
    cwd: '/p',
  }
  return agent.decode(native, { env: {}, cwd: '/' })
}

function answer(event: HookEvent, outcome: Outcome): unknown {
  const { stdout, exit_code } = agent.encode(outcome, event)
  expect(exit_code).toBe(0)
  return stdout === '' ? '' : JSON.parse(stdout)
}

describe('events of Codex', () => {
  it('have canonical tools and fields', () => {
    expect(recorded('PreToolUse.app_base-apply_patch')).toMatchObject({
      event_type: 'before_tool',
      tool_name: 'EditFile',
      tool_input: { patch: expect.stringContaining('*** Add File: new.txt') },
    })
    expect(recorded('PostToolUse.subagent-spawn_agent')).toMatchObject({
      tool_name: 'Subagent',
      tool_input: { prompt: 'SUBTASK-MARK work', subagent_type: 'default' },
    })
    expect(recorded('PostModelRequest.app_base-2')).toMatchObject({
      event_type: 'after_model',
      usage: { total_tokens: 110 },
    })
    expect(recorded('Interrupt.app_interrupt').event_type).toBe('codex/Interrupt')
  })
})

describe('answers to Codex', () => {
  const pre = (members: object) => ({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...members } })
  const denied = (reason: string) => pre({ permissionDecision: 'deny', permissionDecisionReason: reason })

  it.each<[string, HookEvent, Outcome, unknown]>([
    ['an allow is silence', shellCall(), { decision: 'allow' }, ''],
    ['a deny has a reason', shellCall(), { decision: 'deny', reason: 'NO' }, denied('NO')],
    [
      'an ask that slipped through is a deny',
      shellCall(),
      { decision: 'ask', reason: 'SURE?' },
      denied('SURE?'),
    ],
    ['a stop that slipped through is a deny', shellCall(), { stop: 'ENOUGH' }, denied('ENOUGH')],
    [
      'a rewrite says allow',
      shellCall(),
      { updated_input: { command: 'pwd', extra: 1 } },
      pre({ permissionDecision: 'allow', updatedInput: { command: 'pwd' } }),
    ],
    [
      'a whole patch may be rewritten',
      recorded('PreToolUse.app_base-apply_patch'),
      { updated_input: { patch: 'P' } },
      pre({ permissionDecision: 'allow', updatedInput: { command: 'P' } }),
    ],
    [
      'another path beside the old patch is refused',
      recorded('PreToolUse.app_base-apply_patch'),
      { updated_input: { path: '/x' } },
      denied(expect.stringContaining('patch') as unknown as string),
    ],
    [
      'an MCP call is rewritten as a whole',
      recorded('PreToolUse.app_base-mcp__lab__echo'),
      { updated_input: { text: 'y' } },
      pre({ permissionDecision: 'allow', updatedInput: { text: 'y' } }),
    ],
    [
      'a new output is the reason of a block',
      recorded('PostToolUse.subagent-Bash-insub'),
      { updated_output: { stdout: 'NEW' } },
      { decision: 'block', reason: 'NEW' },
    ],
    [
      'an emptied output is said to be empty',
      recorded('PostToolUse.subagent-Bash-insub'),
      { updated_output: '' },
      { decision: 'block', reason: '(no output)' },
    ],
    [
      'a deny at the stop continues',
      recorded('Stop.app_base'),
      { decision: 'deny', reason: 'TESTS' },
      { decision: 'block', reason: 'TESTS' },
    ],
    [
      'a deny before compaction halts',
      recorded('PreCompact.app_compact-manual'),
      { decision: 'deny', reason: 'NO' },
      { continue: false, stopReason: 'NO' },
    ],
    [
      'a permission is answered',
      recorded('PermissionRequest.app_perm-Bash'),
      { decision: 'allow' },
      { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } } },
    ],
    [
      'an event that only watches hears nothing',
      recorded('PreModelRequest.app_base-2'),
      { user_message: 'hi' },
      '',
    ],
  ])('%s', (_, event, outcome, expected) => {
    expect(answer(event, outcome)).toEqual(expected)
  })
})

describe('hooks written for Codex', () => {
  const hook = (native: string): Hook => ({
    ...HOOK_DEFAULTS,
    name: 'h',
    format: 'codex',
    scope: 'user',
    events: [],
    native_event: native,
    run: { type: 'command', argv: ['x'] },
    origin: { file: 'f' },
  })
  const write: HookEvent = {
    event_type: 'before_tool',
    timestamp: '2026-01-01T00:00:00Z',
    session_id: 's',
    work_dir: '/p',
    context: {},
    agent: 'another',
    tool_name: 'WriteFile',
    tool_input: { path: 'a.txt', content: 'x\ny\n' },
    native_tool_name: 'write',
  }
  const decoded = (
    exit_code: number,
    stdout: unknown,
    stderr = '',
    native = 'PreToolUse',
    event = shellCall(),
  ) =>
    format.decode(
      { exit_code, stdout: typeof stdout === 'string' ? stdout : JSON.stringify(stdout), stderr },
      event,
      hook(native),
    ).outcome
  const special = (members: object) => ({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...members } })
  const failed = expect.objectContaining({ failed: true })

  it('see the writes of other agents as patches', () => {
    expect(JSON.parse(format.encode(write, hook('PreToolUse'), {}).text)).toMatchObject({
      tool_name: 'apply_patch',
      tool_input: { command: '*** Begin Patch\n*** Add File: a.txt\n+x\n+y\n*** End Patch\n' },
    })
  })

  it.each<[string, unknown, unknown]>([
    ['exit 2 with a reason blocks', decoded(2, '', 'R'), { decision: 'deny', reason: 'R' }],
    ['silent exit 2 fails', decoded(2, ''), failed],
    [
      'exit 1 with a deny fails',
      decoded(1, special({ permissionDecision: 'deny', permissionDecisionReason: 'R' })),
      failed,
    ],
    ['deny without a reason fails', decoded(0, special({ permissionDecision: 'deny' })), failed],
    [
      'an unknown member fails',
      decoded(0, { foo: 1, ...special({ permissionDecision: 'deny', permissionDecisionReason: 'R' }) }),
      failed,
    ],
    ['a bare allow fails', decoded(0, special({ permissionDecision: 'allow' })), failed],
    ['an ask fails', decoded(0, special({ permissionDecision: 'ask' })), failed],
    ['a rewrite without allow fails', decoded(0, special({ updatedInput: { command: 'x' } })), failed],
    [
      'a rewrite with allow is one',
      decoded(0, special({ permissionDecision: 'allow', updatedInput: { command: 'x' } })),
      { updated_input: { command: 'x' } },
    ],
    [
      'a rewritten patch is refused elsewhere',
      decoded(
        0,
        special({ permissionDecision: 'allow', updatedInput: { command: 'x' } }),
        '',
        'PreToolUse',
        write,
      ),
      expect.objectContaining({ decision: 'deny' }),
    ],
    [
      'a wrong event name is taken',
      decoded(0, {
        hookSpecificOutput: {
          hookEventName: 'Stop',
          permissionDecision: 'deny',
          permissionDecisionReason: 'R',
        },
      }),
      { decision: 'deny', reason: 'R' },
    ],
    [
      'the older block works',
      decoded(0, { decision: 'block', reason: 'R' }),
      { decision: 'deny', reason: 'R' },
    ],
    ['plain text is nothing before a tool', decoded(0, 'text'), {}],
    [
      'plain text is context for a prompt',
      decoded(0, 'text', '', 'UserPromptSubmit'),
      { additional_context: ['text'] },
    ],
    ['plain text at the stop fails', decoded(0, 'text', '', 'Stop'), failed],
  ])('%s', (_, outcome, expected) => {
    expect(outcome).toEqual(expected)
  })

  it('are read from hooks.json and from config.toml', () => {
    const json = read({
      path: '/p/.codex/hooks.json',
      scope: 'project',
      text: JSON.stringify({
        hooks: {
          PreToolUse: [
            { matcher: 'Bash|Write', hooks: [{ type: 'command', command: 'a' }] },
            { matcher: 'Bash | Write', hooks: [{ type: 'command', command: 'b', timeout: 2 }] },
            { matcher: '^(?!Bash)', hooks: [{ type: 'command', command: 'c' }] },
          ],
          SessionEnd: [
            {
              hooks: [
                { type: 'command', command: 'd' },
                { type: 'prompt', prompt: 'p' },
              ],
            },
          ],
        },
      }),
    })
    expect(json.hooks.map(({ matcher, timeout }) => ({ matcher, timeout }))).toEqual([
      {
        matcher: { tool_names: ['Bash', 'apply_patch', 'Shell', 'EditFile', 'WriteFile', 'DeleteFile'] },
        timeout: 600_000,
      },
      { matcher: { any: [{ tool: 'Bash | Write' }] }, timeout: 2000 },
      { matcher: {}, timeout: 1000 },
    ])
    expect(json.problems).toHaveLength(2)
    const toml = read({
      path: '/home/dev/.codex/config.toml',
      scope: 'user',
      text: readFileSync(join(import.meta.dirname, 'fixtures/settings/own-hooks.toml'), 'utf8'),
    })
    expect(toml.hooks.map(({ name, run }) => [name, run])).toEqual([
      ['~/.codex/config.toml#PreToolUse.1', expect.objectContaining({ command: 'guard', args: ['-c'] })],
    ])
  })
})

describe('the review record of Codex', () => {
  it('is the digest of the entry in sorted, compact form', () => {
    const text =
      '{"event_name":"pre_tool_use","hooks":[{"async":false,"command":"c","timeout":600,"type":"command"}]}'
    expect(trustHash('PreToolUse', { type: 'command', command: 'c', timeout: 600 })).toBe(
      `sha256:${createHash('sha256').update(text).digest('hex')}`,
    )
  })

  it('needs consent, names every event, and is left alone where the person switched a hook off', () => {
    const [, trust] = installer.files({
      home: '/home/dev',
      project: '/p',
      env: { CODEX_HOME: '/nowhere/codex' },
      level: 'user',
    })
    const command = { line: (event: string) => `crosshook hook codex ${event}`, argv: () => [] }
    expect(trust!.path).toBe('/nowhere/codex/config.toml')
    expect(trust!.consent).toContain('/hooks')
    const off = '[hooks.state."/nowhere/codex/hooks.json:stop:0:0"]\nenabled = false\n'
    const edited = trust!.add(off, command)
    expect(
      trust!
        .find(edited)
        .map(({ event }) => event)
        .sort(),
    ).toEqual(
      Object.keys(dialect.events)
        .filter((event) => event !== 'Stop')
        .sort(),
    )
    expect(trust!.remove(edited)).toBe(off)
  })
})
