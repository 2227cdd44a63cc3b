/** `crosshook stats`: how often each hook ran, what it decided and how long it took, from hourly sums. */

import { APPROVAL } from '../ask/note.ts'
import { paths } from '../config/paths.ts'
import { readSettings } from '../config/settings.ts'
import { type ShadowSum, shadowSums } from '../history/shadow-sums.ts'
import { assemble } from '../host/assemble.ts'
import { type EventCount, HOOK_DIMENSIONS, type HookDimension, type HookSum } from '../journal/port.ts'
import { noiseOf, type Stats, statsOf } from '../journal/stats.ts'
import { journalOf } from '../pipeline/journal.ts'
import { CrosshookError } from '../spec/errors.ts'
import type { Hook } from '../spec/hook.ts'
import { didYouMean } from '../spec/nearest.ts'
import type { Arguments } from './options.ts'
import { type Painter, painter } from './paint.ts'
import { duration, plural, print, printJson, warn } from './print.ts'
import { sinceOf } from './since.ts'
import { brief, columns } from './table.ts'

const DEFAULT_SINCE = '7d'
/** Bars in a sparkline. */
const SLICES = 14

export async function run(args: Arguments): Promise<number> {
  const since = sinceOf(args.value('since') ?? DEFAULT_SINCE)
  const by = dimension(args.value('by'))
  const filter = Object.fromEntries(
    ['hook', 'agent', 'tool', 'project'].flatMap((name) => {
      const value = args.value(name)
      return value === undefined ? [] : [[name, value]]
    }),
  )
  const journal = await journalOf(paths(args.env))
  try {
    if (by !== undefined) {
      const { from, rows } = journal.hookSums({ since, ...filter, by: [by] })
      for (const sentence of journal.warnings()) warn(sentence)
      if (args.flag('json')) printJson({ since: from.toISOString(), by, rows })
      else print(tableBy(by, from, rows, painter(1)))
      return 0
    }
    const stats = statsOf(journal, { since, slices: SLICES, ...filter })
    const { silent, inShadow } = await hooksHere(args, new Set(stats.hooks.map(({ hook }) => hook)))
    const shadow = shadowSums(journal, inShadow, since)
    const approvals = await asksPerDay(args, journal.countBy(['day', 'event', 'decision'], since))
    for (const sentence of journal.warnings()) warn(sentence)
    if (args.flag('json')) printJson({ ...stats, never_matched: silent, shadow, approvals })
    else print(words(stats, silent, painter(1)) + shadowLines(shadow) + askLines(approvals))
    return 0
  } finally {
    journal.close()
  }
}

interface Asks {
  /** Questions a day above which there are too many. */
  per_day: number
  days: { day: string; asked: number; allowed: number; denied: number }[]
}

const ENOUGH_PER_DAY = 20

/** How often people were asked, compared with the limit that they set. */
async function asksPerDay({ env }: Arguments, counts: readonly EventCount[]): Promise<Asks> {
  const where = paths(env)
  const { settings } = await readSettings([where.settings, where.managedSettings], where.home)
  const days = new Map<string, Asks['days'][number]>()
  for (const { by, events } of counts) {
    if (by.event !== APPROVAL) continue
    const day = by.day!
    const row = days.get(day) ?? { day, asked: 0, allowed: 0, denied: 0 }
    days.set(day, row)
    row[by.decision === 'ask' ? 'asked' : by.decision === 'allow' ? 'allowed' : 'denied'] += events
  }
  return {
    per_day: settings.approvals.per_day ?? ENOUGH_PER_DAY,
    days: [...days.values()].sort((a, b) => (a.day < b.day ? -1 : 1)),
  }
}

function askLines({ per_day, days }: Asks): string {
  const asked = days.reduce((sum, day) => sum + day.asked, 0)
  if (asked === 0) return ''
  const many = days.filter((day) => day.asked > per_day)
  const worst =
    many.length === 0 ? '' : `; on ${plural(many.length, 'day')} more than the ${per_day} that are enough`
  return `\nPeople were asked ${plural(asked, 'time')} on ${plural(days.length, 'day')}${worst}.\n`
}

