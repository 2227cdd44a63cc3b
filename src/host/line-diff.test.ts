import { expect, test } from 'vitest'
import { lineDiff } from './line-diff.ts'

const text = (...lines: (string | number)[]) => `${lines.join('\n')}\n`
const count = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at)

test('equal texts have no difference', () => {
  expect(lineDiff('a\nb\n', 'a\nb\n')).toEqual([])
})

test('a changed line is shown with three lines around it', () => {
  expect(lineDiff(text(...count(1, 9)), text(...count(1, 4), 'five', ...count(6, 9)))).toEqual([
    '@@ -2,7 +2,7 @@',
    ...[' 2', ' 3', ' 4', '-5', '+five', ' 6', ' 7', ' 8'],
  ])
})

test('changes far apart are shown in hunks of their own', () => {
  const before = count(1, 30)
  const after = before.filter((line) => line !== 2 && line !== 29)
  expect(lineDiff(text(...before), text(...after))).toEqual([
    '@@ -1,5 +1,4 @@',
    ...[' 1', '-2', ' 3', ' 4', ' 5'],
    '@@ -26,5 +25,4 @@',
    ...[' 26', ' 27', ' 28', '-29', ' 30'],
  ])
})

test('a new file is all added, an emptied one all removed', () => {
  expect(lineDiff('', 'a\nb\n')).toEqual(['@@ -0,0 +1,2 @@', '+a', '+b'])
  expect(lineDiff('a\nb\n', '')).toEqual(['@@ -1,2 +0,0 @@', '-a', '-b'])
})

test('a diff of moved lines does not show the whole file', () => {
  const diff = lineDiff(text('a', 'b', 'c', 'd'), text('b', 'c', 'd', 'a'))
  expect(diff).toEqual(['@@ -1,4 +1,4 @@', '-a', ' b', ' c', ' d', '+a'])
})

test('two large texts without a common line take little time', () => {
  const before = text(...count(1, 20_000))
  const after = text(...count(20_001, 40_000))
  expect(lineDiff(before, after)).toHaveLength(40_001)
})
