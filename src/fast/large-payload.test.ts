import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseLarge } from './large-payload.ts'
import { hasPostponed } from './large-text.ts'

/** Texts that are long for these tests, with everything in them that has a meaning in JSON. */
const text = fc.string({
  unit: fc.constantFrom('"', '\\', '\n', '\u0000', '{', ':', 'ä', '💥', 'x'),
  maxLength: 60,
})
const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.integer(),
    fc.constantFrom(null, true, ''),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(text, fc.constantFrom('__proto__', 'toJSON', '0')), tie('value'), { maxKeys: 4 }),
  ),
})).value

test('the result equals that of JSON.parse', () => {
  fc.assert(
    fc.property(value, fc.constantFrom(undefined, 1), (given, indent) => {
      const json = JSON.stringify(given, null, indent)
      const parsed = parseLarge(Buffer.from(json), 10)
      expect(JSON.stringify(parsed)).toBe(JSON.stringify(JSON.parse(json)))
      expect(parsed).toEqual(JSON.parse(json))
    }),
    { numRuns: 2000 },
  )
})

test('only complete JSON is accepted', () => {
  fc.assert(
    fc.property(value, fc.nat(), (given, at) => {
      const json = JSON.stringify(given)
      const cut = json.slice(0, at % json.length)
      const outcome = (parse: () => unknown) => {
        try {
          return JSON.stringify(parse())
        } catch {
          return 'an error'
        }
      }
      expect(outcome(() => parseLarge(Buffer.from(cut), 10))).toBe(outcome(() => JSON.parse(cut)))
    }),
    { numRuns: 1000 },
  )
})

test('a long text is decoded at its first use, a short one at once', () => {
  const long = 'a "quoted" line\n'.repeat(100)
  const parsed = parse({ tool: 'Write', input: { path: 'a', content: long }, list: ['b', long] })
  expect(hasPostponed(parsed)).toBe(false)
  expect(Object.getOwnPropertyDescriptor(parsed.input, 'path')).toHaveProperty('value', 'a')
  expect(Object.getOwnPropertyDescriptor(parsed.input, 'content')).not.toHaveProperty('value')
  expect(hasPostponed(parsed.input)).toBe(true)
  expect(parsed.input.content).toBe(long)
  expect(hasPostponed(parsed.input)).toBe(false)
  expect(parsed.list).toEqual(['b', long])
})

test('a long text with an invalid escape stays as it is, and a long field name is decoded at once', () => {
  const broken = Buffer.from(`{"a": "${'x'.repeat(50)}\\q\n"}`)
  expect((parseLarge(broken, 20) as { a: string }).a).toBe(`${'x'.repeat(50)}\\q\n`)
  const name = 'n'.repeat(50)
  expect(parse({ [name]: 'v'.repeat(50), b: 1 })).toEqual({ [name]: 'v'.repeat(50), b: 1 })
})

test('a text full of quotes, or of backslashes, takes no longer than reading it', () => {
  for (const unit of ['"', '\\', '\\"', '""\\\\'])
    expect(parse({ a: unit.repeat(200_000) })).toEqual({ a: unit.repeat(200_000) })
})

test('JSON nested deeper than the stack allows is read', () => {
  const deep = 200_000
  const json = `{"a": ${'['.repeat(deep)}"${'x'.repeat(50)}"${']'.repeat(deep)}, "b": "${'y'.repeat(50)}"}`
  const parsed = parseLarge(Buffer.from(json), 20) as { a: unknown; b: string }
  expect(parsed.b).toBe('y'.repeat(50))
  let inner = parsed.a
  for (let i = 0; i < deep; i++) inner = (inner as unknown[])[0]
  expect(inner).toBe('x'.repeat(50))
})

function parse(given: unknown) {
  // biome-ignore lint/suspicious/noExplicitAny: whatever was given
  return parseLarge(Buffer.from(JSON.stringify(given)), 20) as any
}
