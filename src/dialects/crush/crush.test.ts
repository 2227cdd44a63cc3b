import { describe, expect, it } from 'vitest'
import { HOOK_DEFAULTS, type Hook } from '../../spec/hook.ts'
import { read } from './config.ts'
import { dialect } from './index.ts'

const agent = dialect.agent!
const format = dialect.format!
const native = {
  event: 'PreToolUse',
  session_id: 's',
  cwd: '/p',
  tool_name: 'edit',
  tool_input: { file_path: '/p/a', old_string: 'x', new_string: 'y' },
}
const edit = agent.decode(native, { env: {}, cwd: '/' })
const hook: Hook = {
  ...HOOK_DEFAULTS,
  name: 'h',
  format: 'crush',
  scope: 'user',
  events: [],
  native_event: 'PreToolUse',
  run: { type: 'command', argv: ['x'] },
  origin: { file: 'f' },
}
const decoded = (exit_code: number, stdout: string) =>
  format.decode({ exit_code, stdout, stderr: 'ERR' }, edit, hook).outcome

describe('Crush', () => {
  it('is answered in its own words', () => {
    expect(edit).toMatchObject({
      event_type: 'before_tool',
      tool_name: 'EditFile',
      tool_input: { path: '/p/a' },
    })
    expect(JSON.parse(agent.encode({ decision: 'deny', reason: 'NO' }, edit).stdout)).toEqual({
      decision: 'deny',
      reason: 'NO',
    })
    expect(JSON.parse(agent.encode({ stop: 'ENOUGH' }, edit).stdout)).toEqual({
      halt: true,
      decision: 'deny',
      reason: 'ENOUGH',
    })
    expect(
      JSON.parse(agent.encode({ updated_input: { path: '/q' }, additional_context: ['C'] }, edit).stdout),
    ).toEqual({
      updated_input: { file_path: '/q', old_string: 'x', new_string: 'y' },
      context: 'C',
    })
  })

  it('has hooks that halt, rewrite and add context', () => {
    expect(decoded(49, '')).toEqual({ stop: 'ERR' })
    expect(decoded(1, '')).toMatchObject({ failed: true })
    expect(decoded(0, '{"updated_input":{"file_path":"/q"},"context":["A","B"]}')).toEqual({
      updated_input: { path: '/q' },
      additional_context: ['A', 'B'],
    })
    expect(
      decoded(0, '{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"R"}}'),
    ).toEqual({
      decision: 'deny',
      reason: 'R',
    })
  })

  it('has entries without groups', () => {
    const text = '{"hooks":{"PreToolUse":[{"name":"g","matcher":"^bash$","command":"guard","timeout":5}]}}'
    expect(read({ path: '/p/crush.json', text, scope: 'project' }).hooks).toMatchObject([
      { description: 'g', timeout: 5000, input_merge: 'shallow', run: { command: 'guard' } },
    ])
  })
})
