import { expect, test } from 'vitest'
import type { HookEvent } from '../spec/event.ts'
import { environmentOf, rememberEnvironment, sameEnvironment } from './event-environment.ts'

const event = () => ({ event_type: 'before_tool', session_id: 's' }) as HookEvent

test('an event keeps the environment that it came with, and no field of it shows that', () => {
  const seen = event()
  rememberEnvironment(seen, { HOME: '/a' })
  rememberEnvironment(seen, { HOME: '/b' })
  expect(environmentOf(seen)).toEqual({ HOME: '/b' })
  expect(Reflect.ownKeys(seen)).toEqual(['event_type', 'session_id'])
  expect(JSON.stringify(seen)).not.toContain('/b')
})

test('a copy of an event has its environment only when it is given it', () => {
  const seen = event()
  rememberEnvironment(seen, { HOME: '/a' })
  expect(environmentOf({ ...seen })).toBeUndefined()
  expect(environmentOf(sameEnvironment(seen, { ...seen }))).toEqual({ HOME: '/a' })
  expect(environmentOf(sameEnvironment(event(), event()))).toBeUndefined()
})

test('it says the same as a map that holds its keys weakly', () => {
  const slow = new WeakMap<HookEvent, NodeJS.ProcessEnv>()
  const events = Array.from({ length: 20 }, event)
  for (let round = 0; round < 200; round++) {
    const seen = events[(round * 7) % events.length]!
    if (round % 3 !== 0) {
      rememberEnvironment(seen, { ROUND: String(round) })
      slow.set(seen, { ROUND: String(round) })
    }
    for (const each of events) expect(environmentOf(each)).toEqual(slow.get(each))
  }
})
