import { describe, expect, it } from 'vitest'
import type { HookEvent } from '../../spec/event.ts'
import { HOOK_DEFAULTS, type Hook } from '../../spec/hook.ts'
import type { Outcome } from '../../spec/outcome.ts'
import { installer, read } from './config.ts'
import { dialect } from './index.ts'

const agent = dialect.agent!
const format = dialect.format!

function fired(name: string, fields: object): HookEvent {
  const base = {
    conversation_id: 'c',
    generation_id: 'g',
    workspace_roots: ['/p'],
    cursor_version: '2026.09.18',
  }
  return agent.decode({ ...base, hook_event_name: name, ...fields }, { event: name, env: {}, cwd: '/' })
}
const write = fired('preToolUse', {
  tool_name: 'Write',
  tool_input: { file_path: '/p/a', content: 'x' },
  tool_use_id: 't',
})

describe('events of Cursor', () => {
  it('have canonical tools and fields', () => {
    expect(write).toMatchObject({
      event_type: 'before_tool',
      session_id: 'c',
      work_dir: '/p',
      tool_name: 'WriteFile',
      tool_input: { path: '/p/a', content: 'x' },
      tool_use_id: 't',
    })
    expect(fired('beforeShellExecution', { command: 'ls', cwd: '/p/sub' })).toMatchObject({
      event_type: 'before_tool',
      work_dir: '/p/sub',
      tool_name: 'Shell',
      tool_input: { command: 'ls' },
    })
    expect(fired('beforeMCPExecution', { tool_name: 'query', tool_input: '{"sql":"x"}' }).tool_input).toEqual(
      {
        sql: 'x',
      },
    )
    expect(
      fired('postToolUse', { tool_name: 'Shell', tool_output: '{"exit":0}', duration: 5 }),
    ).toMatchObject({
      tool_output: { exit: 0 },
      duration_ms: 5,
    })
    expect(fired('afterFileEdit', { file_path: '/p/a' })).toMatchObject({
      event_type: 'file_changed',
      path: '/p/a',
    })
  })
})

describe('answers to Cursor', () => {
  it.each<[string, HookEvent, Outcome, unknown]>([
    [
      'a deny is told to the person and to the model',
      write,
      { decision: 'deny', reason: 'NO' },
      { permission: 'deny', user_message: 'NO', agent_message: 'NO' },
    ],
    [
      'a rewrite is the whole input',
      write,
      { updated_input: { content: 'y' } },
      { permission: 'allow', updated_input: { file_path: '/p/a', content: 'y' } },
    ],
    [
      'a prompt is held back',
      fired('beforeSubmitPrompt', { prompt: 'p' }),
      { decision: 'deny', reason: 'NO' },
      { continue: false, user_message: 'NO' },
    ],
    [
      'after a tool the reason is told as context',
      fired('postToolUse', { tool_name: 'Shell' }),
      { decision: 'deny', reason: 'NO', additional_context: ['C'] },
      { additional_context: 'NO\n\nC' },
    ],
    [
      'the agent goes on',
      fired('stop', { status: 'completed' }),
      { decision: 'deny', reason: 'TESTS' },
      { followup_message: 'TESTS' },
    ],
  ])('%s', (_, event, outcome, expected) => {
    expect(JSON.parse(agent.encode(outcome, event).stdout)).toEqual(expected)
  })
})

describe('hooks written for Cursor', () => {
  const hook = (native_event: string): Hook => ({
    ...HOOK_DEFAULTS,
    name: 'h',
    format: 'cursor',
    scope: 'user',
    events: [],
    native_event,
    run: { type: 'command', argv: ['x'] },
    origin: { file: 'f' },
  })
  const shell: HookEvent = { ...fired('beforeShellExecution', { command: 'ls' }), agent: 'another' }

  it('hear of a shell command as Cursor would say it', () => {
    const payload = JSON.parse(format.encode(shell, hook('beforeShellExecution'), {}).text)
    expect(payload).toMatchObject({
      hook_event_name: 'beforeShellExecution',
      conversation_id: 'c',
      command: 'ls',
      workspace_roots: ['/p'],
    })
  })

  it.each<[string, string, string, unknown]>([
    [
      'a permission is a decision',
      'beforeShellExecution',
      '{"permission":"ask","agent_message":"A","user_message":"U"}',
      { decision: 'ask', reason: 'A', user_message: 'U' },
    ],
    ['what is no JSON closes', 'preToolUse', 'log line', expect.objectContaining({ decision: 'deny' })],
    ['but not elsewhere', 'postToolUse', 'log line', {}],
    ['a follow-up goes on', 'stop', '{"followup_message":"M"}', { decision: 'deny', reason: 'M' }],
  ])('%s', (_, native, stdout, expected) => {
    expect(format.decode({ exit_code: 0, stdout, stderr: '' }, shell, hook(native)).outcome).toEqual(expected)
  })

  it('are read with what their matcher is compared with', () => {
    const text = JSON.stringify({
      version: 1,
      hooks: {
        beforeShellExecution: [{ command: './guard.sh', matcher: 'rm|curl', failClosed: true }],
        preToolUse: [{ command: './guard.sh', timeout: 5 }],
      },
    })
    expect(read({ path: '/p/.cursor/hooks.json', text, scope: 'project' }).hooks).toMatchObject([
      { on_failure: 'closed', timeout: 60_000, matcher: { tool_names: ['Shell'], command_text: 'rm|curl' } },
      { on_failure: 'open', timeout: 5000, matcher: {} },
    ])
  })
})

describe('the hooks.json of Cursor', () => {
  it('asks once for each call', () => {
    const [file] = installer.files({ home: '/h', project: '/p', env: {}, level: 'user' })
    const line = (event: string) => `crosshook hook cursor ${event}`
    const { version, hooks } = JSON.parse(file!.add(undefined, { line, argv: () => [] }))
    expect(version).toBe(1)
    expect(Object.keys(hooks)).toContain('preToolUse')
    expect(Object.keys(hooks).filter((name) => /Execution|ReadFile/.test(name))).toEqual([])
  })
})
