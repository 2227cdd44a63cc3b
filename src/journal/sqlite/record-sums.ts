/** What records add to the sums per hour, in memory. */

import type { JournalEntry, JournalHook } from '../port.ts'
import { type Times, timeOf } from './times.ts'

export const HOUR = 3_600_000

export interface RecordSums {
  events: Map<string, EventSum>
  hooks: Map<string, OfPlace>
  /** Where the last record was added: most follow one that is alike. */
  last?: { hour: number; entry: JournalEntry; event: EventSum; hooks: Map<string, HookSums> }
}

interface EventSum {
  columns: readonly (string | number)[]
  count: number
}

export function newSums(): RecordSums {
  return { events: new Map(), hooks: new Map() }
}

export const SUMS = [
  'runs',
  'denies',
  'asks',
  'overrides',
  'rewrites',
  'failures',
  'cost',
  'total_ms',
] as const
type Numbers = Record<(typeof SUMS)[number], number>

export interface HookSums extends Numbers {
  times: Times
}

export interface Where {
  hook: unknown
  agent: unknown
  tool: unknown
  project: unknown
}

/** Runs of one hook in one hour, for one agent, tool and project. */
export interface OfPlace {
  hour: number
  texts: Texts
  sum: HookSums
}

export function sumOf({ hooks }: RecordSums, hour: number, where: Where): HookSums {
  const texts: Texts = [text(where.hook), text(where.agent), text(where.tool), text(where.project)]
  const place = `${hour}\0${texts.join('\0')}`
  let own = hooks.get(place)
  if (!own) hooks.set(place, (own = { hour, texts, sum: { ...NOTHING, times: {} } }))
  return own.sum
}

export type Texts = [string, string, string, string]

const NOTHING = Object.fromEntries(SUMS.map((name) => [name, 0])) as Numbers

/** Without what a record says about answers to questions: see `createAsked`. */
export function addRecord(sums: RecordSums, at: number, entry: JournalEntry): void {
  const hour = Math.floor(at / HOUR)
  if (sums.last?.hour !== hour || !isAlike(sums.last.entry, entry))
    sums.last = { hour, entry, event: eventSum(sums, hour, entry), hooks: new Map() }
  const { event, hooks } = sums.last
  event.count++
  for (const hook of entry.hooks) {
    // A background hook is counted when it has ended.
    if (hook.status === 'skipped' || hook.status === 'background') continue
    let sum = hooks.get(hook.name)
    if (!sum) {
      const { agent, tool_name, work_dir } = entry
      sum = sumOf(sums, hour, { hook: hook.name, agent, tool: tool_name, project: work_dir })
      hooks.set(hook.name, sum)
    }
    addHook(sum, hook)
  }
}

function isAlike(a: JournalEntry, b: JournalEntry): boolean {
  return (
    a.event === b.event &&
    a.decision === b.decision &&
    a.tool_name === b.tool_name &&
    a.agent === b.agent &&
    a.work_dir === b.work_dir
  )
}

function eventSum({ events }: RecordSums, hour: number, entry: JournalEntry): EventSum {
  const { agent, tool_name, decision, work_dir, event } = entry
  const columns = [hour, text(agent), text(tool_name), decision, text(work_dir), event] as const
  const key = columns.join('\0')
  let sum = events.get(key)
  if (!sum) events.set(key, (sum = { columns, count: 0 }))
  return sum
}

export function text(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 256) : ''
}

function addHook(sum: HookSums, report: JournalHook): void {
  sum.runs++
  if (report.status === 'blocked') sum.denies++
  if (report.status === 'failed' || report.status === 'timed_out') sum.failures++
  if (report.asked) sum.asks++
  if (report.rewrote) sum.rewrites++
  if (isNumber(report.cost_usd) && report.cost_usd > 0) sum.cost += report.cost_usd
  if (isNumber(report.duration_ms)) {
    const slot = timeOf(report.duration_ms)
    sum.times[slot] = (sum.times[slot] ?? 0) + 1
    sum.total_ms += report.duration_ms
  }
}

/** Of those that JSON can hold. */
function isNumber(value: unknown): value is number {
  return Number.isFinite(value)
}

export function added(sum: Times, more: Times): Times {
  for (const slot in more) sum[slot] = (sum[slot] ?? 0) + more[slot]!
  return sum
}
