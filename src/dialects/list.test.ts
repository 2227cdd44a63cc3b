import { afterEach, expect, test } from 'vitest'
import { DIALECTS, loadDialect, loadedDialect } from './list.ts'

const [id, load] = Object.entries(DIALECTS).at(-1)!
const table = DIALECTS as Record<string, typeof load>
afterEach(() => {
  table[id] = load
})

test('a dialect whose file could not be read is tried again', async () => {
  let calls = 0
  table[id] = () => (calls++ === 0 ? Promise.reject(new Error('EMFILE: too many open files')) : load())
  await expect(loadDialect(id)).rejects.toThrow('EMFILE')
  expect(loadedDialect(id)).toBeUndefined()
  expect(await loadDialect(id)).toMatchObject({ id })
  expect(loadedDialect(id)).toMatchObject({ id })
})
