/** What the daemon counts and measures, as data: for Prometheus, which asks, and for a collector, which is told. */

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
  points: readonly { label?: readonly [name: string, value: string]; value: number }[]
  /** Counted since this process began, not since the first. */
  ownOnly?: boolean
}

export interface Histogram {
  type: 'histogram'
  bounds: readonly number[]
  /** Of each bound, with those below it. */
  cumulative: readonly number[]
  count: number
  sum: number
}

export function measure(core: Core, hooks: HookCounts): Measurement[] {
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
      value: { type: 'histogram', bounds, cumulative: counts, count: total, sum: tally.totalSeconds },
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
  ]
}

function gauge(name: string, help: string, value: number): Measurement {
  return { name, help, value: { type: 'gauge', points: [{ value }] } }
}

function counter(name: string, help: string, value: number): Measurement {
  return { name, help, value: { type: 'counter', points: [{ value }] } }
}
