import { expect, test } from 'vitest'
import { entry, newStateDir, report } from './fixtures/state.ts'
import { openJournal } from './open.ts'
import { countBy, createRollups, hookStats, hoursToDays } from './rollups.ts'
import { openStore, read, write } from './store.ts'
import { percentile, timeOf } from './times.ts'

test('counts by hook, agent, tool, decision, project and day outlive the records', () => {
  const journal = openJournal(newStateDir(), { limits: { records: 2 } })
  const add = (more: Parameters<typeof entry>[0]) => journal.append(entry(more))
  for (let i = 0; i < 10; i++) {
    add({
      agent: 'one',
      decision: 'deny',
      hooks: [report({ name: 'guard', status: 'blocked', duration_ms: 10 })],
    })
    if (i % 3 === 0) journal.list()
  }
  for (let i = 0; i < 5; i++) add({ agent: 'two', work_dir: '/other', tool_name: 'ReadFile' })
  add({
    hooks: [
      report({ name: 'other', asked: true, rewrote: true }),
      report({ name: 'guard', status: 'failed' }),
    ],
  })
  add({ hooks: [report({ name: 'never', status: 'skipped', skipped: 'untrusted' })] })
  expect(journal.list()).toHaveLength(2)
  const count = (...by: Parameters<typeof journal.countBy>[0]) =>
    Object.fromEntries(journal.countBy(by).map((each) => [Object.values(each.by).join(' '), each.events]))
  expect(count('agent')).toEqual({ one: 10, two: 5, '': 2 })
  expect(count('decision', 'tool')).toEqual({ 'deny Shell': 10, 'allow ReadFile': 5, 'allow Shell': 2 })
  expect(count('project')).toEqual({ '/project': 12, '/other': 5 })
  const day = new Date().toISOString().slice(0, 10)
  expect(count('day')).toEqual({ [`${day}T00:00:00.000Z`]: 17 })
  expect(journal.countBy([], new Date(Date.now() + 7_200_000))[0]?.events).toBe(0)
  const stats = journal.hookStats(new Date(Date.now() - 3_600_000), 4)
  expect(
    stats.map(({ hook, runs, denies, asks, rewrites, failures }) => [
      hook,
      runs,
      denies,
      asks,
      rewrites,
      failures,
    ]),
  ).toEqual([
    ['guard', 11, 10, 0, 0, 1],
    ['other', 1, 0, 1, 1, 0],
  ])
  expect(stats[0]!.p50).toBeCloseTo(10, 0)
  expect(stats[0]!.slices.reduce((sum, each) => sum + each, 0)).toBe(11)
})

test('what is more than is kept is counted in the sums too', () => {
  const journal = openJournal(newStateDir(), { limits: { records: 50 } })
  journal.appendTogether(() => {
    for (let i = 0; i < 4000; i++) journal.append(entry({ reason: 'x'.repeat(1500) }))
  })
  journal.appendTogether(() => {
    for (let i = 0; i < 4000; i++) journal.append(entry({ reason: 'x'.repeat(1500) }))
  })
  expect(journal.list({ limit: -1 })).toHaveLength(50)
  expect(journal.countBy(['tool'])).toEqual([{ by: { tool: 'Shell' }, events: 8000 }])
  expect(journal.verify().findings).toEqual([])
})

test('percentiles are about a tenth exact', () => {
  const times: Record<string, number> = {}
  for (let ms = 1; ms <= 1000; ms++) times[timeOf(ms)] = (times[timeOf(ms)] ?? 0) + 1
  for (const [part, right] of [
    [0.5, 500],
    [0.95, 950],
    [0.99, 990],
  ] as const)
    expect(Math.abs(percentile(times, part)! - right) / right).toBeLessThan(0.1)
  expect(percentile({}, 0.5)).toBeNull()
})

test('after a month sums of hours become sums of days, and no count changes', () => {
  const store = openStore(newStateDir())
  const day = Math.floor(Date.now() / 86_400_000) * 86_400_000
  const at = (days: number, hour: number) => day - days * 86_400_000 + hour * 3_600_000
  write(store, (db) => {
    const rollups = createRollups(db)
    for (const days of [0, 40, 41])
      for (const hour of [0, 3, 7])
        rollups.add({
          counts: {},
          id: '',
          at: at(days, hour),
          entry: entry({ hooks: [report({ duration_ms: 5 })] }),
        })
    rollups.write()
  })
  const seen = () =>
    read(store, (db) => ({ days: countBy(db, ['day']), stats: hookStats(db, new Date(0), 1) }))
  const rows = () => read(store, (db) => db.prepare('SELECT count(*) AS n FROM hook_hours').get()?.n)
  const before = seen()
  expect(rows()).toBe(9)
  expect(write(store, (db) => hoursToDays(db))).toBeUndefined()
  expect(rows()).toBe(5)
  expect(seen()).toEqual(before)
  expect(before.days.map(({ events }) => events)).toEqual([3, 3, 3])
})
