/** Queries on the hourly and daily sums: their cost depends on hours, hooks and tools, not on the number of events. */

import type { DatabaseSync } from 'node:sqlite'
import type {
  Dimension,
  EventCount,
  HookDimension,
  HookQuery,
  HookSum,
  HookTotal,
  StatsFilter,
} from '../port.ts'
import { HOUR, SUMS } from './record-sums.ts'
import { KEPT_HOURS, type Level, SPANS } from './rollups.ts'
import { createHistogram, type Histogram } from './times.ts'

const EVENT_COLUMNS: Readonly<Record<Dimension, string>> = {
  hour: 'hour',
  day: 'hour - hour % 24',
  agent: 'agent',
  tool: 'tool',
  decision: 'decision',
  project: 'project',
  event: 'event',
}

export function countBy(
  db: DatabaseSync,
  dimensions: readonly Dimension[],
  since?: Date,
  { until, ...filter }: StatsFilter & { until?: Date } = {},
): EventCount[] {
  const columns = dimensions.map((name) => `${EVENT_COLUMNS[name]} AS "${name}"`)
  const group =
    dimensions.length > 0 ? `GROUP BY ${dimensions.map((name) => EVENT_COLUMNS[name]).join(', ')}` : ''
  const order = ['events DESC', ...dimensions.map((name) => `"${name}"`)].join(', ')
  const where = whereOf(filter)
  const { span, from, end } = stretch(since ?? new Date(0), until, dimensions.includes('hour'))
  const rows = db
    .prepare(
      `SELECT ${[...columns, 'sum(events) AS events'].join(', ')} FROM ${span === SPANS.day ? 'event_days' : 'event_hours'}
         WHERE hour >= ? AND hour < ?${where.sql} ${group} ORDER BY ${order}`,
    )
    .all(from, end, ...where.values)
  return rows.map((row) => ({
    by: Object.fromEntries(dimensions.map((name) => [name, wordOf(name, row[name])])),
    events: Number(row.events ?? 0),
  }))
}

/** More hours than this are read from daily sums, unless hours are requested. */
const FEW_HOURS = 72

/** Which sums cover a period; its first hour, and the first hour after it. */
function stretch(since: Date, until: Date | undefined, wantsHours: boolean, onlyDays = false) {
  const first = hourOf(since)
  const end = until ? Math.ceil(until.getTime() / HOUR) : hourOf(new Date()) + 2
  const isOld = first < hourOf(new Date()) - KEPT_HOURS
  const isDays = onlyDays || isOld || (end - first > FEW_HOURS && !wantsHours)
  return isDays
    ? { span: SPANS.day, from: first - (first % 24), end }
    : { span: SPANS.hour, from: first, end }
}

/** The level with the fewest rows that still distinguishes what is requested. */
function levelOf({ by, agent, tool, project }: HookQuery): Level {
  const told = (['agent', 'tool', 'project'] as const).filter(
    (name) => by.includes(name) || { agent, tool, project }[name] !== undefined,
  )
  return told.length === 0 ? 'hook' : told.length === 1 ? told[0]! : 'all'
}

export function hookSums(db: DatabaseSync, query: HookQuery): { from: Date; rows: HookSum[] } {
  const { by, since, until, hook, ...filter } = query
  const level = levelOf(query)
  const { span, from, end } = stretch(since, until, by.includes('hour'), level === 'all')
  const where = whereOf({ ...filter, ...(hook === undefined ? {} : { hook }) })
  const columns = by.map((name) => `${HOOK_COLUMNS[name]} AS "${name}"`)
  const found = new Map<string, Group>()
  const statement = db.prepare(
    `SELECT ${[...columns, ...SUMS, 'times'].join(', ')} FROM hook_sums
       WHERE level = ? AND span = ? AND at >= ? AND at < ?${where.sql}`,
  )
  for (const row of statement.iterate(level, span, from, end, ...where.values)) {
    const key = by.map((name) => row[name]).join('\0')
    let group = found.get(key)
    if (!group) {
      const words = by.map((name) => [name, wordOf(name, row[name])])
      found.set(key, (group = { by: Object.fromEntries(words), ...NOTHING, times: createHistogram() }))
    }
    for (const name of SUMS) group[name] += Number(row[name])
    group.times.add(String(row.times))
  }
  const rows = [...found.values()].map(sumOf)
  const time = by.find((name) => name === 'day' || name === 'hour')
  return {
    from: new Date(from * HOUR),
    rows: rows.sort(
      (a, b) =>
        (time ? compare(a.by[time]!, b.by[time]!) : 0) || b.runs - a.runs || compare(label(a), label(b)),
    ),
  }
}

type Group = { by: HookSum['by']; times: Histogram } & Record<(typeof SUMS)[number], number>

const NOTHING = Object.fromEntries(SUMS.map((name) => [name, 0])) as Record<(typeof SUMS)[number], number>

function sumOf({ by, times, cost, total_ms: _, ...sums }: Group): HookSum {
  return {
    by,
    ...sums,
    cost_usd: dollars(cost),
    p50: times.percentile(0.5),
    p95: times.percentile(0.95),
    p99: times.percentile(0.99),
  }
}

/** Rounds off what adding up parts of a cent leaves behind. */
function dollars(cost: number): number {
  return Number(cost.toFixed(6))
}

export function hookTotals(db: DatabaseSync): HookTotal[] {
  return db
    .prepare("SELECT * FROM hook_sums WHERE level = 'hook' AND span = ? ORDER BY hook")
    .all(SPANS.ever)
    .map((row) => {
      const times = createHistogram()
      times.add(String(row.times))
      const { cost, ...sums } = Object.fromEntries(
        SUMS.map((name) => [name, Number(row[name])]),
      ) as typeof NOTHING
      return {
        hook: String(row.hook),
        ...sums,
        cost_usd: dollars(cost),
        upTo: (bounds) => bounds.map((ms) => times.upTo(ms)),
      }
    })
}

const HOOK_COLUMNS: Readonly<Record<HookDimension, string>> = {
  hook: 'hook',
  agent: 'agent',
  tool: 'tool',
  project: 'project',
  day: 'at - at % 24',
  hour: 'at',
}

/** The names are columns of both tables. */
function whereOf(filter: StatsFilter & { hook?: string }): { sql: string; values: string[] } {
  const given = Object.entries(filter).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return {
    sql: given.map(([name]) => ` AND ${FILTERS[name as keyof typeof FILTERS]} = ?`).join(''),
    values: given.map(([, value]) => value.slice(0, 256)),
  }
}

const FILTERS = { agent: 'agent', tool: 'tool', project: 'project', hook: 'hook' } as const

function hourOf(date: Date): number {
  return Math.floor(date.getTime() / HOUR)
}

function wordOf(name: string, value: unknown): string {
  return name === 'hour' || name === 'day' ? new Date(Number(value) * HOUR).toISOString() : String(value)
}

function label({ by }: HookSum): string {
  return Object.values(by).join('\0')
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
