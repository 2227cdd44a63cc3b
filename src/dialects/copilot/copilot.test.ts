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

function answer(event: HookEvent, outcome: Outcome): unknown {
  const { stdout, stderr, exit_code } = agent.encode(outcome, event)
  expect({ stderr, exit_code }).toEqual({ stderr: '', exit_code: 0 })
  return stdout === '' ? '' : JSON.parse(stdout)
}

const prompt = agent.decode(
  { sessionId: 's', timestamp: 1794755726536, cwd: '/p', prompt: 'do it' },
  { event: 'userPromptSubmitted', env: {}, cwd: '/' },
)

describe('events of Copilot CLI', () => {
  it('have canonical tools and fields in both spellings', () => {
    expect(recorded('preToolUse.basic.3')).toMatchObject({
      event_type: 'before_tool',
      session_id: '9cbbc294-5c38-4181-a3ae-2277a2609ec6',
      work_dir: '/home/dev/project',
      native_event: 'preToolUse',
    })
    expect(recorded('PreToolUse.pascal.3')).toMatchObject({
      event_type: 'before_tool',
      tool_name: 'WriteFile',
      native_tool_name: 'Write',
      tool_input: { path: '/home/dev/project/new.txt', content: 'abc' },
    })
    expect(recorded('postToolUse.basic.4')).toMatchObject({
      tool_name: 'EditFile',
      tool_input: { path: '/home/dev/project/new.txt', old_string: 'abc', new_string: 'xyz' },
      tool_output: { resultType: 'success' },
    })
    expect(recorded('permissionRequest.basic.3')).toMatchObject({
      event_type: 'permission_request',
      tool_name: 'EditFile',
      tool_input: { path: '/home/dev/project/new.txt', patch: expect.stringContaining('+abc') },
    })
    expect(recorded('Stop.pascal')).toMatchObject({ event_type: 'before_stop', stop_reason: 'end_turn' })
    expect(recorded('SubagentStop.pascal')).toMatchObject({
      event_type: 'subagent_stop',
      subagent_type: 'explore',
      subagent_name: 'explore',
      result: 'sub answer',
    })
    expect(prompt).toMatchObject({ event_type: 'before_agent', prompt: 'do it' })
    expect(prompt.timestamp).toBe('2026-11-15T15:15:26.536Z')
  })
})

describe('answers to Copilot CLI', () => {
  const shell = recorded('preToolUse.ask')
  it.each<[string, HookEvent, Outcome, unknown]>([
    [
      'a deny is JSON, since an exit code loses the reason',
      shell,
      { decision: 'deny', reason: 'NO', additional_context: ['C'] },
      { permissionDecision: 'deny', permissionDecisionReason: 'NO', additionalContext: 'C' },
    ],
    [
      'an ask is an ask',
      shell,
      { decision: 'ask', reason: 'SURE?' },
      { permissionDecision: 'ask', permissionDecisionReason: 'SURE?' },
    ],
    [
      'a rewrite is the whole input, and approves nothing',
      shell,
      { updated_input: { command: 'ls' } },
      { modifiedArgs: { command: 'ls', description: 'd' } },
    ],
    [
      'events in PascalCase are answered in their own way',
      recorded('PreToolUse.pascal.3'),
      { updated_input: { path: '/x' } },
      {
        hookSpecificOutput: {
          hookEventName: 'PreToolUse',
          updatedInput: { path: '/x', file_text: 'abc' },
        },
      },
    ],
    [
      'a result is replaced',
      recorded('postToolUse.basic.4'),
      { updated_output: 'NEW', additional_context: ['C'] },
      { modifiedResult: { resultType: 'success', textResultForLlm: 'NEW' }, additionalContext: 'C' },
    ],
    [
      'context beside a block would be lost, so it goes into the reason',
      recorded('postToolUse.basic.4'),
      { decision: 'deny', reason: 'NO', additional_context: ['C'] },
      { decision: 'block', reason: 'NO\n\nC' },
    ],
    [
      'a prompt is rewritten',
      prompt,
      { updated_input: { prompt: 'P' }, additional_context: ['C'] },
      { modifiedPrompt: 'P', additionalContext: 'C' },
    ],
    ['a prompt is dropped', prompt, { decision: 'deny', reason: 'NO' }, { decision: 'block', reason: 'NO' }],
    [
      'context of a session is not nested',
      recorded('SessionStart.claudecontinue'),
      { additional_context: ['C'] },
      { additionalContext: 'C' },
    ],
    [
      'a permission is refused',
      recorded('permissionRequest.basic.2'),
      { decision: 'deny', reason: 'NO' },
      { behavior: 'deny', message: 'NO' },
    ],
    [
      'a permission is granted',
      recorded('permissionRequest.basic.2'),
      { decision: 'allow' },
      { behavior: 'allow' },
    ],
    [
      'the agent goes on',
      recorded('agentStop.ask'),
      { decision: 'deny', reason: 'TESTS' },
      { decision: 'block', reason: 'TESTS' },
    ],
  ])('%s', (_, event, outcome, expected) => {
    expect(answer(event, outcome)).toEqual(expected)
  })
})

