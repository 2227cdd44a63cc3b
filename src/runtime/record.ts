/** Keeps what happened: the journal, the counters, and a dead letter for each hook that failed for good. */

import { deadLetters } from '../journal/dead-letters.ts'
import { type JournalEntry, record } from '../journal/journal.ts'
import { safeTarget } from '../journal/safe-target.ts'
import type { Store } from '../journal/store.ts'
import { digest, plainDigest, quickDigest } from '../spec/digest.ts'
import { eventRow, type HookEvent } from '../spec/event.ts'
import type { Hook } from '../spec/hook.ts'
import type { FireResult, HookReport } from '../spec/outcome.ts'

export interface Recording {
  event: HookEvent
  result: FireResult
  hooks: ReadonlyMap<HookReport, Hook>
  duration: number
  source: JournalEntry['source']
  dropped?: string[]
}

/** Problems in keeping are returned as sentences: they never change a decision. */
export function keep(store: Store, { event, result, hooks, duration, source, dropped }: Recording): string[] {
  const troubles: string[] = []
  const row = eventRow(event.event_type)
  const input = row.tool && result.hooks.length > 0 ? plainDigest(event.tool_input ?? {}) : undefined
  const invocation = result.hooks.some(hasFailed) ? invocationDigest(event) : ''
  let failures = 0
  let retries = 0
  let lost = 0
  let letters = 0
  for (const report of result.hooks) {
    retries += Math.max(0, report.attempts - 1)
    const hook = hooks.get(report)
    if (!hasFailed(report) || !hook) continue
    failures++
    const { error } = deadLetters(store.stateDir).add({
      hook_name: hook.name,
      event: hook.native_event ?? event.event_type,
      ...subjectOf(event),
      session_id: event.session_id,
      ...runOf(event),
      target: safeTarget(hook),
      attempt_count: report.attempts,
      failure_mode: hook.on_failure,
      invocation_digest: invocation,
      definition_digest: definitionDigest(hook),
      error: report.error ?? 'failed',
    })
    if (error) {
      lost++
      troubles.push(error.message)
    } else letters++
  }
  const { error } = record(
    store,
    {
      event: event.event_type,
      ...(event.agent === undefined ? {} : { agent: event.agent }),
      session_id: event.session_id,
      work_dir: event.work_dir,
      ...(typeof event.tool_name === 'string' ? { tool_name: event.tool_name } : {}),
      ...subjectOf(event),
      decision: result.decision,
      reason: result.reason,
      stop: result.stop,
      duration_ms: duration,
      source,
      hooks: result.hooks.map((report) =>
        hasFailed(report) ? { ...report, invocation_digest: invocation } : report,
      ),
      ...(input === undefined ? {} : { input_digest: input }),
      ...(dropped?.length ? { dropped } : {}),
    },
    {
      executions: result.hooks.filter((r) => r.status === 'allowed' || r.status === 'blocked').length,
      ...(failures > 0 ? { failures, dead_letters: letters, dead_letter_persist_failures: lost } : {}),
      ...(retries > 0 ? { retries } : {}),
    },
  )
  if (error) troubles.push(error.message)
  troubles.push(...store.warnings.splice(0))
  return troubles
}

function hasFailed({ status }: HookReport): boolean {
  return status === 'failed' || status === 'timed_out'
}

/** Inputs may be large: each is read through once. The native payload is what the rest was made from. */
function invocationDigest(event: HookEvent): string {
  const { timestamp: _timestamp, native: _native, tool_input, ...lasting } = event
  return quickDigest({ ...lasting, tool_input: quickDigest(tool_input ?? {}) })
}

/** Of what it does, wherever it stands. */
function definitionDigest({ origin: _, ...definition }: Hook): string {
  return digest({ ...definition, run: { ...definition.run, call: undefined } })
}

function subjectOf(event: HookEvent): { subject?: string } {
  const { subject } = eventRow(event.event_type)
  const value = subject === null ? undefined : event[subject]
  return typeof value === 'string' ? { subject: value } : {}
}

function runOf(event: HookEvent): { run_id?: string } {
  const id = event.run_id ?? event.context.run_id
  return typeof id === 'string' ? { run_id: id } : {}
}
