import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isoTime } from './clock.ts'

test('a time is written as a Date writes it', () => {
  const years = { min: Date.UTC(1000, 0), max: Date.UTC(9999, 11, 31, 23, 59, 59, 999) }
  fc.assert(
    fc.property(fc.integer(years), (time) => {
      expect(isoTime(time)).toBe(new Date(time).toISOString())
    }),
    { numRuns: 5000 },
  )
  for (let day = Date.UTC(1996, 0); day < Date.UTC(2005, 0); day += 86_400_000)
    expect(isoTime(day)).toBe(new Date(day).toISOString())
})
