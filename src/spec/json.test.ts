import { expect, test } from 'vitest'
import { parseJson } from './json.ts'

test.each([
  '{"decision": "deny", "decision": "allow"}',
  '{"decision":"deny","\\u0064ecision":"allow"}',
  '{"a": [{"b": {"c" : 1, "c"\n:\t2}}]}',
  '[{"a": 1}, {"a": 1, "a": 1}]',
  '{"__proto__": {"x": 1}, "__proto__": {"x": 1}}',
  '{"": 1, "": 2}',
  '{"a": "\\": \\" :", "a": 1}',
  '{"a": 1, "b": ":::", "c": {"b": ": \\":", "b": ""}}',
  '{"a\\\\": 1, "a\\\\": 2}',
])('%s names a field twice', (text) => {
  expect(() => parseJson(text)).toThrow('twice')
})

test.each([
  '{"a": "b", "A": "\\"a\\": 1", "\\"a": {"a": ["a", "a"]}}',
  '{"__proto__": 1, "constructor": {"length": 2}}',
  '{"a\\\\": "\\\\", "b": "x\\\\\\""}',
  '[["a", "a"], "a: b", 1, null, true]',
  '"a: \\"b\\": "',
  '{"a": "x\\":1", "b": "\\" : \\"\\n:"}',
  ' {} ',
])('%s is read as it stands', (text) => {
  expect(JSON.stringify(parseJson(text))).toBe(JSON.stringify(JSON.parse(text)))
})

test('deeply nested JSON does not overflow the stack', () => {
  const deep = `${'[{"a":'.repeat(20_000)}1${'}]'.repeat(20_000)}`
  expect(() => parseJson(deep)).not.toThrow()
  expect(() => parseJson(deep.replace('1', '{"b":1,"b":2}'))).toThrow('twice')
})

test('text that is not JSON is refused', () => {
  expect(() => parseJson('{"a": 1')).toThrow(SyntaxError)
})
