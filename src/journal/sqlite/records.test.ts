import { readFileSync } from 'node:fs'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { JournalLimits } from '../port.ts'
import { counters } from './counters.ts'
import { read } from './database.ts'
import { entry, newStateDir, report } from './fixtures/state.ts'
import { journal } from './records.ts'
import { intakePath } from './segments.ts'
import { openStore } from './store.ts'

function newJournal(limits: Partial<JournalLimits> = {}) {
  const store = openStore(newStateDir())
  return { store, ...journal(store, limits) }
}

test('a record comes back as it was given, with its number, id and time', () => {
  const { record, list } = newJournal()
  const given = entry({
    agent: 'some-agent',
    subject: 'Shell',
    decision: 'deny',
    reason: 'not here',
    stop: 'enough',
    source: 'hook',
    input_digest: 'a'.repeat(64),
    dropped: ['updated_input'],
    hooks: [
      {
        ...report({ status: 'blocked' }),
        definition_digest: 'b'.repeat(64),
        invocation_digest: 'c'.repeat(64),
      },
    ],
  })
  const before = Date.now()
  const { id, error } = record(given)
  expect(error).toBeUndefined()
  const [kept, ...others] = list()
  expect(others).toEqual([])
  expect(kept).toEqual({ ...given, seq: 1, id, at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/) })
  expect(Date.parse(kept!.at)).toBeGreaterThanOrEqual(before)
})

test('the newest records are listed, oldest first, and can be read on from', () => {
  const { record, list } = newJournal()
  for (let i = 1; i <= 5; i++) record(entry({ duration_ms: i }))
  expect(list({ limit: 2 }).map(({ duration_ms }) => duration_ms)).toEqual([4, 5])
  expect(list({ after: 3 }).map(({ seq }) => seq)).toEqual([4, 5])
})

test('records are found by session, hook, decision, event and time, together', () => {
  onTestFinished(() => void vi.useRealTimers())
  vi.useFakeTimers({ toFake: ['Date'] })
  const { record, list } = newJournal()
  record(entry({ session_id: 'one', hooks: [report({ name: 'guard' })] }))
  record(entry({ session_id: 'two', decision: 'deny', hooks: [report({ name: 'guard-2' })] }))
  vi.setSystemTime(Date.now() + 1)
  const since = new Date()
  record(
    entry({
      session_id: 'two',
      event: 'session_end',
      hooks: [report({ name: 'a' }), report({ name: 'guard' })],
    }),
  )
  const numbers = (filter: Parameters<typeof list>[0]) => list(filter).map(({ seq }) => seq)
  expect(numbers({ session: 'two' })).toEqual([2, 3])
  expect(numbers({ hook: 'guard' })).toEqual([1, 3])
  expect(numbers({ decision: 'deny' })).toEqual([2])
  expect(numbers({ event: 'session_end' })).toEqual([3])
  expect(numbers({ since })).toEqual([3])
  expect(numbers({ session: 'two', hook: 'guard' })).toEqual([3])
  expect(numbers({ session: "two' OR 1=1 --" })).toEqual([])
})

test('no column contains a secret', () => {
  const { store, record, list } = newJournal()
  record(
    entry({
      session_id: 'token=hunter2',
      subject: 'password: hunter2',
      reason: 'Bearer hunter2hunter2',
      hooks: [report({ name: 'auth=hunter2', error: '{"apiKey":"hunter2"}', warnings: ['secret=hunter2'] })],
    }),
  )
  expect(readFileSync(intakePath(store.stateDir), 'utf8')).not.toContain('hunter2')
  expect(list({ session: 'token=hunter2', hook: 'auth=hunter2' })).toHaveLength(1)
  const columns = read(store, (db) => db.prepare('SELECT * FROM events').all())
  expect(JSON.stringify(columns)).not.toContain('hunter2')
})

test('a record that cannot be written down is an error of the answer, not an exception', () => {
  const { record } = newJournal()
  const broken = entry({ dropped: [1n as unknown as string] })
  expect(record(broken).error).toMatchObject({ code: 'internal' })
})

test('long texts are cut', () => {
  const { record, list } = newJournal()
  record(entry({ reason: 'word '.repeat(100_000) }))
  expect(list()[0]!.reason).toHaveLength(4096)
  expect(list()[0]!.reason).toMatch(/…$/)
})

test('only so many records are kept, and their numbers go on', () => {
  const { record, list } = newJournal({ records: 10 })
  for (let i = 0; i < 30; i++) record(entry())
  const numbers = list().map(({ seq }) => seq)
  expect(numbers.at(-1)).toBe(30)
  expect(numbers[0]).toBe(21)
})

test('only so many bytes are kept', () => {
  const { record, list } = newJournal({ bytes: 10_000 })
  for (let i = 0; i < 30; i++) record(entry({ reason: 'word '.repeat(400) }))
  expect(list().map(({ seq }) => seq)).toEqual([27, 28, 29, 30])
})

test('counts go up with the records', () => {
  const { store, record } = newJournal()
  record(entry(), { executions: 2, retries: 1 })
  record(entry(), { executions: 1, failures: 1 })
  const counts = { executions: 3, failures: 1, retries: 1, dead_letters: 0, dead_letter_persist_failures: 0 }
  expect(counters(store).read()).toEqual(counts)
  expect(counters(store).read()).toEqual(counts)
})

test('a follower sees the records of others as they come, and ends with its signal', async () => {
  const stateDir = newStateDir()
  const writer = journal(openStore(stateDir))
  writer.record(entry({ reason: 'before' }))
  const controller = new AbortController()
  const seen: unknown[] = []
  const following = (async () => {
    const records = journal(openStore(stateDir)).follow({ session: 's1' }, controller.signal)
    for await (const { reason } of records) if (seen.push(reason) === 3) controller.abort()
  })()
  writer.record(entry({ reason: 'one' }))
  writer.record(entry({ reason: 'other session', session_id: 's2' }))
  writer.record(entry({ reason: 'two' }))
  await expect.poll(() => seen.length).toBe(2)
  writer.record(entry({ reason: 'three' }))
  await following
  expect(seen).toEqual(['one', 'two', 'three'])
})
