import { expect, test, vi } from 'vitest'
import { copyField, hasPostponed, postpone } from './large-text.ts'

function setUp() {
  const read = vi.fn(() => 'long')
  const owner: Record<string, unknown> = { a: 1, text: null }
  postpone(owner, 'text', read)
  return { read, owner }
}

test('a large text is decoded once, at its first use, and behaves like an ordinary field', () => {
  const { read, owner } = setUp()
  expect(Object.keys(owner)).toEqual(['a', 'text'])
  expect(Object.getOwnPropertySymbols({ ...setUp().owner })).toEqual([])
  expect(read).not.toHaveBeenCalled()
  expect(JSON.stringify(owner)).toBe('{"a":1,"text":"long"}')
  expect(structuredClone(owner)).toEqual({ a: 1, text: 'long' })
  expect(owner.text).toBe('long')
  expect(read).toHaveBeenCalledTimes(1)
})

test('assigning another value replaces it', () => {
  const { read, owner } = setUp()
  owner.text = 'short'
  expect(owner).toEqual({ a: 1, text: 'short' })
  expect(hasPostponed(owner)).toBe(false)
  expect(read).not.toHaveBeenCalled()
})

test('two objects with a field of the same name have each their own', () => {
  const { owner } = setUp()
  const other: Record<string, unknown> = {}
  postpone(other, 'text', () => 'other')
  expect([owner.text, other.text]).toEqual(['long', 'other'])
})

test('a copy under another name is read by itself', () => {
  const { read, owner } = setUp()
  const copy: Record<string, unknown> = {}
  for (const field of Object.keys(owner)) copyField(owner, field, copy, `my_${field}`)
  expect(read).not.toHaveBeenCalled()
  expect(hasPostponed(copy)).toBe(true)
  expect(copy).toEqual({ my_a: 1, my_text: 'long' })
})

test('a field called __proto__ is copied as a field', () => {
  const copy: Record<string, unknown> = {}
  copyField(JSON.parse('{"__proto__": {"command": "ls"}}'), '__proto__', copy, '__proto__')
  expect(copy.command).toBeUndefined()
  expect(Object.keys(copy)).toEqual(['__proto__'])
})
