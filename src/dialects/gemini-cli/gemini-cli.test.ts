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

function recorded(file: string): HookEvent {
  const path = join(import.meta.dirname, 'fixtures', `${file}.json`)
  return agent.decode(JSON.parse(readFileSync(path, 'utf8')).stdin, { env: {}, cwd: '/' })
}

describe('events of Gemini CLI', () => {
  it('have canonical tools and fields', () => {
    expect(recorded('BeforeTool.tools-list_directory')).toMatchObject({
      event_type: 'before_tool',
      tool_name: 'ListFolder',
      tool_input: { path: '/home/dev/project' },
      timestamp: expect.stringMatching(/^2026/),
    })
    expect(recorded('BeforeTool.mcp-mcp_lab_ping')).toMatchObject({
      tool_name: 'mcp__lab__ping',
      native_tool_name: 'mcp_lab_ping',
    })
    expect(recorded('AfterAgent.aa_exit2-2')).toMatchObject({
      event_type: 'before_stop',
      final_message: { content: 'FINAL ANSWER\nSECOND ANSWER' },
      context: { stop_hook_active: true, prompt: 'please do the thing' },
    })
    expect(recorded('BeforeModel.aa_exit2-2')).toMatchObject({
      event_type: 'before_model',
      model: 'gemini-2.5-flash',
    })
  })

  it('tell a failed tool from one that worked', () => {
    const native = {
      ...(recorded('AfterTool.tools-glob').native as object),
      tool_response: { llmContent: 'no', error: { message: 'BROKEN', type: 't' } },
    }
    expect(recorded('AfterTool.tools-glob').event_type).toBe('after_tool')
    expect(agent.decode(native, { env: {}, cwd: '/' })).toMatchObject({
      event_type: 'after_tool_failure',
      error: 'BROKEN',
    })
  })
})

describe('answers to Gemini CLI', () => {
  const shell = 'BeforeTool.basic-run_shell_command'
  it.each<[string, string, Outcome, unknown]>([
    [
      'a deny is JSON with a reason',
      shell,
      { decision: 'deny', reason: 'NO' },
      { decision: 'deny', reason: 'NO' },
    ],
    [
      'an ask that slipped through is a deny',
      shell,
      { decision: 'ask', reason: 'SURE?' },
      { decision: 'deny', reason: 'SURE?' },
    ],
    [
      'a stop ends the run, and denies',
      shell,
      { stop: 'S' },
      { continue: false, stopReason: 'S', decision: 'deny', reason: 'S' },
    ],
    [
      'a rewrite is the whole input',
      shell,
      { updated_input: { command: 'pwd' } },
      {
        hookSpecificOutput: { hookEventName: 'BeforeTool', tool_input: { command: 'pwd', description: 'd' } },
      },
    ],
    [
      'a replaced output is a deny',
      'AfterTool.tools-glob',
      { updated_output: 'NEW' },
      { decision: 'deny', reason: 'NEW' },
    ],
    [
      'context after a tool is context',
      'AfterTool.tools-glob',
      { additional_context: ['C'] },
      { hookSpecificOutput: { hookEventName: 'AfterTool', additionalContext: 'C' } },
    ],
    [
      'context beside a deny is part of it',
      'AfterTool.tools-glob',
      { decision: 'deny', reason: 'R', additional_context: ['C'] },
      { decision: 'deny', reason: 'R\n\nC' },
    ],
    [
      'a deny at the stop goes on',
      'AfterAgent.aa_exit2-2',
      { decision: 'deny', reason: 'TESTS' },
      { decision: 'deny', reason: 'TESTS' },
    ],
    [
      'a stop at the stop does not go on',
      'AfterAgent.aa_exit2-2',
      { decision: 'deny', reason: 'R', stop: 'S' },
      { continue: false, stopReason: 'S' },
    ],
    [
      'tools are chosen by native names',
      'BeforeToolSelection.basic-2',
      { updated_input: { tools: ['Shell', 'mcp__lab__ping'] } },
      {
        hookSpecificOutput: {
          hookEventName: 'BeforeToolSelection',
          toolConfig: { mode: 'ANY', allowedFunctionNames: ['run_shell_command', 'mcp_lab_ping'] },
        },
      },
    ],
    [
      'a denied choice leaves no tools',
      'BeforeToolSelection.basic-2',
      { decision: 'deny', reason: 'R' },
      {
        systemMessage: 'R',
        hookSpecificOutput: { hookEventName: 'BeforeToolSelection', toolConfig: { mode: 'NONE' } },
      },
    ],
  ])('%s', (_, file, outcome, expected) => {
    const { stdout, exit_code } = agent.encode(outcome, recorded(file))
    expect([exit_code, JSON.parse(stdout)]).toEqual([0, expected])
  })

  it('rewrite the last prompt of a request and keep the rest of it', () => {
    const event = recorded('BeforeModel.aa_exit2-2')
    const sent = JSON.parse(agent.encode({ updated_input: { prompt: 'NEW', model: 'm' } }, event).stdout)
    const before = (event.request as { messages: unknown[] }).messages
    expect(sent.hookSpecificOutput.llm_request.messages).toHaveLength(before.length)
    expect(JSON.stringify(sent)).toContain('"content":"NEW"')
    expect(sent.hookSpecificOutput.llm_request.model).toBe('m')
  })
})