function dimension(word: string | undefined): HookDimension | undefined {
  if (word === undefined || (HOOK_DIMENSIONS as readonly string[]).includes(word))
    return word as HookDimension | undefined
  throw new CrosshookError(
    'usage',
    `--by ${word}: there are no such sums.${didYouMean(word, HOOK_DIMENSIONS)}`,
    { fix: `Use one of: ${HOOK_DIMENSIONS.join(', ')}.` },
  )
}

/** Hooks of this folder that have not run in that time, and those in shadow. */
async function hooksHere(
  args: Arguments,
  ran: ReadonlySet<string>,
): Promise<{ silent: string[]; inShadow: string[] }> {
  const assembly = assemble({ env: args.env, source: 'cli', silent: true })
  try {
    const { hooks } = await assembly.hookSet(process.cwd())
    const names = (some: readonly Hook[]) => [...new Set(some.map(({ name }) => name))].sort()
    return {
      silent: names(hooks).filter((name) => !ran.has(name)),
      inShadow: names(hooks.filter(({ shadow }) => shadow)),
    }
  } finally {
    await assembly.close()
  }
}

function words({ since, events, by, hooks }: Stats, silent: readonly string[], paint: Painter): string {
  const head = `${plural(events, 'event')} since ${moment(since)} UTC\n`
  if (events === 0 && hooks.length === 0)
    return `${head}Nothing was recorded in that time. Ask for more with --since 30d.\n`
  const titles = [...['hook', ...TITLES], 'when']
  const rows = hooks.map((each) => [brief(each.hook, 40), ...cells(each, paint), sparkline(each.slices)])
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
  return `${head}${columns(sums)}\n${columns([titles.map((title) => paint.dim(title)), ...rows])}${noise(hooks)}${never}`
}

const TITLES = ['runs', 'denied', 'asked', 'yes', 'rewrote', 'failed', 'p50', 'p95', 'p99', 'cost'] as const

function cells(each: Omit<HookSum, 'by'>, paint: Painter): string[] {
  return [
    String(each.runs),
    some(each.denies, paint.red),
    some(each.asks, paint.yellow),
    some(each.overrides, paint.yellow),
    some(each.rewrites, (text) => text),
    some(each.failures, paint.yellow),
    ...[each.p50, each.p95, each.p99].map((ms) => (ms === null ? '–' : duration(ms))),
    each.cost_usd === 0 ? '–' : `$${each.cost_usd.toFixed(each.cost_usd < 1 ? 4 : 2)}`,
  ]
}

function tableBy(by: HookDimension, from: Date, rows: readonly HookSum[], paint: Painter): string {
  const head = `Runs of hooks by ${by} since ${moment(from.toISOString())} UTC\n`
  if (rows.length === 0) return `${head}No hook ran in that time. Ask for more with --since 30d.\n`
  const name = (word: string) =>
    by === 'day' ? word.slice(0, 10) : by === 'hour' ? moment(word) : word || '–'
  const most = Math.max(...rows.map(({ runs }) => runs), 1)
  return `${head}${columns([
    [by, ...TITLES, ''].map((title) => paint.dim(title)),
    ...rows.map((row) => [brief(name(row.by[by]!), 40), ...cells(row, paint), bar(row.runs / most)]),
  ])}`
}

/** Hooks whose questions are nearly always answered yes train people to say yes. */
function noise(hooks: Stats['hooks']): string {
  const noisy = hooks.filter((each) => each.asks >= 5 && (noiseOf(each) ?? 0) >= 0.9)
  if (noisy.length === 0) return ''
  const list = noisy.map((each) => `${brief(each.hook, 40)} (${each.overrides} of ${each.asks})`)
  return `\nAsked, and the person nearly always said yes: ${list.join(', ')}. A narrower condition would ask less.\n`
}

function moment(iso: string): string {
  return iso.slice(0, 16).replace('T', ' ')
}

function bar(part: number): string {
  return '█'.repeat(Math.ceil(part * 10))
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

function shadowLines(sums: readonly ShadowSum[]): string {
  return sums
    .map(
      ({ hook, calls, denies, asks }) =>
        `In shadow: ${brief(hook, 40)} would have denied ${denies} and asked about ${asks} of ${plural(calls, 'call')}\n`,
    )
    .join('')
}
