import { describe, expect, it } from 'vitest'
import type { HookEvent } from '../../spec/event.ts'
import { HOOK_DEFAULTS } from '../../spec/hook.ts'
import type { Outcome } from '../../spec/outcome.ts'
import { installer, read } from './config.ts'
import { dialect } from './index.ts'

const agent = dialect.agent!
const format = dialect.format!

function fired(name: string, fields: object = {}): HookEvent {
  const base = { hook_event_name: name, session_id: 's', cwd: '/p', timestamp: '2026-01-01T00:00:00Z' }
  return agent.decode({ ...base, ...fields }, { event: name, env: {}, cwd: '/' })
}
const edit = fired('PreToolUse', {
  tool_name: 'replace_string_in_file',
  tool_input: { filePath: '/p/a', oldString: 'x', newString: 'y' },
  tool_use_id: 't',
})

describe('VS Code', () => {
  it('names tools and fields in its own way', () => {
    expect(edit).toMatchObject({
      event_type: 'before_tool',
      tool_name: 'EditFile',
      tool_input: { path: '/p/a', old_string: 'x', new_string: 'y' },
    })
  })

  it.each<[string, HookEvent, Outcome, unknown]>([
    [
      'a rewrite is the whole input',
      edit,
      { updated_input: { new_string: 'z' } },
      {
        hookSpecificOutput: {
          hookEventName: 'PreToolUse',
          updatedInput: { filePath: '/p/a', oldString: 'x', newString: 'z' },
        },
      },
    ],
    [
      'the block of a stop stands inside',
      fired('Stop'),
      { decision: 'deny', reason: 'TESTS' },
      { hookSpecificOutput: { hookEventName: 'Stop', decision: 'block', reason: 'TESTS' } },
    ],
    [
      'a prompt is stopped',
      fired('UserPromptSubmit', { prompt: 'p' }),
      { decision: 'deny', reason: 'NO' },
      { continue: false, stopReason: 'NO' },
    ],
  ])('%s', (_, event, outcome, expected) => {
    expect(JSON.parse(agent.encode(outcome, event).stdout)).toEqual(expected)
  })

  it('has hooks with a command for each system', () => {
    const text = JSON.stringify({
      hooks: {
        PreToolUse: [{ type: 'command', command: 'any', linux: 'guard', osx: 'guard', windows: 'g.exe' }],
      },
    })
    expect(format.recognises({ path: '/p/x.json', text, scope: 'project' })).toBe(2)
    expect(read({ path: '/p/x.json', text, scope: 'project' }).hooks).toMatchObject([
      { run: { command: 'guard' }, timeout: 30_000, matcher: {} },
    ])
    const hook = {
      ...HOOK_DEFAULTS,
      name: 'h',
      format: 'vscode',
      scope: 'user' as const,
      events: [],
      native_event: 'Stop',
      run: { type: 'command' as const, argv: ['x'] },
      origin: { file: 'f' },
    }
    const stdout = '{"hookSpecificOutput":{"decision":"block","reason":"R"}}'
    expect(format.decode({ exit_code: 0, stdout, stderr: '' }, fired('Stop'), hook).outcome).toEqual({
      decision: 'deny',
      reason: 'R',
    })
  })

  it('keeps our entries in a file of their own', () => {
    const [file] = installer.files({ home: '/h', project: '/p', env: {}, level: 'user' })
    expect(file!.path).toBe('/h/.copilot/hooks/crosshook-vscode.json')
  })
})
