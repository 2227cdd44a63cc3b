import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { callbackExecutor } from './callback.ts'
import { callOf } from './testing.ts'

test('a function of its own gets the event', async () => {
  const call = callOf({ type: 'callback', name: 'own', call: (event) => ({ reason: event.event_type }) })
  expect(await callbackExecutor.run(call)).toEqual({ value: { reason: 'before_tool' } })
})

test('a named function gets the event and what its format gives, or the event twice', async () => {
  const callbacks = new Map([['named', (...both: unknown[]) => both]])
  const call = callOf(
    { type: 'callback', name: 'named' },
    { input: { value: { event: 'PreToolUse' } }, host: { callbacks } },
  )
  expect(await callbackExecutor.run(call)).toEqual({ value: [call.event, { event: 'PreToolUse' }] })
  const plain = callOf({ type: 'callback', name: 'named' }, { host: { callbacks } })
  expect(await callbackExecutor.run(plain)).toEqual({ value: [plain.event, plain.event] })
})

test('its own function wins over one of that name', async () => {
  const callbacks = new Map([['both', () => 'named']])
  const call = callOf({ type: 'callback', name: 'both', call: () => 'own' }, { host: { callbacks } })
  expect(await callbackExecutor.run(call)).toEqual({ value: 'own' })
})

test('a name that nobody registered is a failure that names it', async () => {
  expect(await callbackExecutor.run(callOf({ type: 'callback', name: 'missing' }))).toEqual({
    failed: true,
    kind: 'failed',
    retryable: false,
    message: "No callback named 'missing' is registered: register it, or correct the name",
  })
})

test('a function that fails after its time limit disturbs nobody', async () => {
  const late = Promise.withResolvers<never>()
  const call = callOf({ type: 'callback', name: 'late', call: () => late.promise }, { timeout: 20 })
  const disturbed: unknown[] = []
  const note = (error: unknown) => disturbed.push(error)
  process.on('unhandledRejection', note)
  onTestFinished(() => void process.off('unhandledRejection', note))
  expect(await callbackExecutor.run(call)).toMatchObject({ kind: 'timed_out' })
  late.reject(new Error('late'))
  // Rejections that nobody handles are told once the microtasks have run.
  await setImmediate()
  expect(disturbed).toEqual([])
})
