import { expect, test } from 'vitest'
import { changeList } from './settings-list.ts'

const add = (text: string, value: string) => changeList(text, { list: 'shadow', value, isWanted: true }, 'x')
const drop = (text: string, value: string) =>
  changeList(text, { list: 'shadow', value, isWanted: false }, 'x')

test.each([
  ['', 'shadow = ["a"]\n'],
  ['# mine\n[journal]\nmax_age = "9d"\n', 'shadow = ["a"]\n# mine\n[journal]\nmax_age = "9d"\n'],
  ['disabled = ["x"] # why\nshadow = ["b"] # look\n', 'disabled = ["x"] # why\nshadow = ["b", "a"] # look\n'],
  ['shadow = [\n  "b",\n]\n[daemon]\n', 'shadow = ["b", "a"]\n[daemon]\n'],
])('a name is added to %j', (before, after) => {
  expect(add(before, 'a')).toBe(after)
})

test('taken out again, the file is what it was', () => {
  const text = '# mine\ndisabled = ["x"]\n\n[journal]\nmax_age = "9d"\n'
  expect(drop(add(text, 'a')!, 'a')).toBe(text)
})

test('adding a present name or removing an absent one changes nothing', () => {
  expect(add('shadow = ["a"]\n', 'a')).toBeUndefined()
  expect(drop('shadow = ["a"]\n', 'b')).toBeUndefined()
})

test('a name cannot get out of its quotes', () => {
  expect(add('', 'a"]\nself_protection = false #')).toBe('shadow = ["a\\"]\\nself_protection = false #"]\n')
})

test('a file that is no TOML, or a list in a table, is left alone', () => {
  expect(() => add('shadow = [', 'a')).toThrow('not valid TOML')
})
