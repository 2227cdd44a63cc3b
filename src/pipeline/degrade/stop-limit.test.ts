import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { HookEvent } from '../../spec/event.ts'
import { limitStops } from './stop-limit.ts'

const event = (event_type: string, session_id = 's') =>
  ({ event_type, session_id, timestamp: '', work_dir: '/', context: {} }) as HookEvent

test('an agent is sent back to work eight times in a turn, and then may stop', () => {
  const state = mkdtempSync(join(tmpdir(), 'stop-limit-'))
  onTestFinished(() => rmSync(state, { recursive: true, force: true, maxRetries: 10 }))
  const denied = { decision: 'deny', reason: 'tests fail' } as const
  const stop = (session?: string) => limitStops(state, event('before_stop', session), denied).outcome
  for (let count = 1; count <= 8; count++) expect(stop()).toBe(denied)
  expect(stop()).toEqual({ user_message: expect.stringContaining('now it may stop (tests fail)') })
  expect(stop('another session')).toBe(denied)
  limitStops(state, { ...event('before_agent'), prompt: 'Hook says: tests fail' } as HookEvent, {})
  expect(stop()).not.toBe(denied)
  limitStops(state, { ...event('before_agent'), prompt: 'something else' } as HookEvent, {})
  expect(stop()).toBe(denied)
})

test('other events and other answers are not counted', () => {
  const denied = { decision: 'deny' } as const
  expect(limitStops('/nowhere', event('before_tool'), denied)).toEqual({ outcome: denied, notes: [] })
  expect(limitStops('/nowhere', event('before_stop'), {})).toEqual({ outcome: {}, notes: [] })
})

test('a state folder that cannot be written changes no decision', () => {
  const denied = { decision: 'deny', reason: 'tests fail' } as const
  const { outcome, notes } = limitStops('/dev/null/state', event('before_stop'), denied)
  expect(outcome).toBe(denied)
  expect(notes).toEqual([expect.stringContaining('cannot be counted')])
})