describe('hooks written for Gemini CLI', () => {
  const hook = (native: string): Hook => ({
    ...HOOK_DEFAULTS,
    name: 'h',
    format: 'gemini-cli',
    scope: 'user',
    events: [],
    native_event: native,
    run: { type: 'command', argv: ['x'] },
    origin: { file: 'f' },
  })
  const event = recorded('BeforeTool.subagent-read_file')
  const decoded = (exit_code: number, stdout: string, stderr = '', native = 'BeforeTool') =>
    format.decode({ exit_code, stdout, stderr }, event, hook(native)).outcome
  const failed = expect.objectContaining({ failed: true })

  it.each<[string, unknown, unknown]>([
    ['JSON beats exit 2', decoded(2, '{"decision":"allow"}', 'E'), { decision: 'allow' }],
    ['JSON beats exit 1', decoded(1, '{"decision":"deny","reason":"R"}'), { decision: 'deny', reason: 'R' }],
    ['silent exit 2 does not block', decoded(2, ''), failed],
    ['stdout is the reason before stderr', decoded(2, 'OUT', 'ERR'), { decision: 'deny', reason: 'OUT' }],
    ['exit 127 with a text blocks', decoded(127, '', 'bash: no'), { decision: 'deny', reason: 'bash: no' }],
    ['exit 1 with a text is a failure', decoded(1, '', 'E'), failed],
    ['plain text is for the person', decoded(0, 'hello'), { user_message: 'hello' }],
    [
      'JSON on stderr counts when stdout is empty',
      decoded(0, '', '{"decision":"block","reason":"R"}'),
      { decision: 'deny', reason: 'R' },
    ],
    [
      'JSON in a JSON string counts',
      decoded(0, '"{\\"decision\\":\\"deny\\",\\"reason\\":\\"R\\"}"'),
      { decision: 'deny', reason: 'R' },
    ],
    [
      'a rewrite comes back canonical',
      decoded(0, '{"hookSpecificOutput":{"tool_input":{"file_path":"/x"}}}'),
      { updated_input: { path: '/x' } },
    ],
    [
      'the words of others are ignored',
      decoded(0, '{"hookSpecificOutput":{"permissionDecision":"deny"}}'),
      {},
    ],
    ['continue: false stops', decoded(0, '{"continue":false,"stopReason":"S"}'), { stop: 'S' }],
  ])('%s', (_, outcome, expected) => {
    expect(outcome).toEqual(expected)
  })

  it('get MCP tools under their own names', () => {
    const foreign: HookEvent = {
      ...event,
      agent: 'another',
      tool_name: 'mcp__lab__ping',
      tool_input: { msg: 'x' },
      native: {},
    }
    expect(JSON.parse(format.encode(foreign, hook('BeforeTool'), {}).text)).toMatchObject({
      tool_name: 'mcp_lab_ping',
      mcp_context: { server_name: 'lab', tool_name: 'ping' },
      tool_input: { msg: 'x' },
    })
  })

  it('are read with milliseconds, patterns and order', () => {
    const { hooks, problems } = read({
      path: '/home/dev/.gemini/settings.json',
      scope: 'user',
      text: JSON.stringify({
        hooksConfig: { disabled: ['off'] },
        hooks: {
          BeforeTool: [
            { matcher: 'shell', hooks: [{ type: 'command', command: 'a', timeout: 500, env: { A: 1 } }] },
            { matcher: '[', hooks: [{ type: 'command', command: 'b', name: 'off' }] },
          ],
          SessionStart: [
            {
              matcher: 'startup',
              sequential: true,
              hooks: [
                { type: 'command', command: 'c' },
                { type: 'Command', command: 'd' },
              ],
            },
          ],
          BeforeAgent: [{ matcher: 'zzz', hooks: [{ type: 'command', command: 'e' }] }],
          AfterTool: [{ hooks: [{ type: 'command', command: 'f' }] }],
          PreToolUse: [{ hooks: [{ type: 'command', command: 'g' }] }],
        },
      }),
    })
    expect(
      hooks.map(({ matcher, timeout, mode, disabled, events }) => ({
        matcher,
        timeout,
        mode,
        disabled,
        events,
      })),
    ).toEqual([
      {
        matcher: { any: [{ tool: 'shell' }, { tool_names: ['run_shell_command', 'Shell'] }] },
        timeout: 500,
        mode: 'concurrent',
        disabled: undefined,
        events: ['before_tool'],
      },
      {
        matcher: { tool_names: ['['] },
        timeout: 60_000,
        mode: 'concurrent',
        disabled: true,
        events: ['before_tool'],
      },
      {
        matcher: { subject_pattern: '^(?:startup)$' },
        timeout: 60_000,
        mode: 'sequence',
        disabled: undefined,
        events: ['session_start'],
      },
      { matcher: {}, timeout: 60_000, mode: 'concurrent', disabled: undefined, events: ['before_agent'] },
      {
        matcher: {},
        timeout: 60_000,
        mode: 'concurrent',
        disabled: undefined,
        events: ['after_tool', 'after_tool_failure'],
      },
    ])
    expect(hooks[0]!.env).toEqual({ A: '1' })
    expect(problems.map(({ level, hook: name }) => [level, name])).toEqual([
      ['error', '~/.gemini/settings.json#SessionStart.2'],
      ['warning', '~/.gemini/settings.json#PreToolUse.1'],
    ])
  })
})
