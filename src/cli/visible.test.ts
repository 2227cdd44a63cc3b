import { expect, test } from 'vitest'
import { brief } from './table.ts'
import { visible } from './visible.ts'

test('escape codes, directions and characters without width are shown by number', () => {
  expect(visible('a\u001b[8mb')).toBe('a\\u{1b}[8mb')
  expect(visible('x\u202ey\u200bz\u{e0041}')).toBe('x\\u{202e}y\\u{200b}z\\u{e0041}')
  expect(visible('rm\rls')).toBe('rm\\u{d}ls')
})

test('letters of every script, tabs and new lines stay', () => {
  expect(visible('naïve 两个字 😀\tx\ny')).toBe('naïve 两个字 😀\tx\ny')
})

test('a brief text is one line and cut by characters, not by halves of them', () => {
  expect(brief('a\n  b')).toBe('a b')
  expect(brief('😀😀😀😀', 3)).toBe('😀😀…')
})
