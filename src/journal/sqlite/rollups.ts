/** Sums by the hour, made when records are taken in: totals need not be counted from records, nor end with them. */

import type { DatabaseSync } from 'node:sqlite'
import type { Dimension, EventCount, HookStats, JournalHook } from '../port.ts'
import { prepared } from './store.ts'
import type { Line } from './take-in.ts'
import { percentile, type Times, timeOf } from './times.ts'

export const HOUR = 3_600_000

export interface Rollups {
  add(line: Line): void
  /** Inside a transaction of the caller. */
  write(): void
}

interface HookHour {
  hour: number
  hook: string
  runs: number
  denies: number
  asks: number
  rewrites: number
  failures: number
  times: Times
}

export function createRollups(db: DatabaseSync): Rollups {
  const events = new Map<string, { columns: (string | number)[]; count: number }>()
  const hooks = new Map<string, HookHour>()
  return {
    add({ at, entry }) {
      const hour = Math.floor(at / HOUR)
      const { agent = '', tool_name = '', decision, work_dir = '', event } = entry
      const columns = [hour, text(agent), text(tool_name), decision, text(work_dir), event]
      const key = JSON.stringify(columns)
      const known = events.get(key)
      if (known) known.count++
      else events.set(key, { columns, count: 1 })
      for (const hook of entry.hooks) addHook(hooks, hour, hook)
    },
    write() {
      for (const { columns, count } of events.values()) prepared(db, ADD_EVENTS).run(...columns, count)
      for (const each of hooks.values()) addHookHour(db, each)
    },
  }
}

function addHookHour(db: DatabaseSync, given: HookHour): void {
  const { hour, hook, runs, denies, asks, rewrites, failures, times } = given
  const before = prepared(db, 'SELECT times FROM hook_hours WHERE hour = ? AND hook = ?').get(hour, hook)
  const all = before ? added(JSON.parse(String(before.times)) as Times, times) : times
  prepared(db, ADD_HOOK).run(hour, hook, runs, denies, asks, rewrites, failures, JSON.stringify(all))
}

function text(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 256) : ''
}

function addHook(hooks: Map<string, HookHour>, hour: number, report: JournalHook): void {
  // A hook that nobody waits for is counted when it has ended.
  if (report.status === 'skipped' || report.status === 'background') return
  const hook = text(report.name)
  const key = `${hour} ${hook}`
  let sum = hooks.get(key)
  if (!sum)
    hooks.set(key, (sum = { hour, hook, runs: 0, denies: 0, asks: 0, rewrites: 0, failures: 0, times: {} }))
  sum.runs++
  if (report.status === 'blocked') sum.denies++
  if (report.status === 'failed' || report.status === 'timed_out') sum.failures++
  if (report.asked) sum.asks++
  if (report.rewrote) sum.rewrites++
  if (typeof report.duration_ms === 'number') {
    const slot = timeOf(report.duration_ms)
    sum.times[slot] = (sum.times[slot] ?? 0) + 1
  }
}

function added(sum: Times, more: Times): Times {
  for (const slot in more) sum[slot] = (sum[slot] ?? 0) + more[slot]!
  return sum
}

const ADD_EVENTS = `INSERT INTO event_hours (hour, agent, tool, decision, project, event, events) VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET events = events + excluded.events`
const ADD_HOOK = `INSERT INTO hook_hours (hour, hook, runs, denies, asks, rewrites, failures, times) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET runs = runs + excluded.runs, denies = denies + excluded.denies, asks = asks + excluded.asks,
    rewrites = rewrites + excluded.rewrites, failures = failures + excluded.failures, times = excluded.times`

/** Sums of hours that are older than this become sums of days, so that they stay few. In hours. */
const KEPT_HOURS = 31 * 24

