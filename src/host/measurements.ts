/** What the daemon counts and measures, as data: pulled by Prometheus, pushed to a collector. */

import type { HookTotal } from '../journal/port.ts'
import type { Core } from './core.ts'
import type { HookCounts } from './http/status.ts'

export interface Measurement {
  /** Without the prefix `crosshook_`. */
  name: string
  help: string
  value: Count | Histogram
}

export interface Count {
  /** A counter only grows. */
  type: 'counter' | 'gauge'
  /** One number, or one for each value of a label. */
  points: readonly { label?: Label; value: number }[]
  /** Counted since this process started, not since the first one. */
  ownOnly?: boolean
}

export type Label = readonly [name: string, value: string]

export interface Histogram {
  type: 'histogram'
  bounds: readonly number[]
  /** One, or one for each value of a label. */
  series: readonly Distribution[]
}

export interface Distribution {
  label?: Label
  /** Count per bound, including those below it. */
  cumulative: readonly number[]
  count: number
  sum: number
}

export function measure(core: Core, hooks: HookCounts, totals: readonly HookTotal[]): Measurement[] {
  const { admission, registry, streams, tally, startedAt } = core
  const { bounds, counts } = tally.durations
  const byDecision = Object.entries(tally.decisions).map(([decision, value]) => ({
    label: ['decision', decision] as const,
    value,
  }))
  const total = byDecision.reduce((sum, { value }) => sum + value, 0)
  return [
    {
      name: 'events_total',
      help: 'Events by what was decided.',
      value: { type: 'counter', points: byDecision, ownOnly: true },
    },
    {
      name: 'event_duration_seconds',
      help: 'From the start of an event to its kept record.',
      value: {
        type: 'histogram',
        bounds,
        series: [{ cumulative: counts, count: total, sum: tally.totalSeconds }],
      },
    },
    gauge('events_running', 'Events that run now.', admission.running),
    gauge('events_waiting', 'Events that wait for their turn.', admission.waiting),
    {
      name: 'events_refused_total',
      help: 'Events for which there was no room.',
      value: { type: 'counter', points: [{ value: admission.refused }], ownOnly: true },
    },
    counter('hook_executions_total', 'Hooks that ran and answered.', hooks.execution_count),
    counter('hook_failures_total', 'Hooks that failed for good.', hooks.failure_count),
    counter('hook_retries_total', 'Attempts after the first.', hooks.retry_count),
    gauge('hook_dead_letters', 'Failures that are kept.', hooks.dead_lettered_count),
    gauge(
      'hook_dead_letters_unresolved',
      'Failures that wait for a person.',
      hooks.unresolved_dead_lettered_count,
    ),
    gauge('registered_hooks', 'Hooks of connected programs.', registry.hooks().length),
    gauge('open_streams', 'Programs that answer events.', streams.count),
    gauge('start_time_seconds', 'When the daemon was started.', startedAt / 1000),
    ...perHook(totals),
  ]
}

/** Upper bounds in seconds. */
const HOOK_BOUNDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
/** Only the hooks that ran most, to limit the collector's memory. */
const MAX_HOOKS = 200

const HOOK_COUNTERS = [
  ['runs', 'hook_runs_total', 'Runs of each hook, in every process.'],
  ['denies', 'hook_denies_total', 'Runs of each hook that refused.'],
  ['asks', 'hook_asks_total', 'Runs of each hook that wanted a person to decide.'],
  ['overrides', 'hook_overrides_total', 'Asks of each hook that the person answered yes.'],
  ['rewrites', 'hook_rewrites_total', 'Runs of each hook that changed the input.'],
  ['failures', 'hook_failed_runs_total', 'Runs of each hook that failed or took too long.'],
  ['cost_usd', 'hook_cost_usd_total', 'What the models of each hook cost, in US dollars.'],
] as const

function perHook(all: readonly HookTotal[]): Measurement[] {
  const totals = all.toSorted((a, b) => b.runs - a.runs).slice(0, MAX_HOOKS)
  if (totals.length === 0) return []
  const points = (value: (total: HookTotal) => number): Count['points'] =>
    totals.map((total) => ({ label: ['hook', total.hook], value: value(total) }))
  return [
    ...HOOK_COUNTERS.map(
      ([sum, name, help]): Measurement => ({
        name,
        help,
        value: { type: 'counter', points: points((total) => total[sum]) },
      }),
    ),
    {
      name: 'hook_duration_seconds',
      help: 'How long each hook took; about 10 % exact.',
      value: {
        type: 'histogram',
        bounds: HOOK_BOUNDS,
        series: totals.map((total) => ({
          label: ['hook', total.hook],
          cumulative: total.upTo(HOOK_BOUNDS.map((seconds) => seconds * 1000)),
          count: total.upTo([Number.MAX_SAFE_INTEGER])[0]!,
          sum: total.total_ms / 1000,
        })),
      },
    },
  ]
}

function gauge(name: string, help: string, value: number): Measurement {
  return { name, help, value: { type: 'gauge', points: [{ value }] } }
}

function counter(name: string, help: string, value: number): Measurement {
  return { name, help, value: { type: 'counter', points: [{ value }] } }
}
