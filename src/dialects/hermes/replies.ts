/** Outcome → what Hermes Agent obeys, and the answers of hooks written for it → outcomes. */

import type { Decoded, Reply } from '../../spec/dialect.ts'
import type { HookEvent } from '../../spec/event.ts'
import type { RawResult } from '../../spec/executor.ts'
import type { Hook } from '../../spec/hook.ts'
import type { Outcome } from '../../spec/outcome.ts'
import { decodeCommandReply } from '../lib/command-replies.ts'
import { contextOf, jsonReply, reasonOf } from '../lib/hook-specific-output.ts'
import { string } from '../lib/payload.ts'

/** The JSON that every version accepts; exit code 2 blocks only in newer versions, so it is not used. */
export function encode(outcome: Outcome, _event: HookEvent): Reply {
  const blocked = outcome.decision === 'deny' || outcome.stop !== undefined
  const context = contextOf(outcome)
  return jsonReply({
    ...(blocked ? { decision: 'block', reason: reasonOf(outcome) } : {}),
    ...(context === undefined ? {} : { context }),
  })
}

export function decode(raw: RawResult, _event: HookEvent, hook: Hook): Decoded {
  return decodeCommandReply(raw, { json: (json) => outcomeOf(json, hook.native_event), anyExit: true })
}

function outcomeOf(json: Record<string, unknown>, event: string | undefined): Outcome {
  const reason = string(json.reason) ?? string(json.message)
  const isBlocked =
    json.decision === 'block' ||
    json.action === 'block' ||
    (event === 'pre_verify' && [json.action, json.decision].includes('continue') && reason !== undefined)
  const context = string(json.context)
  return {
    ...(isBlocked ? { decision: 'deny', reason: reason ?? 'Blocked by shell hook.' } : {}),
    ...(context === undefined ? {} : { additional_context: [context] }),
  }
}
