/** A dead letter for a hook that failed after all attempts: its input and the reason. */

import { digest, quickDigest } from '../../fast/digest.ts'
import { deadLetters } from '../../journal/dead-letters.ts'
import type { Journal } from '../../journal/port.ts'
import { safeError, safeTarget } from '../../redact/safe-target.ts'
import type { HookEvent } from '../../spec/event.ts'
import type { Hook } from '../../spec/hook.ts'
import { type Failed, subjectOf } from '../record.ts'

/** Returns why it could not be stored, if so. */
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

/** Reads each input once, since inputs may be large. Leaves out the native payload, from which the rest was made. */
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
