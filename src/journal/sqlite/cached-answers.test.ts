import { expect, onTestFinished, test, vi } from 'vitest'
import { cache, cacheKey } from './cached-answers.ts'
import { read } from './database.ts'
import { newStateDir } from './fixtures/state.ts'
import { openStore } from './store.ts'

test('another process finds what one has kept, until it is too old', () => {
  onTestFinished(() => void vi.useRealTimers())
  vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000_000 })
  const stateDir = newStateDir()
  expect(cache(openStore(stateDir)).set('k', { decision: 'deny' }, 60)).toBeUndefined()
  const other = cache(openStore(stateDir))
  vi.setSystemTime(1_000_000_000 + 59_999)
  expect(other.get('k', 60)).toEqual({ decision: 'deny' })
  expect(other.get('unknown', 60)).toBeUndefined()
  vi.setSystemTime(1_000_000_000 + 60_001)
  expect(other.get('k', 60)).toBeUndefined()
})

test('a clock that is set back makes no answer last longer', () => {
  const { get, set } = cache(openStore(newStateDir()))
  onTestFinished(() => void vi.useRealTimers())
  vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000_000 })
  set('k', 1, 60)
  vi.setSystemTime(1_000_000_000 - 86_400_000)
  expect(get('k', 60)).toBeUndefined()
  set('k', 2, 60)
  expect(get('k', 60)).toBe(2)
  vi.setSystemTime(1_000_000_000 + 86_400_000)
  expect(get('k', 60)).toBeUndefined()
})

test('a newer answer takes the place of an older one, and no time means no keeping', () => {
  const { get, set } = cache(openStore(newStateDir()))
  set('k', 1, 60)
  set('k', 2, 60)
  set('other', 1, 0)
  expect(get('k', 60)).toBe(2)
  expect(get('other', 60)).toBeUndefined()
})

test('only so many answers are kept, the newest', () => {
  const store = openStore(newStateDir())
  const { get, set } = cache(store, 3)
  for (let i = 0; i < 10; i++) set(`k${i}`, i, 60)
  expect([6, 7, 8, 9].map((i) => get(`k${i}`, 60))).toEqual([undefined, 7, 8, 9])
  expect(read(store, (db) => db.prepare('SELECT count(*) AS count FROM cache').get())).toEqual({ count: 3 })
})

test('the key depends on the hook and the event, not on its time or the order of its fields', () => {
  const event = { event_type: 'before_tool', timestamp: '1', tool_input: { a: 1, b: 2 } }
  const same = { tool_input: { b: 2, a: 1 }, timestamp: '2', event_type: 'before_tool' }
  expect(cacheKey('hook', event)).toBe(cacheKey('hook', same))
  expect(cacheKey('hook', event)).not.toBe(cacheKey('other', event))
  expect(cacheKey('hook', event)).not.toBe(cacheKey('hook', { ...event, tool_input: { a: 1, b: 3 } }))
})

test('without a store there is never an answer, and a warning says so', () => {
  const store = openStore('/dev/null/state')
  expect(cache(store).get('k', 60)).toBeUndefined()
  expect(cache(store).set('k', 1, 60)?.code).toBe('store')
  expect(store.warnings).toEqual([expect.stringContaining('so the hook runs again')])
})