describe('another program that runs the same files', () => {
  it('is told apart by its words, and gets no answer', () => {
    const native = { hook_event_name: 'PreToolUse', session_id: 's', tool_name: 'run_in_terminal' }
    expect(agent.isForeign!(native, {})).toBe(true)
    expect(agent.isForeign!(native, { COPILOT_CLI: '1' })).toBe(false)
    expect(agent.isForeign!({ sessionId: 's', toolName: 'bash' }, {})).toBe(false)
  })
})

describe('hooks written for Copilot CLI', () => {
  const write: HookEvent = {
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
  const hook = (native_event: string): Hook => ({
    ...HOOK_DEFAULTS,
    name: 'h',
    format: 'copilot',
    scope: 'user',
    events: [],
    native_event,
    run: { type: 'command', argv: ['x'] },
    origin: { file: 'f' },
  })

  it('get the payload of the spelling that they chose', () => {
    expect(JSON.parse(format.encode(write, hook('preToolUse'), {}).text)).toEqual({
      sessionId: 's',
      cwd: '/p',
      timestamp: 1767225600000,
      toolName: 'create',
      toolArgs: { path: '/p/a', file_text: 'x' },
    })
    expect(JSON.parse(format.encode(write, hook('PreToolUse'), {}).text)).toMatchObject({
      session_id: 's',
      hook_event_name: 'PreToolUse',
      tool_name: 'Write',
      tool_input: { path: '/p/a', file_text: 'x' },
    })
  })

  it.each<[string, string, number, string, unknown]>([
    ['exit 2 blocks', 'preToolUse', 2, '', { decision: 'deny', reason: 'ERR' }],
    [
      'any failure before a tool blocks',
      'preToolUse',
      1,
      '',
      { decision: 'deny', reason: 'The hook failed: exit code 1: ERR' },
    ],
    ['other failures do not', 'agentStop', 1, '', expect.objectContaining({ failed: true })],
    ['what is not JSON says nothing', 'preToolUse', 0, 'not json at all', {}],
    [
      'a rewrite comes back in canonical fields',
      'preToolUse',
      0,
      '{"modifiedArgs":{"path":"/q","file_text":"y"}}',
      { updated_input: { path: '/q', content: 'y' } },
    ],
    [
      'a nested answer counts in PascalCase',
      'PreToolUse',
      0,
      '{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"R"}}',
      { decision: 'deny', reason: 'R' },
    ],
  ])('%s', (_, native, exit_code, stdout, expected) => {
    const { outcome } = format.decode({ exit_code, stdout, stderr: 'ERR' }, write, hook(native))
    expect(outcome).toEqual(expected)
  })

  it('are read with their matcher, which must fit the whole name', () => {
    const text = JSON.stringify({
      version: 1,
      hooks: {
        preToolUse: [{ type: 'command', bash: './guard.sh', matcher: 'ba.*', timeoutSec: 5 }],
        nope: [{ type: 'command', bash: 'x' }],
      },
    })
    const { hooks, problems } = read({ path: '/p/.github/hooks/x.json', text, scope: 'project' })
    expect(hooks).toMatchObject([
      {
        events: ['before_tool'],
        native_event: 'preToolUse',
        mode: 'sequence',
        timeout: 5000,
        run: { type: 'command', command: './guard.sh' },
        matcher: { any: [{ tool: '^(?:ba.*)$' }, expect.anything()] },
      },
    ])
    expect(problems).toMatchObject([{ level: 'warning', message: expect.stringContaining('"nope"') }])
  })
})

describe('an entry of crosshook for another agent', () => {
  it('is never taken for a hook: it would call crosshook without end', () => {
    const command = "'/opt/cross hook/bin/crosshook' hook vscode PreToolUse"
    const text = JSON.stringify({ version: 1, hooks: { PreToolUse: [{ type: 'command', command }] } })
    expect(read({ path: '/p/.github/hooks/y.json', text, scope: 'project' }).hooks).toEqual([])
  })
})

describe('the hook file of Copilot CLI', () => {
  it('is made with its version and goes with our entries', () => {
    const [file] = installer.files({ home: '/h', project: '/p', env: {}, level: 'user' })
    const line = (event: string) => `crosshook hook copilot ${event}`
    const text = file!.add(undefined, { line, argv: (event) => line(event).split(' ') })
    expect(file!.path).toBe('/h/.copilot/hooks/crosshook.json')
    expect(JSON.parse(text)).toMatchObject({
      version: 1,
      hooks: { preToolUse: [{ type: 'command', command: line('preToolUse') }] },
    })
    expect(Object.keys(JSON.parse(text).hooks)).not.toContain('PreToolUse')
    expect(file!.remove(text)).toBeUndefined()
  })
})
