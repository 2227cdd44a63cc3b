import { expect, test } from 'vitest'
import { lazy } from './lazy.ts'

test('a load happens once, and one that failed is tried again', async () => {
  let calls = 0
  const value = lazy(async () => {
    calls++
    if (calls === 1) throw new Error('EMFILE')
    return calls
  })
  expect(value.started()).toBeUndefined()
  await expect(Promise.all([value.get(), value.get()])).rejects.toThrow('EMFILE')
  expect(await Promise.all([value.get(), value.get()])).toEqual([2, 2])
  expect(await value.get()).toBe(2)
})
