import { describe, expect, it } from 'vitest'
import { loadDialect } from '../dialects/list.ts'
import { HOOK_DEFAULTS, type Hook } from '../spec/hook.ts'
import type { Matcher } from '../spec/matcher.ts'
import { copyHook } from './copy-hook.ts'
import { exportHooks } from './export.ts'

function hook(matcher: Matcher, more: Partial<Hook> = {}): Hook {
  return {
    ...HOOK_DEFAULTS,
    name: 'guard',
    format: 'agenthooks',
    scope: 'user',
    events: ['before_tool'],
    matcher,
    run: { type: 'command', command: './check.sh', shell: '/bin/sh', args: ['-c'] },
    origin: { file: '/settings.json' },
    ...more,
  }
}

describe('exportHooks', () => {
  it.each<[string, Matcher, string, string[] | undefined]>([
    ['an exact name is the native one', { tool: '^Shell$' }, 'claude-code', ['Bash']],
    ['exact names are all the native ones', { tool: '^(?:Shell|ReadFile)$' }, 'kimi-code', ['Bash', 'Read']],
    ['listed names as well', { tool_names: ['Shell'] }, 'gemini-cli', ['run_shell_command']],
    ['a word may be found in other names, too', { tool: 'Shell' }, 'claude-code', undefined],
    ['so may a pattern', { tool: '^mcp__.*' }, 'claude-code', undefined],
    ['a tool without a native name is looked at by us', { tool: '^DeleteFile$' }, 'claude-code', undefined],
    ['no matcher is every tool', {}, 'claude-code', undefined],
  ])('never leaves out a call that the hook is for: %s', async (_, matcher, agent, tools) => {
    const { entries } = exportHooks(await loadDialect(agent), [hook(matcher)], ['/bin/crosshook'])
    expect(entries).toHaveLength(1)
    expect(entries[0]!.tools).toEqual(tools)
  })

  it('gives each event its native name and the hook its time', async () => {
    const codex = await loadDialect('codex')
    const { entries, left } = exportHooks(
      codex,
      [hook({}, { events: ['before_stop'] }), hook({}, { name: 'no event', events: ['worktree_create'] })],
      ['/opt/cross hook/bin/crosshook'],
    )
    expect(entries).toEqual([
      {
        event: 'Stop',
        command: "'/opt/cross hook/bin/crosshook' run-hook codex Stop guard",
        timeout: 35_000,
      },
    ])
    expect(left).toEqual([{ name: 'no event', why: 'Codex has no worktree_create' }])
  })
})

describe('copyHook', () => {
  it.each<[Matcher, string]>([
    [{}, ''],
    [{ tool: 'Ba' }, 'matcher: {"tool":"Ba"}'],
    [{ tool_names: ['Bash', 'a.b'] }, 'matcher: {"tool":"^(?:Bash|a\\\\.b)$"}'],
    [{ any: [{ tool: 'x' }, { tool_names: ['Bash'] }] }, 'matcher: {"tool":"(?:x)|(?:^(?:Bash)$)"}'],
    [{ subject_pattern: '^Shell$' }, 'when: "tool_name.matches(\\"^Shell$\\")"'],
  ])('says %j in a HOOK.md', (matcher, line) => {
    expect(copyHook(hook(matcher), 'copy', {})).toMatchObject({ text: expect.stringContaining(line) })
  })

  it('says what cannot be said there', () => {
    expect(copyHook(hook({ tool_globs: ['x*'] }), 'copy', {})).toContain('its matcher cannot be written')
    expect(copyHook(hook({}, { run: { type: 'prompt', template: 'ok?' } }), 'copy', {})).toContain(
      'type prompt',
    )
  })
})
