import fc from 'fast-check'
import { expect, test } from 'vitest'
import { commonPhrases, pack, unpack } from './phrases.ts'

const twin = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown

test('unpack returns what was packed, for any phrases', () => {
  const text = fc.oneof(
    fc.string(),
    fc.constantFrom('\u0001', '\u0002a', '$&', '$1', '"', '\\', 'aa', 'a', '":"', '\n'),
  )
  fc.assert(
    fc.property(fc.jsonValue(), fc.array(text, { maxLength: 12 }), (value, phrases) => {
      expect(unpack(pack(value, phrases))).toEqual(twin(value))
    }),
  )
  const rows = fc.array(
    fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.constantFrom('x'.repeat(20), 1, null, ['\u0003'])),
  )
  fc.assert(
    fc.property(rows, text, (objects, extra) => {
      expect(unpack(pack(objects, [...commonPhrases(objects), extra]))).toEqual(twin(objects))
    }),
  )
})

test('text that similar objects share is stored once', () => {
  const hooks = Array.from({ length: 50 }, (_, n) => ({
    matcher: { tool: `Tool${n}` },
    order: 0,
    mode: 'sequence',
    timeout: 30_000,
    name: `hook-${n}`,
    description: 'one of many',
    events: ['before_tool'],
  }))
  const packed = pack({ hooks }, commonPhrases(hooks))
  expect(packed.split('30000')).toHaveLength(2)
  expect(packed.split('one of many')).toHaveLength(2)
  expect(packed.length).toBeLessThan(JSON.stringify({ hooks }).length / 2)
})

test('bytes that were not packed are refused', () => {
  for (const text of ['', '{}', '[]\n{"a":\u0001}', 'x\n{}']) expect(() => unpack(text)).toThrow()
})
