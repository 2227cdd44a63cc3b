import fc from 'fast-check'
import { expect, test } from 'vitest'
import { workTime } from '../../test/work-time.ts'
import type { HookEvent } from '../spec/event.ts'
import { checkCondition, compileCondition } from './condition.ts'

const event: HookEvent = {
  event_type: 'after_tool',
  timestamp: '2026-01-01T00:00:00Z',
  session_id: 's1',
  work_dir: '/project',
  context: { permission_mode: 'plan' },
  agent: 'x',
  tool_name: 'Shell',
  tool_input: { command: 'deploy prod', list: Array.from({ length: 3000 }, (_, n) => n) },
  duration_ms: 7500,
}

test.each<[string, boolean]>([
  ['tool_input.command.contains("prod") && agent == "x"', true],
  ['tool_name == "ReadFile"', false],
  ['duration_ms / 1000 >= 7', true],
  ['duration_ms % 2 == 0', true],
  ['duration_ms > 7499.5', true],
  ['context.permission_mode in ["plan", "ask"]', true],
  ['size(tool_input.list) == 3000', true],
  ['tool_input.list.exists(n, n == 2999)', true],
  ['has(event.agent) && !has(event.tool_input.path)', true],
  ['tool_output == null', true],
  ['native_tool_name == null', true],
  ['tool_input.command.matches("^deploy\\\\s+prod$")', true],
  ['tool_input.command.matches(r"(?i)PROD")', true],
  ['tool_input.command == ".matches(" || true', true],
  ['tool_input . command . matches ("prod")', true],
])('%s: %s', async (text, holds) => {
  expect((await compileCondition(text))(event)).toEqual({ holds })
})

test.each<[string, string]>([
  ['tool_input.path == "x"', 'No such key: path'],
  ['nothing == 1', 'Unknown variable: nothing'],
  ['toString == 1', 'Unknown variable: toString'],
  ['tool_name', 'it gave string, not true or false'],
  ['tool_name.matches("a(?=b)")', 'look-ahead'],
])('%s does not hold, and says why', async (text, error) => {
  const answer = (await compileCondition(text))(event)
  expect(answer.holds).toBe(false)
  expect(answer.error).toContain(error)
})

test.each<[string, string]>([
  ['1 +', 'ends too early'],
  ['"x".nothing()', 'no matching overload'],
  ['5', 'must give true or false'],
  ['"a" + 1 == "b"', 'no such overload'],
  ['('.repeat(500), 'Condition'],
])('%s is refused when it is checked', async (text, part) => {
  expect(await checkCondition(text)).toContain(part)
})

test('a valid condition has no problem', async () => {
  expect(await checkCondition('agent == "x"')).toBeNull()
})

test('a hostile text cannot stall `matches`', async () => {
  const condition = await compileCondition('tool_input.command.matches("(a+)+$")')
  const hostile = { ...event, tool_input: { command: `${'a'.repeat(5000)}!` } }
  expect(workTime(100, () => expect(condition(hostile)).toEqual({ holds: false }))).toBeLessThan(100)
})

test('any event is judged without an exception', async () => {
  const condition = await compileCondition('tool_input.a.b == 1 || event.tool_input.size() > 1')
  fc.assert(
    fc.property(fc.anything(), (value) => {
      expect(typeof condition({ ...event, tool_input: value as Record<string, unknown> }).holds).toBe(
        'boolean',
      )
    }),
  )
})

test('an expression that runs out of time says so', async () => {
  const text = 'tool_input.list.all(a, tool_input.list.all(b, tool_input.list.all(c, a + b + c >= 0)))'
  expect((await compileCondition(text))(event)).toEqual({
    holds: false,
    isLate: true,
    error: expect.stringContaining('timed out'),
  })
})
