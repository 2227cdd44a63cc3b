/** Outcome → what Cline obeys, and the answers of hooks written for it → outcomes. */

import type { Decoded, Reply } from '../../spec/dialect.ts'
import { eventRow, type HookEvent } from '../../spec/event.ts'
import type { RawResult } from '../../spec/executor.ts'
import { failure, type Outcome } from '../../spec/outcome.ts'
import { reasonAndContext } from '../lib/family-replies.ts'
import { contextOf, given, jsonReply, reasonOf, wholeJson } from '../lib/hook-specific-output.ts'
import { isRecord, record, string } from '../lib/payload.ts'
import { callOf } from './events.ts'
import { toCanonical, toNative, toNativeCall } from './tools.ts'

/** Only JSON counts: exit codes mean nothing. */
export function encode(outcome: Outcome, event: HookEvent): Reply {
  const blocked = outcome.decision === 'deny' || outcome.stop !== undefined
  // A cancel after a tool would end the run although the tool has already run.
  if (event.native_event === 'PostToolUse')
    return jsonReply(given({ context: reasonAndContext(outcome, blocked) }) ?? {})
  if (blocked)
    return jsonReply({
      cancel: true,
      errorMessage: reasonOf(outcome),
      ...given({ context: contextOf(outcome) }),
    })
  const call = callOf(record(event.native))
  return jsonReply(
    given({
      overrideInput:
        outcome.updated_input && call ? toNative(call.name, outcome.updated_input, call.input) : undefined,
      context: contextOf(outcome),
    }) ?? {},
  )
}

export function decode(raw: RawResult, event: HookEvent): Decoded {
  const json = wholeJson(raw.stdout)
  if (!json) {
    const text = (raw.stdout ?? '').trim()
    if (text === '' && !raw.exit_code) return { outcome: {} }
    const stderr = (raw.stderr ?? '').trim()
    const why = text === '' ? `exit code ${raw.exit_code ?? raw.signal}` : 'the output is not JSON'
    return {
      outcome: failure(`${why}, which Cline does not look at${stderr ? `: ${stderr}` : ''}`, {
        retryable: false,
        exit_code: raw.exit_code ?? null,
      }),
    }
  }
  const context = string(json.context) ?? string(json.contextModification)
  const outcome = given<Outcome>({
    decision: json.cancel === true ? 'deny' : json.review === true ? 'ask' : undefined,
    reason: json.cancel === true ? (string(json.errorMessage) ?? 'Cancelled by a hook.') : undefined,
    updated_input: isRecord(json.overrideInput) ? canonicalInput(json.overrideInput, event) : undefined,
    additional_context: context === undefined ? undefined : [context],
  } as Outcome)
  return { outcome: outcome ?? {} }
}

function canonicalInput(input: Record<string, unknown>, event: HookEvent): Record<string, unknown> {
  if (!eventRow(event.event_type).tool) return input
  const native =
    event.agent === 'cline' && event.native_tool_name !== undefined
      ? event.native_tool_name
      : toNativeCall(String(event.tool_name ?? ''), {}).name
  const { commands, files, requests, queries, ...rest } = toCanonical(native, input).input
  // Other agents do not know the lists: use the text.
  return event.agent === 'cline' ? { ...rest, ...given({ commands, files, requests, queries }) } : rest
}
