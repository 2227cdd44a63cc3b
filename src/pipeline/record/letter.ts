/** A hook that failed for good leaves a dead letter: what it was asked, and why nothing came of it. */

import { digest, quickDigest } from '../../fast/digest.ts'
import { deadLetters } from '../../journal/dead-letters.ts'
import type { Journal } from '../../journal/port.ts'
import { safeError, safeTarget } from '../../redact/safe-target.ts'
import type { HookEvent } from '../../spec/event.ts'
import type { Hook } from '../../spec/hook.ts'
import { type Failed, subjectOf } from '../record.ts'

/** Why it could not be kept, if it could not. */
export function addLetter(
  journal: Journal,
  event: HookEvent,
  { hook, report }: Failed,
  invocation: string,
): string | undefined {
  const subject = subjectOf(event)
  return deadLetters(journal.stateDir).add({
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
    error: safeError(hook, report.error ?? 'failed'),
  }).error?.message
}

/** Inputs may be large: each is read through once. The native payload is what the rest was made from. */
export function invocationDigest(event: HookEvent): string {
  const { timestamp: _timestamp, native: _native, tool_input, ...lasting } = event
  return quickDigest({ ...lasting, tool_input: quickDigest(tool_input ?? {}) })
}

/** Digest of the hook's definition, excluding where it was found. */
function definitionDigest({ origin: _, ...definition }: Hook): string {
  return digest({ ...definition, run: { ...definition.run, call: undefined } })
}

function runOf(event: HookEvent): { run_id?: string } {
  const id = event.run_id ?? event.context.run_id
  return typeof id === 'string' ? { run_id: id } : {}
}
