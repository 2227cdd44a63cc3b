/** What `crosshook stats` and the page show for a period, from the sums of a journal. */

import type { EventCount, HookQuery, HookSum, Journal, StatsFilter } from './port.ts'

export interface StatsOptions extends StatsFilter {
  since: Date
  until?: Date
  /** Number of slices for which each hook's runs are counted. */
  slices: number
  hook?: string
}

export interface Named {
  name: string
  events: number
}

export interface HookStats extends Omit<HookSum, 'by'> {
  hook: string
  /** The share of its questions that the person answered with yes. Null when it did not ask. */
  noise: number | null
  /** Runs per slice, oldest first. */
  slices: number[]
}

export interface Stats {
  /** Beginning of the first hour or day that is counted. */
  since: string
  until: string
  events: number
  by: Record<'decision' | 'agent' | 'tool' | 'project' | 'event' | 'day', Named[]>
  hooks: HookStats[]
  /** Over all hooks. */
  total: Omit<HookSum, 'by'>
}

export function statsOf(journal: Journal, options: StatsOptions): Stats {
  const { since, slices, hook, agent, tool, project } = options
  const until = options.until ?? new Date()
  const filter = {
    ...(agent === undefined ? {} : { agent }),
    ...(tool === undefined ? {} : { tool }),
    ...(project === undefined ? {} : { project }),
  }
  const query = { since, until, ...filter, ...(hook === undefined ? {} : { hook }) }
  const count = (...by: Parameters<Journal['countBy']>[0]) => journal.countBy(by, since, { ...filter, until })
  const { from, rows } = journal.hookSums({ ...query, by: ['hook'] })
  const parts = slicesOf(journal, { ...query, from, until, slices })
  const [total = NOTHING] = journal.hookSums({ ...query, by: [] }).rows
  const { by: _, ...sums } = total
  return {
    since: from.toISOString(),
    until: until.toISOString(),
    events: count()[0]?.events ?? 0,
    by: {
      decision: flat(count('decision')),
      agent: flat(count('agent')),
      tool: flat(count('tool')),
      project: flat(count('project')),
      event: flat(count('event')),
      day: flat(count('day')).sort((a, b) => (a.name < b.name ? -1 : 1)),
    },
    hooks: rows.map(({ by, ...each }) => ({
      hook: by.hook!,
      ...each,
      noise: noiseOf(each),
      slices: parts.get(by.hook!) ?? new Array<number>(slices).fill(0),
    })),
    total: sums,
  }
}

const NOTHING: HookSum = {
  by: {},
  runs: 0,
  denies: 0,
  asks: 0,
  overrides: 0,
  rewrites: 0,
  failures: 0,
  cost_usd: 0,
  p50: null,
  p95: null,
  p99: null,
}

export function noiseOf({ asks, overrides }: Pick<HookSum, 'asks' | 'overrides'>): number | null {
  return asks === 0 ? null : Math.min(1, overrides / asks)
}

/** Longer periods are sliced by days. */
const HOURLY_UP_TO_MS = 72 * 3_600_000

function slicesOf(
  journal: Journal,
  { from, slices, ...query }: Omit<HookQuery, 'by'> & { from: Date; until: Date; slices: number },
): Map<string, number[]> {
  const length = Math.max(1, query.until.getTime() - from.getTime())
  const unit = length > HOURLY_UP_TO_MS ? 'day' : 'hour'
  const found = new Map<string, number[]>()
  for (const { by, runs } of journal.hookSums({ ...query, by: ['hook', unit] }).rows) {
    let counts = found.get(by.hook!)
    if (!counts) found.set(by.hook!, (counts = new Array<number>(slices).fill(0)))
    const at = (Date.parse(by[unit]!) - from.getTime()) / length
    counts[Math.max(0, Math.min(slices - 1, Math.floor(at * slices)))]! += runs
  }
  return found
}

function flat(counts: EventCount[]): Named[] {
  return counts.flatMap(({ by, events }) => {
    const name = Object.values(by)[0] ?? ''
    return name === '' ? [] : [{ name, events }]
  })
}
