import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { DIALECTS, loadDialect } from '../dialects/list.ts'
import { isPostponed, postpone } from '../fast/large-text.ts'
import type { HookEvent } from '../spec/event.ts'
import { unreadable } from './guard.ts'

const HERE = join(import.meta.dirname, '../dialects')

describe.each(Object.keys(DIALECTS))('%s', (id) => {
  const folder = join(HERE, id, 'fixtures')
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.json')) : []

  test.runIf(files.length > 0)('can be judged by hooks, whatever the real agent sends', async () => {
    const { agent } = await loadDialect(id)
    for (const file of files) {
      const { event, stdin, payload } = JSON.parse(readFileSync(join(folder, file), 'utf8'))
      const native: unknown = stdin ?? payload
      const decoded = agent!.decode(native, { event, env: {}, cwd: '/' })
      expect([file, unreadable(native, decoded)]).toEqual([file, undefined])
    }
  })
})

const call = (more: object) =>
  ({ event_type: 'before_tool', tool_name: 'Shell', ...more }) as unknown as HookEvent

test.each<[unknown, HookEvent, string]>([
  ['', call({}), 'nothing at all'],
  ['{"a', call({}), '3 characters that are not JSON'],
  [[], call({}), 'a list in place of a JSON object'],
  [null, call({}), 'null in place of a JSON object'],
  [{}, call({ tool_name: undefined }), 'a tool call that names no tool'],
  [{ toolInput: 'ls' }, call({ tool_input: {} }), 'a tool input that is a string'],
  [{ call: { arguments: ['ls'] } }, call({ tool_input: {} }), 'a tool input that is a list'],
  [
    {},
    call({ tool_input: { command: 5 } }),
    'a tool call that cannot be read: `command` of Shell is a number',
  ],
  ...[{ tool_input: {} }, { tool_input: null }, { toolArgs: '{}' }].map(
    (native): [unknown, HookEvent, string] => [
      native,
      call({ tool_input: {} }),
      'a tool call that cannot be read: `command` of Shell is missing',
    ],
  ),
])('%j cannot be judged', (native, event, why) => {
  expect(unreadable(native, event)).toBe(why)
})

test.each<[unknown, HookEvent]>([
  [{ tool_input: {} }, call({ tool_name: 'Todo', tool_input: {} })],
  [{ tool_input: null }, call({ tool_name: 'Todo', tool_input: {} })],
  [{ toolArgs: '{}' }, call({ tool_name: 'Todo', tool_input: {} })],
  [{ tool_input: {} }, call({ event_type: 'after_tool', tool_input: {} })],
  [{ input: 'a prompt' }, call({ event_type: 'before_agent', tool_name: undefined })],
])('%j can', (native, event) => {
  expect(unreadable(native, event)).toBeUndefined()
})

test('a text of megabytes is not read for it', () => {
  const tool_input = { path: 'a' }
  postpone(tool_input, 'content', () => 'x')
  expect(unreadable({}, call({ tool_name: 'WriteFile', tool_input }))).toBeUndefined()
  expect(isPostponed(tool_input, 'content')).toBe(true)
})
