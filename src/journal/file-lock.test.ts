import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { withLock } from './file-lock.ts'
import { newStateDir } from './sqlite/fixtures/state.ts'

const DAY_S = 86_400

test.each([
  ['of long ago', -DAY_S],
  ['of the future, as a clock that was set back leaves it', DAY_S],
])('a lock %s is taken over at once', (_, offset) => {
  const file = join(newStateDir(), 'lock')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, '')
  const at = Date.now() / 1000 + offset
  utimesSync(file, at, at)
  const begun = performance.now()
  expect(withLock(file, () => 'done')).toBe('done')
  expect(performance.now() - begun).toBeLessThan(5000)
})
