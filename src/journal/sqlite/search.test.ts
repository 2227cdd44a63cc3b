import { expect, test } from 'vitest'
import type { JournalEntry, SearchFilter } from '../port.ts'
import { entry, newStateDir, report } from './fixtures/state.ts'
import { openJournal } from './open.ts'

const RANGE = { limit: 100, rows: 1000 }

function journalOf(entries: readonly Partial<JournalEntry>[]) {
  const journal = openJournal(newStateDir())
  journal.appendTogether(() => {
    for (const each of entries) journal.append(entry(each))
  })
  return journal
}

test('each filter finds its records, newest first', () => {
  const journal = journalOf([
    { agent: 'one', tool_name: 'Shell', detail: 'git push 100%', session_id: 's1', work_dir: '/a' },
    { agent: 'two', tool_name: 'WriteFile', detail: 'a "quoted" \\ path', session_id: 's2', work_dir: '/b' },
    {
      agent: 'one',
      tool_name: 'Shell',
      decision: 'deny',
      hooks: [{ ...report({ status: 'blocked' }), name: 'guard' }],
    },
    { event: 'after_tool', hooks: [{ ...report({ status: 'timed_out' }), name: 'slow' }] },
  ])
  const found = (filter: SearchFilter) => journal.search(filter, RANGE).records.map(({ seq }) => seq)
  expect(found({})).toEqual([4, 3, 2, 1])
  expect(found({ agent: 'one' })).toEqual([3, 1])
  expect(found({ tool: 'WriteFile' })).toEqual([2])
  expect(found({ session: 's2' })).toEqual([2])
  expect(found({ project: '/a' })).toEqual([1])
  expect(found({ decision: 'deny' })).toEqual([3])
  expect(found({ event: 'after_tool' })).toEqual([4])
  expect(found({ hook: 'guard' })).toEqual([3])
  expect(found({ hook: 'guar' })).toEqual([])
  expect(found({ failed: true })).toEqual([4])
  expect(found({ text: 'PUSH 100%' })).toEqual([1])
  expect(found({ text: 'push 100_' })).toEqual([])
  expect(found({ text: '"quoted" \\ path' })).toEqual([2])
  expect(found({ until: new Date(0) })).toEqual([])
  expect(found({ since: new Date(Date.now() - 60_000), agent: 'two' })).toEqual([2])
})

test('a search looks at so many rows, and can be gone on with until everything was seen once', () => {
  const journal = journalOf(
    Array.from({ length: 95 }, (_, i): Partial<JournalEntry> => ({ agent: i % 10 === 0 ? 'rare' : 'often' })),
  )
  const seen: number[] = []
  const looks: number[] = []
  for (let before: number | undefined; ; ) {
    const { records, next, first, last } = journal.search(
      { agent: 'rare' },
      { limit: 2, rows: 15, ...(before === undefined ? {} : { before }) },
    )
    expect([first, last]).toEqual([1, 95])
    seen.push(...records.map(({ seq }) => seq))
    looks.push(records.length)
    if (next === null) break
    before = next
  }
  expect(seen).toEqual([91, 81, 71, 61, 51, 41, 31, 21, 11, 1])
  expect(looks).toContain(2)
  expect(looks).toContain(1)
})

test('an empty journal has nothing, and one record is found by its number', () => {
  const empty = journalOf([])
  expect(empty.search({}, RANGE)).toEqual({ records: [], next: null, first: 1, last: 0 })
  const journal = journalOf([{ agent: 'one' }])
  expect(journal.record(1)).toMatchObject({ seq: 1, agent: 'one' })
  expect(journal.record(2)).toBeUndefined()
})

test('the last call of each agent for each event is known', () => {
  const journal = journalOf([
    { agent: 'one', event: 'before_tool' },
    { agent: 'one', event: 'after_tool' },
    { agent: 'two', event: 'before_tool' },
    { event: 'before_tool' },
  ])
  const calls = journal.lastCalls()
  expect(calls.map(({ agent, event }) => `${agent} ${event}`).sort()).toEqual([
    'one after_tool',
    'one before_tool',
    'two before_tool',
  ])
  for (const { at } of calls) expect(Date.now() - Date.parse(at)).toBeLessThan(60_000)
})
