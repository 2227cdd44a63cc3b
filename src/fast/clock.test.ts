import { expect, test } from 'vitest'
import { now } from './clock.ts'

test('runs as performance.now() does', async () => {
  const began = { own: now(), twin: performance.now() }
  while (performance.now() - began.twin < 20);
  const own = now() - began.own
  const twin = performance.now() - began.twin
  expect(Math.abs(own - twin)).toBeLessThan(5)
})
