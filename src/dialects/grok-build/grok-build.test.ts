import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { HookEvent } from '../../spec/event.ts'
import type { Outcome } from '../../spec/outcome.ts'
import { read } from './config.ts'
import { dialect } from './index.ts'
import { switchedOff } from './off.ts'

const agent = dialect.agent!

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

describe('events of Grok Build', () => {
  it('have canonical tools and fields, each once', () => {
    const call = recorded('PreToolUse.run_terminal_command')
    expect(call).toMatchObject({
      event_type: 'before_tool',
      tool_name: 'Shell',
      native_tool_name: 'run_terminal_command',
      tool_use_id: 'call_2',
      tool_input: { command: 'echo hello > h.txt; cat h.txt' },
      context: { permission_mode: 'bypassPermissions' },
    })
    expect(Object.keys(call.context).filter((key) => /[A-Z]/.test(key))).toEqual(['toolInputTruncated'])
    expect(recorded('PreToolUse.read_file').tool_input).toEqual({ path: 'a.txt' })
    expect(recorded('PreToolUse.in_subagent').context.subagent_type).toBe('general-purpose')
  })

  it('tell what the model reads of a result', () => {
    expect(recorded('PostToolUse.run_terminal_command').tool_output).toBe('exit: 0\nhello\n')
    expect(recorded('PostToolUse.read_file').tool_output).toBe('1→alpha\n')
    expect(recorded('PostToolUse.search_replace').tool_output).toContain('updated successfully')
    expect(recorded('PostToolUse.read_file.2').tool_output).toContain('does not exist')
  })

  it('end a turn once: the second stop, at the end of the session, is another event', () => {
    expect(recorded('Stop.end_turn')).toMatchObject({
      event_type: 'before_stop',
      final_message: { content: 'I am done.' },
    })
    expect(recorded('Stop.shutdown').event_type).toBe('grok-build/stop_at_exit')
  })

  it('an input that was cut off is no input', () => {
    const stdin = { tool_name: 'write', tool_input: '{"file_path":"/p/a","content":"yy… [truncated]' }
    const event = agent.decode(stdin, { event: 'PreToolUse', env: {}, cwd: '/' })
    expect(event.tool_input).toEqual({})
  })

  it('name the tools of servers as everybody does', () => {
    const stdin = { tool_name: 'linear__save_issue', tool_input: {} }
    const event = agent.decode(stdin, { event: 'PreToolUse', env: {}, cwd: '/' })
    expect(event.tool_name).toBe('mcp__linear__save_issue')
  })
})

describe('answers to Grok Build', () => {
  it.each<[string, string, Outcome, unknown]>([
    [
      'a stop is a deny',
      'PreToolUse.run_terminal_command',
      { decision: 'deny', reason: 'NO' },
      pre({ permissionDecision: 'deny', permissionDecisionReason: 'NO' }),
    ],
    [
      'a rewrite is the whole input in its own words',
      'PreToolUse.read_file',
      { updated_input: { path: 'b.txt' } },
      pre({ updatedInput: { target_file: 'b.txt' } }),
    ],
    [
      'the agent goes on',
      'Stop.end_turn',
      { decision: 'deny', reason: 'TESTS' },
      { decision: 'block', reason: 'TESTS' },
    ],
  ])('%s', (_, file, outcome, expected) => {
    expect(answer(file, outcome)).toEqual(expected)
  })

  it('runs unattended with bypassPermissions or -p', () => {
    const run = (native: object, argv: string[]) => agent.unattended!({ native, argv, env: {} })
    expect(run({ permissionMode: 'bypassPermissions' }, ['grok'])).toBe(true)
    expect(run({ permissionMode: 'default' }, ['grok', '-p', 'x'])).toBe(true)
    expect(run({ permissionMode: 'default' }, ['grok'])).toBe(false)
  })
})

describe('hooks written for Grok Build', () => {
  it('may use the names of Claude Code, and have its own limits', () => {
    const hooks = {
      PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'guard' }] }],
      Stop: [{ hooks: [{ type: 'command', command: 'tests' }] }],
    }
    const loaded = read({ path: '/p/.grok/hooks/a.json', text: JSON.stringify({ hooks }), scope: 'project' })
    expect(loaded.hooks).toMatchObject([
      {
        timeout: 5000,
        matcher: { any: [{ agents: ['grok-build'], tool_names: ['run_terminal_command'] }, {}] },
      },
      { timeout: 600_000 },
    ])
  })
})

describe('what keeps Grok Build from running our entries', () => {
  it('is a policy, or a switch of the person', () => {
    const folder = mkdtempSync(join(tmpdir(), 'grok-'))
    expect(switchedOff(folder, folder)).toEqual([])
    writeFileSync(join(folder, 'requirements.toml'), 'allow_managed_hooks_only = true\n')
    writeFileSync(join(folder, 'disabled-hooks'), 'global/crosshook:pre_tool_use[0].hooks[0]\n')
    expect(switchedOff(folder, join(folder, 'none')).map(({ message }) => message)).toEqual([
      expect.stringContaining('allow_managed_hooks_only'),
      expect.stringContaining('pre_tool_use'),
    ])
  })
})

function pre(members: object): object {
  return { hookSpecificOutput: { hookEventName: 'PreToolUse', ...members } }
}
