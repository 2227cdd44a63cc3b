import { expect, test } from 'vitest'
import { inNoTime, workTime } from './work-time.ts'

function busy(ms: number): void {
  const start = process.threadCpuUsage()
  for (let passed = 0; passed < ms; ) {
    const { user, system } = process.threadCpuUsage(start)
    passed = (user + system) / 1000
  }
}

test('work that is always too long is, work that was too long once is not', () => {
  // Far beyond the limit, since this machine may be slower than the one of the limits.
  expect(workTime(1, () => busy(50))).toBeGreaterThan(1)
  let runs = 0
  expect(workTime(50, () => busy(runs++ === 0 ? 60 : 1))).toBeLessThan(50)
  expect(runs).toBe(2)
})

test('a clock that stands still goes again afterwards', () => {
  const clock = process.threadCpuUsage
  expect(inNoTime(() => [process.threadCpuUsage(), process.threadCpuUsage()])).toEqual([
    { user: 0, system: 0 },
    { user: 0, system: 0 },
  ])
  expect(() => inNoTime(() => JSON.parse('{'))).toThrow()
  expect(process.threadCpuUsage).toBe(clock)
})
