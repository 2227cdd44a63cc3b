import { describe, expect, it } from 'vitest'
import type { HookEvent } from '../../spec/event.ts'
import { read } from './config.ts'
import { dialect } from './index.ts'

const format = dialect.format!
const write: HookEvent = {
  event_type: 'before_tool',
  timestamp: '2026-01-01T00:00:00Z',
  session_id: 's',
  work_dir: '/p',
  context: {},
  agent: 'another',
  tool_name: 'WriteFile',
  tool_input: { path: '/p/a', content: 'x' },
  native_tool_name: 'create',
}

describe('hooks written for Continue', () => {
  const text = JSON.stringify({
    hooks: { PreToolUse: [{ matcher: 'Wri', hooks: [{ type: 'command', command: 'guard', timeout: 5 }] }] },
  })
  const { hooks } = read({ path: '/p/.continue/settings.json', text, scope: 'project' })

  it('are read with a matcher that is found anywhere', () => {
    expect(hooks).toMatchObject([
      {
        events: ['before_tool'],
        timeout: 5000,
        blocks: true,
        matcher: { any: [{ tool: 'Wri' }, expect.anything()] },
      },
    ])
  })

  it('run elsewhere, where Continue itself never runs them', () => {
    expect(JSON.parse(format.encode(write, hooks[0]!, {}).text)).toMatchObject({
      hook_event_name: 'PreToolUse',
      session_id: 's',
      tool_name: 'Write',
      tool_input: { filepath: '/p/a', content: 'x' },
    })
    const raw = { exit_code: 2, stdout: '', stderr: 'NO' }
    expect(format.decode(raw, write, hooks[0]!).outcome).toEqual({ decision: 'deny', reason: 'NO' })
  })
})
