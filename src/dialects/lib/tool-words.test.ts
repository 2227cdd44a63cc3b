import { expect, it } from 'vitest'
import { compileMatcher } from '../../engine/match.ts'
import type { HookEvent } from '../../spec/event.ts'
import { toCanonicalTool } from '../../spec/tool.ts'
import { matcherOf } from '../agenthooks/hook.ts'
import { DIALECTS, loadDialect } from '../list.ts'
import { inEveryAgent, unknownTools } from './tool-words.ts'

const dialects = await Promise.all(Object.keys(DIALECTS).map(loadDialect))

/** As an agent's own tool comes in. */
function called(native: string, canonical: string): HookEvent {
  return {
    event_type: 'before_tool',
    timestamp: '',
    session_id: 's',
    work_dir: '/',
    context: {},
    tool_name: canonical,
    native_tool_name: native,
    tool_input: {},
  }
}

it('a tool by the name that any agent has for it is meant in every agent', async () => {
  const missed: string[] = []
  for (const from of dialects)
    for (const [word, row] of Object.entries(from.tools)) {
      const { matcher } = matcherOf({ matcher: { tool: word } }, true)
      const compiled = await compileMatcher(matcher)
      for (const to of dialects)
        for (const native of Object.keys(to.tools)) {
          const { name } = toCanonicalTool(to.tools, native, {})
          if (name !== row.name) continue
          const event = called(native, name)
          await compiled.load(event)
          if (!compiled.tool([name, native])) missed.push(`${from.id} ${word} in ${to.id} ${native}`)
        }
    }
  expect(missed).toEqual([])
})

it.each([
  ['Bash', 'Bash|^Shell$'],
  ['^Bash$', '^Bash$'],
  ['Write|Edit', 'Write|Edit|^WriteFile$|^EditFile$'],
  ['Grep|Shell', 'Grep|Shell|^Search$'],
  ['^(Grep|Shell)$', '^(Grep|Shell)$'],
  ['Shell', 'Shell'],
  ['mcp__.*', 'mcp__.*'],
  ['B.sh', 'B.sh'],
])('%s becomes %s', (pattern, wanted) => expect(inEveryAgent(pattern)).toBe(wanted))

it.each([
  ['Bsh', ['Bsh']],
  ['Bash|Wirte', ['Wirte']],
  ['File', []],
  ['mcp__github__push', []],
  ['(?i)bash', []],
])('of %s nobody knows %j', (pattern, wanted) => expect(unknownTools(pattern)).toEqual(wanted))
