import { join, normalize } from 'node:path'
import { expect, test } from 'vitest'
import { within } from './within.ts'

test('gives the same path as path.join', () => {
  for (const folder of ['/', '/a', '/a/', '/a b/c.d', 'relative', normalize('/x//y/../z')])
    for (const path of ['b', 'b/c', '.hidden/file.txt', 'a b'])
      expect(within(folder, path)).toBe(join(folder, path))
})
