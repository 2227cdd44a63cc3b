/** A copy says the same as what it was copied from: both are asked about the same events. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { read as readSettings } from '../dialects/claude-code/config.ts'
import { tools } from '../dialects/claude-code/tools.ts'
import { loadDialect } from '../dialects/list.ts'
import { compileMatcher } from '../engine/match.ts'
import type { HookEvent } from '../spec/event.ts'
import type { Hook } from '../spec/hook.ts'
import { copyHook } from './copy-hook.ts'

const MATCHERS = [
  ...['Write|Edit', 'Bash', 'Task', 'Edit|MultiEdit|Write|NotebookEdit', '*', '', 'Read, Grep'],
  ...['mcp__.*__write.*', 'Notebook.*|Write', '^(Write|Edit)$', 'mcp__memory__.*'],
]
const RULES = [undefined, 'Bash(git push *)', 'Write(src/**)', 'Bash']
const TOOLS: [string, string][] = [
  ['Shell', 'Bash'],
  ['WriteFile', 'Write'],
  ['EditFile', 'Edit'],
  ['Subagent', 'Task'],
  ['NotebookEdit', 'NotebookEdit'],
  ['ReadFile', 'read_file'],
  ['Shell', 'run_shell_command'],
  ['Todo', 'TodoWrite'],
  ['mcp__memory__write_node', 'mcp__memory__write_node'],
]
const INPUTS = [{ command: 'git push -f' }, { command: 'ls' }, { path: 'src/a.ts' }, { path: 'b.ts' }]

describe('a copy of an imported hook', () => {
  it('matches what its original matches, whatever its matcher', async () => {
    const cases = fc.record({
      matcher: fc.constantFrom(...MATCHERS),
      rule: fc.constantFrom(...RULES),
      tool: fc.constantFrom(...TOOLS),
      input: fc.constantFrom(...INPUTS),
      agent: fc.constantFrom('claude-code', 'gemini-cli'),
    })
    await fc.assert(
      fc.asyncProperty(cases, async ({ matcher, rule, tool, input, agent }) => {
        const original = hookOf('PreToolUse', { matcher, ...(rule === undefined ? {} : { if: rule }) })
        const copy = await copied(original)
        const event = eventOf(tool, input, agent)
        expect(await matches(copy, event)).toBe(await matches(original, event))
      }),
      { numRuns: 300 },
    )
  })

  it('keeps the matcher of an event without a tool', async () => {
    const copy = await copied(hookOf('SessionStart', { matcher: 'startup|resume' }))
    for (const [source, wanted] of [
      ['resume', true],
      ['compact', false],
    ] as const)
      expect(
        await matches(copy, { ...eventOf(['', ''], {}, 'claude-code'), event_type: 'session_start', source }),
      ).toBe(wanted)
  })
})

function hookOf(event: string, { matcher, ...more }: { matcher: string; if?: string }): Hook {
  const entry = { type: 'command', command: 'true', ...more }
  const text = JSON.stringify({ hooks: { [event]: [{ matcher, hooks: [entry] }] } })
  const { hooks } = readSettings({ path: '/home/you/.claude/settings.json', text, scope: 'user' })
  return hooks[0]!
}

async function copied(hook: Hook): Promise<Hook> {
  const copy = copyHook(hook, 'copy', tools)
  if (typeof copy === 'string') throw new Error(copy)
  const { format } = await loadDialect('agenthooks')
  const { hooks, problems } = await format!.read({
    path: '/home/you/.config/agents/hooks/copy/HOOK.md',
    text: copy.text,
    scope: 'user',
  })
  expect(problems.filter(({ level }) => level === 'error')).toEqual([])
  return hooks[0]!
}

function eventOf(
  [tool_name, native_tool_name]: [string, string],
  tool_input: object,
  agent: string,
): HookEvent {
  return {
    event_type: 'before_tool',
    timestamp: '2026-01-01T00:00:00Z',
    session_id: 's',
    work_dir: '/home/you/project',
    context: {},
    agent,
    tool_name,
    native_tool_name,
    tool_input,
  } as HookEvent
}

async function matches(hook: Hook, event: HookEvent): Promise<boolean> {
  return (await compileMatcher(hook.matcher)).explain(event).matched
}
