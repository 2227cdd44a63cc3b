import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import type { Journal } from '../port.ts'
import { statsOf } from '../stats.ts'
import { read, write } from './database.ts'
import { entry, newStateDir, report } from './fixtures/state.ts'
import { openJournal } from './open.ts'
import { createRollups, dropOldSums } from './rollups.ts'
import { segmentsIn } from './segments.ts'
import { openStore } from './store.ts'
import { countBy, hookSums } from './sums.ts'
import { MIGRATIONS } from './tables.ts'
import { createHistogram, timeOf } from './times.ts'

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
  const { hooks: stats } = statsOf(journal, { since: new Date(Date.now() - 3_600_000), slices: 4 })
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

test('records beyond the limit are counted in the sums too', () => {
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

test('the sums of a flood are the same, whether its files are read or their writer has them at hand', () => {
  const seen = [true, false].map((isLasting) => {
    const stateDir = newStateDir()
    const journal = openJournal(stateDir, { limits: { records: 50 } })
    if (isLasting) journal.letWait(Number.POSITIVE_INFINITY)
    const flood = (step: number) => {
      for (let call = 0; call < 6; call++)
        journal.appendTogether(() => {
          for (let i = 0; i < 500; i++) append(journal, step * i)
        })
    }
    flood(1)
    journal.list()
    journal.append(entry({ decision: 'ask', hooks: [report({ name: 'asker', asked: true })] }))
    flood(2)
    flood(1)
    flood(2)
    return {
      left: journal.list({ limit: -1 }).length,
      counts: journal.counts(),
      events: journal.countBy(['agent', 'tool', 'decision', 'project', 'event']),
      hooks: journal.hookSums({ since: new Date(0), by: ['hook', 'agent', 'tool', 'project'] }).rows,
      findings: journal.verify().findings,
    }
  })
  expect(seen[0]).toEqual(seen[1])
  expect(seen[0]).toMatchObject({ left: 50, findings: [] })
  const sum = (rows: readonly { events: number }[]) => rows.reduce((all, { events }) => all + events, 0)
  expect(sum(seen[0]!.events)).toBe(12_001)
  expect(seen[0]!.hooks.find(({ by }) => by.hook === 'asker')).toMatchObject({ asks: 1, overrides: 1 })

  function append(journal: Journal, i: number) {
    journal.append(
      entry({
        event: i % 2 === 0 ? 'before_tool' : 'after_tool',
        agent: i % 3 === 0 ? 'one' : 'two',
        work_dir: i % 7 === 0 ? '/other' : '/project',
        reason: 'x'.repeat(1500),
        hooks: [
          report({ name: 'a', status: i % 5 === 0 ? 'failed' : 'allowed', duration_ms: i }),
          report({ name: 'b', status: 'skipped', skipped: 'untrusted' }),
          report({ name: 'c', duration_ms: Number.NaN, cost_usd: 0.5 }),
        ],
      }),
      { failures: 1 },
    )
  }
})

test('of a flood in a lasting process, what is only counted is not read again', () => {
  const stateDir = newStateDir()
  const journal = openJournal(stateDir, { limits: { records: 50 } })
  journal.letWait(Number.POSITIVE_INFINITY)
  const append = (records: number) =>
    journal.appendTogether(() => {
      for (let i = 0; i < records; i++) journal.append(entry({ reason: 'x'.repeat(1500) }))
    })
  append(1000)
  const [oldest] = segmentsIn(stateDir)
  const file = openSync(oldest!.path, 'r+')
  writeSync(file, '\n'.repeat(oldest!.size - 200), 200)
  closeSync(file)
  for (let call = 0; call < 2; call++) append(1000)
  expect(journal.countBy([])[0]!.events).toBe(3000)
})

test('a lasting process writes any number of records at once', () => {
  const journal = openJournal(newStateDir(), { limits: { records: 50 } })
  journal.letWait(Number.POSITIVE_INFINITY)
  const record = entry({ hooks: [] })
  const error = journal.appendTogether(() => {
    for (let i = 0; i < 150_000; i++) journal.append(record)
  })
  expect(error).toBeUndefined()
  expect(journal.countBy([])[0]!.events).toBe(150_000)
})

test('percentiles are accurate to about 10 %', () => {
  const times: Record<string, number> = {}
  for (let ms = 1; ms <= 1000; ms++) times[timeOf(ms)] = (times[timeOf(ms)] ?? 0) + 1
  const histogram = createHistogram()
  histogram.add(JSON.stringify(times))
  for (const [part, right] of [
    [0.5, 500],
    [0.95, 950],
    [0.99, 990],
  ] as const)
    expect(Math.abs(histogram.percentile(part)! - right) / right).toBeLessThan(0.1)
  expect(createHistogram().percentile(0.5)).toBeNull()
  expect(Math.abs(histogram.upTo(250) - 250)).toBeLessThan(25)
  expect(histogram.upTo(86_400_000)).toBe(1000)
})

const DAY = 86_400_000
const today = Math.floor(Date.now() / DAY) * DAY

test('sums of hours go after a month, sums of days when the settings say so, and no count of a day changes', () => {
  const store = openStore(newStateDir())
  const at = (days: number, hour: number) => today - days * DAY + hour * 3_600_000
  write(store, (db) => {
    const rollups = createRollups(db)
    for (const days of [1, 40, 41])
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
    read(store, (db) => ({
      days: countBy(db, ['day']),
      sums: hookSums(db, { since: new Date(0), by: ['day'] }).rows,
    }))
  const rows = () => read(store, (db) => db.prepare('SELECT count(*) AS n FROM hook_sums').get()?.n)
  const before = seen()
  expect(rows()).toBe(4 * (9 + 3) + 3 + 1)
  expect(write(store, (db) => dropOldSums(db, 400 * DAY))).toBeUndefined()
  expect(rows()).toBe(4 * (3 + 3) + 3 + 1)
  expect(seen()).toEqual(before)
  expect(before.days.map(({ events }) => events)).toEqual([3, 3, 3])
  expect(before.sums.map(({ runs }) => runs)).toEqual([3, 3, 3])
  expect(write(store, (db) => dropOldSums(db, 30 * DAY))).toBeUndefined()
  expect(seen().sums.map(({ by }) => by.day)).toEqual([new Date(at(1, 0)).toISOString()])
  expect(seen().days.map(({ events }) => events)).toEqual([3])
})

test('runs are summed by agent, tool, project and day, with cost, and can be narrowed', () => {
  const journal = openJournal(newStateDir())
  const add = (agent: string, tool_name: string, work_dir: string, more: Parameters<typeof report>[0] = {}) =>
    journal.append(entry({ agent, tool_name, work_dir, hooks: [report({ name: 'judge', ...more })] }))
  add('one', 'Shell', '/a', { cost_usd: 0.1, duration_ms: 100 })
  add('one', 'WriteFile', '/a', { cost_usd: 0.2, duration_ms: 200 })
  add('two', 'Shell', '/b', { status: 'failed', duration_ms: 1000 })
  const since = new Date(Date.now() - 7 * DAY)
  const by = (dimension: 'agent' | 'tool' | 'project', more = {}) =>
    journal
      .hookSums({ since, by: [dimension], ...more })
      .rows.map((row) => [row.by[dimension], row.runs, row.failures, row.cost_usd])
  expect(by('agent')).toEqual([
    ['one', 2, 0, 0.3],
    ['two', 1, 1, 0],
  ])
  expect(by('tool', { project: '/a' })).toEqual([
    ['Shell', 1, 0, 0.1],
    ['WriteFile', 1, 0, 0.2],
  ])
  expect(by('project', { hook: 'nobody' })).toEqual([])
  expect(by('tool', { agent: 'one', project: '/a' })).toHaveLength(2)
  expect(by('tool', { agent: 'two', project: '/a' })).toEqual([])
  const [sum] = journal.hookSums({ since, by: [] }).rows
  expect(sum!.p50).toBe(210)
  expect(journal.hookTotals()).toMatchObject([
    { hook: 'judge', runs: 3, failures: 1, cost_usd: 0.3, total_ms: 1300 },
  ])
  expect(journal.hookTotals()[0]!.upTo([50, 500, 5000])).toEqual([0, 2, 3])
})

test('an ask that the person answered yes is known by the end of the tool, also when other records come between', () => {
  const journal = openJournal(newStateDir())
  const asks = (session_id: string, detail: string) =>
    journal.append(
      entry({
        session_id,
        detail,
        decision: 'ask',
        hooks: [report({ name: 'asker', asked: true }), report({ name: 'quiet' })],
      }),
    )
  const ends = (session_id: string, detail: string) =>
    journal.append(entry({ event: 'after_tool', session_id, detail, hooks: [] }))
  const overrides = () =>
    journal
      .hookSums({ since: new Date(0), by: ['hook'] })
      .rows.map((row) => [row.by.hook, row.asks, row.overrides])
  asks('s1', 'git push')
  asks('s1', 'rm x')
  ends('s2', 'git push')
  expect(overrides()).toEqual([
    ['asker', 2, 0],
    ['quiet', 0, 0],
  ])
  ends('s1', 'git push')
  ends('s1', 'git push')
  expect(overrides()).toEqual([
    ['asker', 2, 1],
    ['quiet', 0, 0],
  ])
})

test('an ask that was answered outside the agent is known at once', () => {
  const journal = openJournal(newStateDir())
  const asked = (decision: 'allow' | 'deny') =>
    journal.append(entry({ decision, hooks: [report({ name: 'asker', asked: true })] }))
  asked('allow')
  asked('deny')
  expect(journal.hookSums({ since: new Date(0), by: ['hook'] }).rows).toMatchObject([
    { asks: 2, overrides: 1 },
  ])
})

test('sums of an older version are kept as sums of hours, of days and since ever', () => {
  const stateDir = newStateDir()
  mkdirSync(stateDir, { recursive: true })
  const db = new DatabaseSync(join(stateDir, 'journal.db'))
  for (const statements of MIGRATIONS.slice(0, 3)) db.exec(statements)
  db.exec('PRAGMA user_version = 3')
  const hour = today / 3_600_000 - 48
  const insert = db.prepare("INSERT INTO hook_hours VALUES (?, 'old', 2, 1, 0, 0, 0, ?)")
  insert.run(hour, JSON.stringify({ [timeOf(10)]: 2 }))
  insert.run(hour + 5, JSON.stringify({ [timeOf(10)]: 1, [timeOf(100)]: 1 }))
  db.close()
  const journal = openJournal(stateDir)
  expect(journal.hookSums({ since: new Date(0), by: ['day'] }).rows).toMatchObject([
    { runs: 4, denies: 2, p50: 9.8 },
  ])
  expect(journal.hookSums({ since: new Date(Date.now() - 70 * 3_600_000), by: ['hour'] }).rows).toHaveLength(
    2,
  )
  expect(journal.hookTotals()).toMatchObject([{ hook: 'old', runs: 4 }])
  expect(journal.hookTotals()[0]!.upTo([50, 500])).toEqual([3, 4])
})
