/** Keeps what happened: the journal, the counters, and a dead letter for each hook that failed for good. */

import { deadLetters } from '../journal/dead-letters.ts'
import { type JournalEntry, record } from '../journal/journal.ts'
import type { Store } from '../journal/store.ts'
import type { Counts } from '../journal/summary.ts'
import { safeTarget } from '../redact/safe-target.ts'
import { digest, plainDigest, quickDigest } from '../spec/digest.ts'
import { eventRow, type HookEvent } from '../spec/event.ts'
import type { Hook } from '../spec/hook.ts'
import type { FireResult, HookReport } from '../spec/outcome.ts'

export interface Recording {
  event: HookEvent
  result: FireResult
  /** Those that failed for good. */
  failed: readonly Failed[]
  duration: number
  source: JournalEntry['source']
  dropped?: string[]
  /** Of the tool's input, where there was time for it before. */
  digest?: string | undefined
}

export interface Failed {
  hook: Hook
  report: HookReport
}

/** Problems in keeping are returned as sentences: they never change a decision. */
export function keep(store: Store, recording: Recording): string[] {
  const { event, result, failed, dropped } = recording
  const troubles: string[] = []
  const invocation = failed.length > 0 ? invocationDigest(event) : ''
  const counts: Partial<Counts> = { executions: 0 }
  let retries = 0
  for (const { status, attempts } of result.hooks) {
    if (status === 'allowed' || status === 'blocked') counts.executions!++
    if (attempts > 1) retries += attempts - 1
  }
  if (retries > 0) counts.retries = retries
  if (failed.length > 0) {
    const errors = failed.flatMap((one) => addLetter(store, event, one, invocation) ?? [])
    troubles.push(...errors)
    counts.failures = failed.length
    counts.dead_letters = failed.length - errors.length
    counts.dead_letter_persist_failures = errors.length
  }
  const entry = entryOf(recording)
  if (failed.length > 0)
    entry.hooks = result.hooks.map((report) =>
      hasFailed(report) ? { ...report, invocation_digest: invocation } : report,
    )
  if (dropped?.length) entry.dropped = dropped
  const { error } = record(store, entry, counts)
  if (error) troubles.push(error.message)
  if (store.warnings.length > 0) troubles.push(...store.warnings.splice(0))
  return troubles
}

function entryOf({ event, result, duration, source, digest }: Recording): JournalEntry {
  const { event_type, agent, session_id, work_dir, tool_name } = event
  const { decision, reason, stop, hooks } = result
  const subject = subjectOf(event)
  const input = hooks.length > 0 ? (digest ?? inputDigest(event)) : undefined
  const entry: JournalEntry = {
    event: event_type,
    session_id,
    work_dir,
    decision,
    reason,
    stop,
    duration_ms: duration,
    source,
    hooks,
  }
  if (agent !== undefined) entry.agent = agent
  if (typeof tool_name === 'string') entry.tool_name = tool_name
  if (subject !== undefined) entry.subject = subject
  if (input !== undefined) entry.input_digest = input
  return entry
}

/** Undefined where there is no tool, or too much input. */
export function inputDigest({ event_type, tool_input }: HookEvent): string | undefined {
  return eventRow(event_type).tool ? plainDigest(tool_input ?? {}) : undefined
}

/** Why it could not be kept, if it could not. */
function addLetter(
  store: Store,
  event: HookEvent,
  { hook, report }: Failed,
  invocation: string,
): string | undefined {
  const subject = subjectOf(event)
  return deadLetters(store.stateDir).add({
    hook_name: hook.name,
    event: hook.native_event ?? event.event_type,
    ...(subject === undefined ? {} : { subject }),
    session_id: event.session_id,
    ...runOf(event),
    target: safeTarget(hook),
    attempt_count: report.attempts,
    failure_mode: hook.on_failure,
    invocation_digest: invocation,
    definition_digest: definitionDigest(hook),
    error: report.error ?? 'failed',
  }).error?.message
}

export function hasFailed({ status }: HookReport): boolean {
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

function subjectOf(event: HookEvent): string | undefined {
  const { subject } = eventRow(event.event_type)
  const value = subject === null ? undefined : event[subject]
  return typeof value === 'string' ? value : undefined
}

function runOf(event: HookEvent): { run_id?: string } {
  const id = event.run_id ?? event.context.run_id
  return typeof id === 'string' ? { run_id: id } : {}
}
