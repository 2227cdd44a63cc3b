/** Replies of agents that took over `hookSpecificOutput`, `decision` and `continue`: what most of them obey, event by event. Light. */

import type { Decoded, Reply } from '../../spec/dialect.ts'
import type { HookEvent } from '../../spec/event.ts'
import type { RawResult } from '../../spec/executor.ts'
import type { Hook } from '../../spec/hook.ts'
import type { Outcome } from '../../spec/outcome.ts'
import type { ToolTable } from '../../spec/tool.ts'
import { decodeCommandReply } from './command-replies.ts'
import { contextOf, jsonReply, readFamilyReply, reasonOf, specific } from './hook-specific-output.ts'
import { canonicalInput, wholeNativeInput } from './rewrite.ts'

export type Members = (outcome: Outcome, event: HookEvent, blocked: boolean) => object

/** `members` are those of the events that an agent answers in its own way. */
export function familyEncoder(
  tools: ToolTable,
  members: Readonly<Record<string, Members>> = {},
): (outcome: Outcome, event: HookEvent) => Reply {
  return (outcome, event) => {
    const name = event.native_event ?? ''
    const blocked = outcome.decision === 'deny' || outcome.stop !== undefined
    const usual = name === 'PreToolUse' ? preToolMembers(tools) : blockMembers
    return jsonReply({
      ...(outcome.stop === undefined
        ? {}
        : { continue: false, stopReason: reasonOf({ stop: outcome.stop }) }),
      ...(outcome.user_message ? { systemMessage: outcome.user_message } : {}),
      ...(members[name] ?? usual)(outcome, event, blocked),
    })
  }
}

/** A stop alone might let the tool run before the turn ends, so it denies as well. */
function preToolMembers(tools: ToolTable): Members {
  return (outcome, event, blocked) =>
    specific('PreToolUse', {
      permissionDecision: blocked ? 'deny' : outcome.decision === 'ask' ? 'ask' : undefined,
      permissionDecisionReason: blocked || outcome.decision === 'ask' ? reasonOf(outcome) : undefined,
      updatedInput:
        blocked || !outcome.updated_input ? undefined : wholeNativeInput(tools, event, outcome.updated_input),
      additionalContext: contextOf(outcome),
    })
}

export const blockMembers: Members = (outcome, event, blocked) => ({
  ...(blocked ? { decision: 'block', reason: reasonOf(outcome) } : {}),
  ...specific(event.native_event ?? '', { additionalContext: contextOf(outcome) }),
})

/** For events whose block is not shown to the model, while context is. */
export const contextMembers: Members = (outcome, event, blocked) =>
  specific(event.native_event ?? '', { additionalContext: reasonAndContext(outcome, blocked) })

export function reasonAndContext(outcome: Outcome, blocked: boolean): string | undefined {
  return (
    [blocked ? reasonOf(outcome) : undefined, contextOf(outcome)].filter(Boolean).join('\n\n') || undefined
  )
}

/** Exit code 2 blocks, JSON counts with 0, plain text is context where the format says so. */
export function familyDecoder(
  tools: ToolTable,
  textIsContext: readonly string[],
): (raw: RawResult, event: HookEvent, hook: Hook) => Decoded {
  return (raw, event, hook) =>
    decodeCommandReply(raw, {
      json: (json) =>
        readFamilyReply(json, { toCanonicalInput: (input) => canonicalInput(tools, event, input) }),
      text: (text) =>
        textIsContext.includes(hook.native_event ?? event.native_event ?? '')
          ? { additional_context: [text] }
          : {},
    })
}
