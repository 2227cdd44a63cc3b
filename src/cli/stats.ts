/** `crosshook stats`: how often each hook ran, what it decided and how long it took, from hourly sums. */

import { paths } from '../config/paths.ts'
import { assemble } from '../host/assemble.ts'
import type { EventCount, HookStats } from '../journal/port.ts'
import { journalOf } from '../pipeline/journal.ts'
import type { Arguments } from './options.ts'
import { type Painter, painter } from './paint.ts'
import { duration, plural, print, printJson, warn } from './print.ts'
import { momentOf } from './since.ts'
import { brief, columns } from './table.ts'

const DEFAULT_SINCE = '7d'
/** Bars of a sparkline. */
const SLICES = 14

export async function run(args: Arguments): Promise<number> {
  const since = momentOf(args.value('since') ?? DEFAULT_SINCE)
  const where = paths(args.env)
  const journal = await journalOf(where)
  try {
    const hooks = journal.hookStats(since, SLICES)
    const count = (...by: Parameters<typeof journal.countBy>[0]) => journal.countBy(by, since)
    const events = count()[0]?.events ?? 0
    const by = {
      decision: flat(count('decision')),
      agent: flat(count('agent')),
      tool: flat(count('tool')),
      project: flat(count('project')),
      day: flat(count('day')).sort((a, b) => (a.name < b.name ? -1 : 1)),
    }
    const silent = await neverMatched(args, new Set(hooks.map(({ hook }) => hook)))
    for (const sentence of journal.warnings()) warn(sentence)
    if (args.flag('json')) printJson({ since: since.toISOString(), events, by, hooks, never_matched: silent })
    else print(words({ since, events, by, hooks, silent }, painter(1)))
    return 0
  } finally {
    journal.close()
  }
}

interface Named {
  name: string
  events: number
}

function flat(counts: EventCount[]): Named[] {
  return counts.flatMap(({ by, events }) => {
    const name = Object.values(by)[0] ?? ''
    return name === '' ? [] : [{ name, events }]
  })
}

/** Hooks of this folder that are switched on and have not run in all that time. */
async function neverMatched(args: Arguments, ran: ReadonlySet<string>): Promise<string[]> {
  const assembly = assemble({ env: args.env, source: 'cli', silent: true })
  try {
    const { hooks } = await assembly.hookSet(process.cwd())
    return [...new Set(hooks.map(({ name }) => name))].filter((name) => !ran.has(name)).sort()
  } finally {
    await assembly.close()
  }
}

interface Found {
  since: Date
  events: number
  by: Record<string, Named[]>
  hooks: HookStats[]
  silent: string[]
}

function words({ since, events, by, hooks, silent }: Found, paint: Painter): string {
  const head = `${plural(events, 'event')} since ${since.toISOString().slice(0, 16).replace('T', ' ')} UTC\n`
  if (events === 0 && hooks.length === 0)
    return `${head}Nothing was recorded in that time. Ask for more with --since 30d.\n`
  const titles = ['hook', 'runs', 'denied', 'asked', 'rewrote', 'failed', 'p50', 'p95', 'p99', 'when']
  const rows = hooks.map((each) => [
    brief(each.hook, 40),
    String(each.runs),
    some(each.denies, paint.red),
    some(each.asks, paint.yellow),
    some(each.rewrites, (text) => text),
    some(each.failures, paint.yellow),
    ...[each.p50, each.p95, each.p99].map((ms) => (ms === null ? '–' : duration(ms))),
    sparkline(each.slices),
  ])
  const sums = Object.entries(by).map(([name, counts]) => [
    `by ${name}`,
    counts
      .slice(0, 8)
      .map((each) => `${brief(name === 'day' ? each.name.slice(0, 10) : each.name, 40)} ${each.events}`)
      .join(' · '),
  ])
  const never =
    silent.length === 0
      ? ''
      : `\nNever ran in this time: ${silent.map((name) => brief(name, 40)).join(', ')}\n`
  return `${head}${columns(sums)}\n${columns([titles.map((title) => paint.dim(title)), ...rows])}${never}`
}

function some(count: number, colour: (text: string) => string): string {
  return count === 0 ? '0' : colour(String(count))
}

const BARS = '▁▂▃▄▅▆▇█'

function sparkline(counts: readonly number[]): string {
  const most = Math.max(...counts, 1)
  return counts
    .map((count) => (count === 0 ? ' ' : BARS[Math.ceil((count / most) * BARS.length) - 1]))
    .join('')
}
