import { describe, expect, it } from 'vitest'
import { installer } from './config.ts'
import { dialect } from './index.ts'

const agent = dialect.agent!
const fired = (event: string, fields: object) =>
  agent.decode(
    { session_id: 's', hook_event_name: event, cwd: '/p', ...fields },
    { event, env: {}, cwd: '/' },
  )

describe('Kiro', () => {
  it('writes and edits with one tool, and reads several files at once', () => {
    const edit = { command: 'strReplace', path: '/p/a', oldStr: 'x', newStr: 'y' }
    expect(fired('PreToolUse', { tool_name: 'fs_write', tool_input: edit })).toMatchObject({
      event_type: 'before_tool',
      tool_name: 'EditFile',
      tool_input: { path: '/p/a', old_string: 'x', new_string: 'y' },
    })
    const create = { command: 'create', path: '/p/a', file_text: 'x' }
    expect(fired('PreToolUse', { tool_name: 'fs_write', tool_input: create })).toMatchObject({
      tool_name: 'WriteFile',
      tool_input: { path: '/p/a', content: 'x' },
    })
    const read = { operations: [{ path: '/p/a' }, { path: '/p/b' }] }
    expect(fired('PreToolUse', { tool_name: 'fs_read', tool_input: read }).tool_input).toMatchObject({
      path: '/p/a',
    })
    expect(fired('PreToolUse', { tool_name: '@git/status', tool_input: {} }).tool_name).toBe(
      'mcp__git__status',
    )
    expect(
      fired('PostToolUse', { tool_name: 'shell', tool_response: { success: false, error: 'E' } }),
    ).toMatchObject({ event_type: 'after_tool_failure', error: 'E' })
  })

  it('blocks with exit code 2 and takes plain text as context', () => {
    const shell = fired('PreToolUse', { tool_name: 'shell', tool_input: { command: 'ls' } })
    expect(agent.encode({ decision: 'deny', reason: 'NO' }, shell)).toEqual({
      stdout: '',
      stderr: 'NO\n',
      exit_code: 2,
    })
    expect(agent.encode({ additional_context: ['C'] }, shell).stdout).toBe('C\n')
  })

  it('has our hooks in a file that goes with them', () => {
    const [file] = installer.files({ home: '/h', project: '/p', env: {}, level: 'user' })
    const command = { line: (event: string) => `crosshook hook kiro ${event}`, argv: () => [] }
    const text = file!.add(undefined, command)
    expect(file!.path).toBe('/h/.kiro/hooks/crosshook.json')
    expect(JSON.parse(text)).toMatchObject({
      version: 'v1',
      hooks: expect.arrayContaining([
        expect.objectContaining({
          trigger: 'PreToolUse',
          action: { type: 'command', command: 'crosshook hook kiro PreToolUse' },
        }),
      ]),
    })
    expect(file!.remove(text)).toBeUndefined()
    const mine =
      '{"version": "v1", "hooks": [{"name": "mine", "trigger": "Stop", "action": {"type": "agent", "prompt": "p"}}]}'
    expect(file!.remove(file!.add(mine, command))).toBe(mine)
  })
})
