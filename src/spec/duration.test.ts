import { expect, test, vi } from 'vitest'
import { durationMs, momentOf } from './duration.ts'

test.each([
  ['90s', 90_000],
  ['10m', 600_000],
  ['1h', 3_600_000],
  ['7d', 604_800_000],
  ['2w', 1_209_600_000],
  ['0d', 0],
])('%s is a length of time', (text, ms) => {
  expect(durationMs(text)).toBe(ms)
})

test.each(['', 'd', '7', '7x', '-1d', '1.5h', ' 7d', '99999999999999999d'])('%j is none', (text) => {
  expect(durationMs(text)).toBeUndefined()
})

test('a moment is that long ago, or a date; the largest number is still a date', () => {
  vi.useFakeTimers({ now: Date.parse('2026-01-31T12:00:00Z') })
  try {
    expect(momentOf('1h')).toEqual(new Date('2026-01-31T11:00:00Z'))
    expect(momentOf('2026-01-01T00:00:00Z')).toEqual(new Date('2026-01-01T00:00:00Z'))
    expect(momentOf('999999w')?.toISOString()).toMatch(/^-/)
    expect(momentOf('banana')).toBeUndefined()
    expect(momentOf('99999999999999999d')).toBeUndefined()
  } finally {
    vi.useRealTimers()
  }
})
