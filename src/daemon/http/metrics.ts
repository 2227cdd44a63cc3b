/** The text that Prometheus reads. */

import type { Core } from '../core.ts'
import type { HookCounts } from './status.ts'

export function metricsText(
  { admission, registry, streams, tally, startedAt }: Core,
  hooks: HookCounts,
): string {
  const { bounds, counts } = tally.durations
  const total = Object.values(tally.decisions).reduce((sum, count) => sum + count, 0)
  return `${[
    ...metric('events_total', 'counter', 'Events by what was decided.', [
      ...Object.entries(tally.decisions).map(
        ([decision, count]) => [`{decision="${decision}"}`, count] as const,
      ),
    ]),
    ...metric('event_duration_seconds', 'histogram', 'From the start of an event to its kept record.', [
      ...bounds.map((bound, i) => [`_bucket{le="${bound}"}`, counts[i]!] as const),
      ['_bucket{le="+Inf"}', total],
      ['_sum', tally.totalSeconds],
      ['_count', total],
    ]),
    ...metric('events_running', 'gauge', 'Events that run now.', [['', admission.running]]),
    ...metric('events_waiting', 'gauge', 'Events that wait for their turn.', [['', admission.waiting]]),
    ...metric('events_refused_total', 'counter', 'Events for which there was no room.', [
      ['', admission.refused],
    ]),
    ...metric('hook_executions_total', 'counter', 'Hooks that ran and answered.', [
      ['', hooks.execution_count],
    ]),
    ...metric('hook_failures_total', 'counter', 'Hooks that failed for good.', [['', hooks.failure_count]]),
    ...metric('hook_retries_total', 'counter', 'Attempts after the first.', [['', hooks.retry_count]]),
    ...metric('hook_dead_letters', 'gauge', 'Failures that are kept.', [['', hooks.dead_lettered_count]]),
    ...metric('hook_dead_letters_unresolved', 'gauge', 'Failures that wait for a person.', [
      ['', hooks.unresolved_dead_lettered_count],
    ]),
    ...metric('registered_hooks', 'gauge', 'Hooks of connected programs.', [['', registry.hooks().length]]),
    ...metric('open_streams', 'gauge', 'Programs that answer events.', [['', streams.count]]),
    ...metric('start_time_seconds', 'gauge', 'When the daemon was started.', [['', startedAt / 1000]]),
  ].join('\n')}\n`
}

function metric(
  name: string,
  type: string,
  help: string,
  values: readonly (readonly [string, number])[],
): string[] {
  const full = `crosshook_${name}`
  return [
    `# HELP ${full} ${help}`,
    `# TYPE ${full} ${type}`,
    ...values.map(([labels, value]) => `${full}${labels} ${value}`),
  ]
}
