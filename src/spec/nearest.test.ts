import { expect, test } from 'vitest'
import { didYouMean, nearest } from './nearest.ts'

test('a letter too many, too few or wrong is forgiven', () => {
  for (const word of ['before_tol', 'befor_tool', 'before_toool', 'before_tooi', 'BEFORE_TOOL'])
    expect(nearest(word, ['after_tool', 'before_tool'])).toBe('before_tool')
})

test('letters that changed places count as one', () => {
  expect(nearest('gaurd', ['guard', 'guild'])).toBe('guard')
  expect(nearest('lsit', ['log', 'list'])).toBe('list')
})

test('a name that is not similar is not suggested', () => {
  expect(nearest('frobnicate', ['list', 'fire'])).toBeUndefined()
  expect(didYouMean('frobnicate', ['list'])).toBe('')
})
