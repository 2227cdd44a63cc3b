import { describe, expect, it } from 'vitest'
import { HOOK_DEFAULTS, type Hook } from '../../spec/hook.ts'
import { installer, read } from './config.ts'
import { dialect } from './index.ts'

const agent = dialect.agent!
const format = dialect.format!
const fired = (tool_name: string, tool_input: object) =>
  agent.decode(
    { event: 'PreToolUse', session_id: 's', working_dir: '/p', tool_name, tool_input, tool_call_id: 't' },
    { env: {}, cwd: '/' },
  )
const edit = fired('developer__edit', { path: '/p/a', before: 'x', after: 'y' })
const hook: Hook = {
  ...HOOK_DEFAULTS,
  name: 'h',
  format: 'goose',
  scope: 'user',
  events: [],
  native_event: 'PreToolUse',
  run: { type: 'command', argv: ['x'] },
  origin: { file: 'f' },
}

describe('Goose', () => {
  it('names tools by their extension', () => {
    expect(edit).toMatchObject({
      event_type: 'before_tool',
      work_dir: '/p',
      tool_name: 'EditFile',
      tool_input: { path: '/p/a', old_string: 'x', new_string: 'y' },
      tool_use_id: 't',
    })
    expect(fired('github__create_issue', {}).tool_name).toBe('mcp__github__create_issue')
  })

  it('takes a block and nothing else', () => {
    expect(JSON.parse(agent.encode({ decision: 'deny', reason: 'NO' }, edit).stdout)).toEqual({
      decision: 'block',
      reason: 'NO',
    })
    expect(agent.encode({ additional_context: ['C'] }, edit).stdout).toBe('')
  })

  it('has hooks whose decision counts with any exit code', () => {
    const raw = { exit_code: 1, stdout: '{"decision":"block","reason":"R"}', stderr: '' }
    expect(format.decode(raw, edit, hook).outcome).toEqual({ decision: 'deny', reason: 'R' })
    const text = JSON.stringify({
      hooks: {
        PreToolUse: [{ matcher: 'shell', hooks: [{ type: 'command', command: 'g', on_failure: 'block' }] }],
      },
    })
    const path = '/p/.agents/plugins/x/hooks/hooks.json'
    expect(read({ path, text, scope: 'project' }).hooks).toMatchObject([
      { on_failure: 'closed', timeout: 30_000 },
    ])
  })

  it('finds our hooks in a plugin of ours', () => {
    const paths = installer
      .files({ home: '/h', project: '/p', env: {}, level: 'user' })
      .map(({ path }) => path)
    expect(paths).toEqual([
      '/h/.agents/plugins/crosshook/hooks/hooks.json',
      '/h/.agents/plugins/crosshook/plugin.json',
    ])
  })
})