/** Inside a transaction of the caller. */
export function hoursToDays(db: DatabaseSync, now = Date.now()): void {
  const before = Math.floor(now / HOUR) - KEPT_HOURS
  db.prepare(
    `INSERT INTO event_hours SELECT hour - hour % 24, agent, tool, decision, project, event, sum(events) FROM event_hours
       WHERE hour < ? AND hour % 24 != 0 GROUP BY 1, 2, 3, 4, 5, 6
       ON CONFLICT DO UPDATE SET events = events + excluded.events`,
  ).run(before)
  db.prepare('DELETE FROM event_hours WHERE hour < ? AND hour % 24 != 0').run(before)
  const days = new Map<string, HookHour>()
  for (const row of db.prepare('SELECT * FROM hook_hours WHERE hour < ? AND hour % 24 != 0').all(before)) {
    const given = row as unknown as Omit<HookHour, 'times'> & { times: string }
    const hour = given.hour - (given.hour % 24)
    const times = JSON.parse(given.times) as Times
    const key = `${hour} ${given.hook}`
    const day = days.get(key)
    if (!day) days.set(key, { ...given, hour, times })
    else {
      for (const name of SUMS) day[name] += given[name]
      added(day.times, times)
    }
  }
  db.prepare('DELETE FROM hook_hours WHERE hour < ? AND hour % 24 != 0').run(before)
  for (const day of days.values()) addHookHour(db, day)
}

const SUMS = ['runs', 'denies', 'asks', 'rewrites', 'failures'] as const

const COLUMNS: Readonly<Record<Dimension, string>> = {
  hour: 'hour',
  day: 'hour - hour % 24',
  agent: 'agent',
  tool: 'tool',
  decision: 'decision',
  project: 'project',
  event: 'event',
}

export function countBy(db: DatabaseSync, dimensions: readonly Dimension[], since?: Date): EventCount[] {
  const columns = dimensions.map((name) => `${COLUMNS[name]} AS "${name}"`)
  const group = dimensions.length > 0 ? `GROUP BY ${dimensions.map((name) => COLUMNS[name]).join(', ')}` : ''
  const rows = db
    .prepare(
      `SELECT ${[...columns, 'sum(events) AS events'].join(', ')} FROM event_hours WHERE hour >= ? ${group} ORDER BY ${['events DESC', ...dimensions.map((name) => `"${name}"`)].join(', ')}`,
    )
    .all(since ? Math.floor(since.getTime() / HOUR) : 0)
  return rows.map((row) => ({
    by: Object.fromEntries(dimensions.map((name) => [name, wordOf(name, row[name])])),
    events: Number(row.events ?? 0),
  }))
}

function wordOf(name: Dimension, value: unknown): string {
  return name === 'hour' || name === 'day' ? new Date(Number(value) * HOUR).toISOString() : String(value)
}

export function hookStats(db: DatabaseSync, since: Date, slices: number): HookStats[] {
  const first = Math.floor(since.getTime() / HOUR)
  const hours = Math.max(1, Math.floor(Date.now() / HOUR) - first + 1)
  const found = new Map<string, HookStats & { times: Times }>()
  for (const row of db.prepare('SELECT * FROM hook_hours WHERE hour >= ? ORDER BY hour').iterate(first)) {
    const hook = String(row.hook)
    let stats = found.get(hook)
    if (!stats) {
      const none = { runs: 0, denies: 0, asks: 0, rewrites: 0, failures: 0, p50: null, p95: null, p99: null }
      found.set(hook, (stats = { hook, ...none, slices: new Array<number>(slices).fill(0), times: {} }))
    }
    for (const name of SUMS) stats[name] += Number(row[name])
    const slice = Math.min(slices - 1, Math.floor(((Number(row.hour) - first) / hours) * slices))
    stats.slices[slice]! += Number(row.runs)
    added(stats.times, JSON.parse(String(row.times)) as Times)
  }
  return [...found.values()]
    .map(({ times, ...stats }) => ({
      ...stats,
      p50: percentile(times, 0.5),
      p95: percentile(times, 0.95),
      p99: percentile(times, 0.99),
    }))
    .sort((a, b) => b.runs - a.runs)
}
