import { describe, expect, it } from 'vitest'
import type { HookEvent } from '../../spec/event.ts'
import { HOOK_DEFAULTS, type Hook } from '../../spec/hook.ts'
import { installer, read } from './config.ts'
import { dialect } from './index.ts'

const agent = dialect.agent!
const format = dialect.format!

function fired(name: string, tool_info: object): HookEvent {
  const base = { trajectory_id: 't', execution_id: 'e', timestamp: '2026-01-01T00:00:00Z' }
  return agent.decode({ ...base, agent_action_name: name, tool_info }, { event: name, env: {}, cwd: '/hint' })
}
const shell = fired('pre_run_command', { command_line: 'ls', cwd: '/p' })

describe('events of Windsurf', () => {
  it('are kinds of tools', () => {
    expect(shell).toMatchObject({
      event_type: 'before_tool',
      session_id: 't',
      work_dir: '/p',
      tool_name: 'Shell',
      native_tool_name: 'run_command',
      tool_input: { command: 'ls' },
    })
    const edits = [{ old_string: 'x', new_string: 'y' }]
    expect(fired('pre_write_code', { file_path: '/p/a', edits })).toMatchObject({
      work_dir: '/hint',
      tool_name: 'EditFile',
      tool_input: { path: '/p/a', edits },
    })
    const call = { mcp_server_name: 'git', mcp_tool_name: 'push', mcp_tool_arguments: { force: true } }
    expect(fired('post_mcp_tool_use', { ...call, mcp_result: 'done' })).toMatchObject({
      event_type: 'after_tool',
      tool_name: 'mcp__git__push',
      tool_input: { force: true },
      tool_output: 'done',
    })
    expect(fired('pre_user_prompt', { user_prompt: 'p' })).toMatchObject({
      event_type: 'before_agent',
      prompt: 'p',
    })
  })
})

describe('answers to Windsurf', () => {
  it('are exit code 2, before something happens', () => {
    const deny = { decision: 'deny', reason: 'NO' } as const
    expect(agent.encode(deny, shell)).toEqual({ stdout: '', stderr: 'NO\n', exit_code: 2 })
    expect(agent.encode(deny, fired('post_run_command', {}))).toEqual({
      stdout: '',
      stderr: '',
      exit_code: 0,
    })
  })
})

describe('hooks written for Windsurf', () => {
  const hook = (native_event: string): Hook => ({
    ...HOOK_DEFAULTS,
    name: 'h',
    format: 'windsurf',
    scope: 'user',
    events: [],
    native_event,
    run: { type: 'command', argv: ['x'] },
    origin: { file: 'f' },
  })

  it('hear of other agents in their own words', () => {
    const write: HookEvent = {
      ...shell,
      agent: 'another',
      tool_name: 'WriteFile',
      tool_input: { path: '/p/a', content: 'x' },
    }
    expect(JSON.parse(format.encode(write, hook('pre_write_code'), {}).text)).toMatchObject({
      agent_action_name: 'pre_write_code',
      trajectory_id: 't',
      tool_info: { file_path: '/p/a', edits: [{ old_string: '', new_string: 'x' }] },
    })
    const push: HookEvent = { ...write, tool_name: 'mcp__git__push', tool_input: { force: true } }
    expect(JSON.parse(format.encode(push, hook('pre_mcp_tool_use'), {}).text).tool_info).toEqual({
      mcp_server_name: 'git',
      mcp_tool_name: 'push',
      mcp_tool_arguments: { force: true },
    })
  })

  it('say no with exit code 2 and nothing with stdout', () => {
    const decoded = (exit_code: number) =>
      format.decode(
        { exit_code, stdout: '{"decision":"deny"}', stderr: 'ERR' },
        shell,
        hook('pre_run_command'),
      ).outcome
    expect(decoded(2)).toEqual({ decision: 'deny', reason: 'ERR' })
    expect(decoded(0)).toEqual({})
    expect(decoded(1)).toMatchObject({ failed: true })
  })

  it('are for the tools of their event only', () => {
    const text =
      '{"hooks":{"pre_run_command":[{"command":"guard","show_output":true}],"pre_user_prompt":[{"command":"p"}]}}'
    expect(read({ path: '/p/.windsurf/hooks.json', text, scope: 'project' }).hooks).toMatchObject([
      {
        events: ['before_tool'],
        matcher: { tool_names: ['Shell', 'run_command'] },
        run: { command: 'guard' },
      },
      { events: ['before_agent'], matcher: {} },
    ])
  })
})

describe('the hooks.json of Windsurf', () => {
  it('has our entry at every event but the one that costs a transcript', () => {
    const [file] = installer.files({ home: '/h', project: '/p', env: {}, level: 'user' })
    const command = { line: (event: string) => `crosshook hook windsurf ${event}`, argv: () => [] }
    expect(file!.path).toBe('/h/.codeium/windsurf/hooks.json')
    const { hooks } = JSON.parse(file!.add(undefined, command))
    expect(hooks.pre_run_command).toEqual([
      { command: 'crosshook hook windsurf pre_run_command', show_output: false },
    ])
    expect(Object.keys(hooks)).not.toContain('post_cascade_response_with_transcript')
  })
})
