/** State of the daemon: for people, dashboards and Prometheus. */

import { deadLetters } from '../../journal/dead-letters.ts'
import type { HookTotal } from '../../journal/port.ts'
import { messageOf } from '../../spec/errors.ts'
import { VERSION } from '../../version.ts'
import type { Core } from '../core.ts'
import { measure } from '../measurements.ts'
import { metricsText } from './metrics.ts'
import type { RouteContext } from './routes.ts'

export async function getStatus(core: Core, c: RouteContext): Promise<Response> {
  return c.json(await readStatus(core))
}

export async function getMetrics(core: Core, c: RouteContext): Promise<Response> {
  const { hooks } = await readStatus(core)
  return c.text(metricsText(measure(core, hooks, hookTotals(core))), 200, {
    'content-type': 'text/plain; version=0.0.4; charset=utf-8',
  })
}

/** The counters have the names that operators know from other daemons. */
export async function readStatus(core: Core) {
  const { runtime, admission, registry, streams } = core
  const { state } = runtime.paths
  const letters = deadLetters(state).summary()
  const { counts, error = core.keepTrouble } = readCounts(core)
  const { hooks } = await runtime.hookSet(runtime.paths.home)
  const warnings = [
    ...(letters.unresolved_count > 0
      ? [
          {
            severity: 'warning',
            code: 'unresolved_hook_dead_letters',
            message: `${letters.unresolved_count} hook failures wait for a person`,
            action: 'crosshook dead-letter list',
          },
        ]
      : []),
    ...(error === undefined
      ? []
      : [{ severity: 'error', code: 'storage', message: error, action: 'check the state folder' }]),
    ...(registry.keptTrouble === undefined
      ? []
      : [
          {
            severity: 'error',
            code: 'registrations',
            message: registry.keptTrouble,
            action: 'check the state folder',
          },
        ]),
    ...(core.hookSettings.spoiled === undefined
      ? []
      : [
          {
            severity: 'error',
            code: 'hook_settings_spoiled',
            message: core.hookSettings.spoiled,
            action: 'POST /v1/runtime/rollback brings back the newest revision',
          },
        ]),
    ...registry.problems().map(({ level, file, line, message, fix }) => ({
      severity: level,
      code: 'registered_hook_settings',
      message: `${file}:${line ?? 1}: ${message}`,
      action: fix,
    })),
  ]
  return {
    status: core.stopping ? 'draining' : 'ready',
    ready: !core.stopping,
    version: VERSION,
    pid: process.pid,
    started_at_ms: core.startedAt,
    events: {
      running: admission.running,
      waiting: admission.waiting,
      refused: admission.refused,
      decisions: core.tally.decisions,
    },
    registered_hooks: registry.hooks().length,
    open_streams: streams.count,
    hooks: {
      configured_count: hooks.length,
      dead_letter_store_path: `${state}/dead-letters`,
      execution_count: counts.executions,
      failure_count: counts.failures,
      retry_count: counts.retries,
      dead_letter_persist_failure_count: counts.dead_letter_persist_failures,
      dead_lettered_count: letters.count,
      unresolved_dead_lettered_count: letters.unresolved_count,
      last_dead_letter_at_ms: letters.last_at_ms ?? null,
      last_dead_letter_hook: letters.last_hook ?? null,
      last_unresolved_dead_letter_at_ms: letters.last_unresolved_at_ms ?? null,
      last_unresolved_dead_letter_hook: letters.last_unresolved_hook ?? null,
      dead_letter_read_error: letters.read_error ?? null,
    },
    health: { warnings },
  }
}

export type HookCounts = Awaited<ReturnType<typeof readStatus>>['hooks']

/** Empty when the journal is unreadable; `status` says what is wrong with it. */
export function hookTotals({ runtime }: Core): HookTotal[] {
  try {
    return runtime.journal().hookTotals()
  } catch {
    return []
  }
}

/** Never throws: a status is most needed when something is broken. */
function readCounts({ runtime }: Core) {
  try {
    return { counts: runtime.journal().counts(), error: undefined }
  } catch (error) {
    const none = { executions: 0, failures: 0, retries: 0, dead_letters: 0, dead_letter_persist_failures: 0 }
    return { counts: none, error: messageOf(error) }
  }
}
