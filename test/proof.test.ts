import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { BEHAVIOURS } from '../tools/proof/behaviours.ts'
import { GUARDING } from '../tools/proof/guarding.ts'

const root = join(import.meta.dirname, '..')

// `npm run check:proof` takes too long for every change; that its edits still fit the sources is seen at once.
it.each([...BEHAVIOURS, ...GUARDING])('$promise: can be taken out of $file', ({ file, find, put }) => {
  expect(put).not.toBe(find)
  expect(readFileSync(join(root, file), 'utf8').split(find)).toHaveLength(2)
})
