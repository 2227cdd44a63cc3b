import { afterEach, expect, test } from 'vitest'
import { DIALECTS, loadDialect, loadedDialect } from './list.ts'

const [known, load] = Object.entries(DIALECTS).at(-1)!
const table = DIALECTS as Record<string, typeof load>
/** One that nobody has loaded before. */
const id = 'of-this-test'
afterEach(() => {
  delete table[id]
})

test('a dialect whose file could not be read is tried again', async () => {
  let calls = 0
  table[id] = () => (calls++ === 0 ? Promise.reject(new Error('EMFILE: too many open files')) : load())
  await expect(loadDialect(id)).rejects.toThrow('EMFILE')
  expect(loadedDialect(id)).toBeUndefined()
  expect(await loadDialect(id)).toMatchObject({ id: known })
  expect(loadedDialect(id)).toMatchObject({ id: known })
})
