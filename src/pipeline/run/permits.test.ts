import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { EXECUTORS } from '../../executors/list.ts'
import { permits } from './permits.ts'

const forever = new AbortController()

test('at most so many run at once, the others in the order in which they came', async () => {
  const { use } = permits(2)
  const order: number[] = []
  let running = 0
  let most = 0
  const work = (index: number) => async () => {
    order.push(index)
    most = Math.max(most, ++running)
    await sleep(5)
    running--
    if (index === 1) throw new Error('one that fails gives its place back')
  }
  await Promise.allSettled([0, 1, 2, 3, 4].map((index) => use(work(index), forever)))
  expect({ order, most }).toEqual({ order: [0, 1, 2, 3, 4], most: 2 })
})

test('who gives up while waiting takes no place', async () => {
  const { use } = permits(1)
  const first = use(() => sleep(20), forever)
  const tired = use(() => 'never', { signal: AbortSignal.timeout(5) })
  const third = use(() => 'third', forever)
  await expect(tired).rejects.toThrow()
  await first
  expect(await third).toBe('third')
})

test('each kind of executor has as many places as the Kheish document gives it', () => {
  const places = Object.entries(EXECUTORS).map(([type, { permits: many }]) => [type, many])
  expect(Object.fromEntries(places)).toMatchObject({
    command: 64,
    http: 64,
    prompt: 16,
    agent: 8,
    callback: 128,
  })
})
