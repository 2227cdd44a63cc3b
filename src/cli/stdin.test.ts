import { expect, test } from 'vitest'
import { parseObject } from './stdin.ts'

test('an event that names a field twice is refused, however the name is spelled', () => {
  for (const text of [
    '{"tool_input":{"command":"rm -rf /","command":"ls"}}',
    '{"tool_input":{"command":"rm -rf /","comm\\u0061nd":"ls"}}',
    '{"tool_name":"Shell","tool_name":"ReadFile"}',
  ])
    expect(() => parseObject(text, 'the event')).toThrow('the same field twice')
  expect(parseObject('{"a":{"b":1},"b":2}', 'the event')).toEqual({ a: { b: 1 }, b: 2 })
})
