import { describe, expect, it } from 'vitest'
import type { HookEvent } from '../../spec/event.ts'
import { HOOK_DEFAULTS, type Hook } from '../../spec/hook.ts'
import { read } from './config.ts'
import { dialect } from './index.ts'

const agent = dialect.agent!
const format = dialect.format!
const fired = (event_type: string, fields: object): HookEvent =>
  agent.decode({ event_type, session_id: 's', working_dir: '/p', ...fields }, { env: {}, cwd: '/' })
const create = fired('PreToolUse', {
  tool_name: 'file_editor',
  tool_input: { command: 'create', path: '/p/a', file_text: 'x' },
})
const hook: Hook = {
  ...HOOK_DEFAULTS,
  name: 'h',
  format: 'openhands',
  scope: 'user',
  events: [],
  native_event: 'PreToolUse',
  run: { type: 'command', argv: ['x'] },
  origin: { file: 'f' },
}

describe('OpenHands', () => {
  it('has one tool for files, whose command tells what it does', () => {
    expect(create).toMatchObject({ tool_name: 'WriteFile', tool_input: { path: '/p/a', content: 'x' } })
    const view = { tool_name: 'file_editor', tool_input: { command: 'view', path: '/p/a' } }
    expect(fired('pre_tool_use', view)).toMatchObject({ event_type: 'before_tool', tool_name: 'ReadFile' })
    const foreign = { ...create, agent: 'another', tool_input: { path: '/q', content: 'y' } }
    expect(JSON.parse(format.encode(foreign, hook, {}).text)).toMatchObject({
      event_type: 'PreToolUse',
      tool_name: 'file_editor',
      tool_input: { command: 'create', path: '/q', file_text: 'y' },
    })
  })

  it('reads every member at the top', () => {
    expect(
      JSON.parse(agent.encode({ decision: 'deny', reason: 'NO', additional_context: ['C'] }, create).stdout),
    ).toEqual({
      decision: 'deny',
      reason: 'NO',
      additionalContext: 'C',
    })
    const raw = { exit_code: 0, stdout: '{"continue":false,"reason":"R"}', stderr: '' }
    expect(format.decode(raw, create, hook).outcome).toEqual({ decision: 'deny', reason: 'R' })
  })

  it('has hooks in both spellings, at the top or below "hooks"', () => {
    const groups = [{ matcher: 'terminal', hooks: [{ type: 'command', command: 'g' }] }]
    for (const root of [{ pre_tool_use: groups }, { hooks: { PreToolUse: groups } }])
      expect(
        read({ path: '/p/.openhands/hooks.json', text: JSON.stringify(root), scope: 'project' }).hooks,
      ).toMatchObject([
        { events: ['before_tool'], native_event: 'PreToolUse', blocks: true, mode: 'sequence' },
      ])
  })
})
