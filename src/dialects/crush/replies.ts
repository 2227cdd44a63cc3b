/** Outcome → what Crush obeys, and the answers of hooks written for it → outcomes. */

import type { Decoded, Reply } from '../../spec/dialect.ts'
import type { HookEvent } from '../../spec/event.ts'
import type { RawResult } from '../../spec/executor.ts'
import type { Outcome } from '../../spec/outcome.ts'
import { decodeCommandReply } from '../lib/command-replies.ts'
import { contextOf, given, jsonReply, readFamilyReply, reasonOf } from '../lib/hook-specific-output.ts'
import { isRecord, string } from '../lib/payload.ts'
import { canonicalInput, wholeNativeInput } from '../lib/rewrite.ts'
import { tools } from './tools.ts'

/** The exit code that ends the turn. */
const HALT = 49

export function encode(outcome: Outcome, event: HookEvent): Reply {
  const blocked = outcome.decision === 'deny' || outcome.stop !== undefined
  return jsonReply(
    given({
      halt: outcome.stop === undefined ? undefined : true,
      decision: blocked ? 'deny' : undefined,
      reason: blocked ? reasonOf(outcome) : undefined,
      updated_input:
        blocked || !outcome.updated_input ? undefined : wholeNativeInput(tools, event, outcome.updated_input),
      context: contextOf(outcome),
    }) ?? {},
  )
}

export function decode(raw: RawResult, event: HookEvent): Decoded {
  if (raw.exit_code === HALT) return { outcome: { stop: (raw.stderr ?? '').trim() || 'Halted by a hook.' } }
  return decodeCommandReply(raw, { json: (json) => outcomeOf(json, event) })
}

/** Crush's own format, and another agent's, which it also reads. */
function outcomeOf(json: Record<string, unknown>, event: HookEvent): Outcome {
  const toCanonicalInput = (input: Record<string, unknown>) => canonicalInput(tools, event, input)
  const reason = string(json.reason)
  const own = given<Outcome>({
    updated_input: isRecord(json.updated_input) ? toCanonicalInput(json.updated_input) : undefined,
    additional_context: texts(json.context),
    stop: json.halt === true ? (reason ?? 'Halted by a hook.') : undefined,
  } as Outcome)
  return { ...readFamilyReply(json, { toCanonicalInput }), ...own }
}

function texts(value: unknown): string[] | undefined {
  const list = (Array.isArray(value) ? value : [value]).filter(
    (text) => typeof text === 'string' && text !== '',
  )
  return list.length > 0 ? (list as string[]) : undefined
}
