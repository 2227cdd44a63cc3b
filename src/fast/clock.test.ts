import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isoTime, now } from './clock.ts'

test('now() runs as performance.now() does', async () => {
  const began = { own: now(), twin: performance.now() }
  while (performance.now() - began.twin < 20);
  const own = now() - began.own
  const twin = performance.now() - began.twin
  expect(Math.abs(own - twin)).toBeLessThan(5)
})

test('a time as text is the same as that of Date, from 1970 to 9999', () => {
  const last = Date.UTC(9999, 11, 31, 23, 59, 59, 999)
  for (const ms of [0, 1, 951_782_400_000 - 1, 951_782_400_000, 4_107_542_399_999, last])
    expect(isoTime(ms)).toBe(new Date(ms).toISOString())
  for (let day = 0; day < 200_000; day += 7)
    expect(isoTime(day * 86_400_000)).toBe(new Date(day * 86_400_000).toISOString())
  fc.assert(
    fc.property(fc.integer({ min: 0, max: last }), (ms) => {
      expect(isoTime(ms)).toBe(new Date(ms).toISOString())
    }),
    { numRuns: 2000 },
  )
})
