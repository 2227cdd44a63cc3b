import { expect, test } from 'vitest'
import { environmentOf, type HookEvent, rememberEnvironment, sameEnvironment } from './event.ts'

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
