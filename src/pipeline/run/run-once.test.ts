import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createMatcher } from '../../engine/match.ts'
import type { AnyExecutor } from '../../executors/list.ts'
import { EXECUTORS } from '../../executors/list.ts'
import type { HookEvent } from '../../spec/event.ts'
import type { Host } from '../../spec/executor.ts'
import { HOOK_DEFAULTS, type Hook } from '../../spec/hook.ts'
import { createExecute, permits } from './run-once.ts'

const forever = new AbortController()

test('at most so many run at once, the others in the order in which they came', async () => {
  const { use } = permits(2)
  const order: number[] = []
  let running = 0
  let most = 0
  const work = (index: number) => async () => {
    order.push(index)
    most = Math.max(most, ++running)
    await setImmediate()
    running--
    if (index === 1) throw new Error('one that fails gives its place back')
  }
  await Promise.allSettled([0, 1, 2, 3, 4].map((index) => use(work(index), forever)))
  expect({ order, most }).toEqual({ order: [0, 1, 2, 3, 4], most: 2 })
})

test('a caller that gives up while waiting uses no permit', async () => {
  const { use } = permits(1)
  const end = Promise.withResolvers<void>()
  const patience = new AbortController()
  const first = use(() => end.promise, forever)
  const tired = use(() => 'never', patience)
  const third = use(() => 'third', forever)
  patience.abort()
  await expect(tired).rejects.toThrow()
  end.resolve()
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

test('hooks of a kind wait until one of its places is free', async () => {
  const ends: (() => void)[] = []
  const agent: AnyExecutor = {
    run: () => new Promise((resolve) => ends.push(() => resolve({ value: {} }))),
  }
  const hook: Hook = {
    ...HOOK_DEFAULTS,
    name: 'asks',
    format: 'agenthooks',
    scope: 'user',
    events: ['before_tool'],
    run: { type: 'agent', template: '', model: {}, tools: [], max_turns: 1 },
    origin: { file: 'f' },
  }
  const event: HookEvent = {
    event_type: 'before_tool',
    timestamp: '',
    session_id: '',
    work_dir: '/',
    context: {},
  }
  const execute = createExecute({ executors: { agent } })
  const planned = { hook, matcher: createMatcher({}) }
  const limits = { signal: forever.signal, timeout: 1000, attempt: 1 }
  const all = Array.from({ length: 9 }, () => execute({} as Host, planned, event, limits))
  await expect.poll(() => ends.length).toBe(8)
  ends[0]!()
  await Promise.race(all)
  await expect.poll(() => ends.length).toBe(9)
  for (const end of ends) end()
  await Promise.all(all)
})

test('a fixed answer is decoded once for each event, and means the same each time', async () => {
  const run: Hook['run'] = { type: 'outcome', outcome: { decision: 'deny', additional_context: ['a', ' '] } }
  const hook: Hook = {
    ...HOOK_DEFAULTS,
    name: 'fixed',
    format: 'agenthooks',
    scope: 'user',
    events: ['before_tool', 'after_tool'],
    run,
    origin: { file: 'f' },
  }
  const fire = (event_type: string) => {
    const event: HookEvent = { event_type, timestamp: '', session_id: '', work_dir: '/', context: {} }
    const limits = { signal: forever.signal, timeout: 1000, attempt: 1 }
    return execute({} as Host, { hook, matcher: createMatcher({}) }, event, limits)
  }
  let asked = 0
  const outcome: AnyExecutor = {
    run: () => {
      asked++
      return { value: run.outcome, fixed: true }
    },
  }
  const execute = createExecute({ executors: { outcome } })
  const first = await fire('before_tool')
  expect(first.outcome).toEqual({
    decision: 'deny',
    reason: "Blocked by hook 'fixed'",
    user_message: "Blocked by hook 'fixed'",
    additional_context: ['a'],
  })
  expect([await fire('before_tool'), await fire('before_tool')]).toEqual([first, first])
  expect(asked).toBe(1)
  expect(await fire('after_tool')).toEqual(first)
  expect(asked).toBe(2)
})
