/** Outcome → what Letta Code obeys, and the answers of hooks written for it → outcomes. */

import type { Decoded, Reply } from '../../spec/dialect.ts'
import type { HookEvent } from '../../spec/event.ts'
import type { RawResult } from '../../spec/executor.ts'
import type { Hook } from '../../spec/hook.ts'
import type { Outcome } from '../../spec/outcome.ts'
import { decodeCommandReply } from '../lib/command-replies.ts'
import { contextMembers } from '../lib/family-replies.ts'
import { contextOf, exitReply, jsonReply, reasonOf, SILENT } from '../lib/hook-specific-output.ts'
import { record, string } from '../lib/payload.ts'

/** After a tool, text sent as context reaches the model without our command line around it. */
const FEEDBACK = new Set(['PostToolUse', 'PostToolUseFailure'])
/** Plain output of these is context for the model. */
const TEXT_IS_CONTEXT = new Set(['SessionStart', 'UserPromptSubmit'])

/** Exit code 2 is the only way to block: `permissionDecision` is ignored. */
export function encode(outcome: Outcome, event: HookEvent): Reply {
  const name = event.native_event ?? ''
  const blocked = outcome.decision === 'deny' || outcome.stop !== undefined
  if (FEEDBACK.has(name)) return jsonReply(contextMembers(outcome, event, blocked))
  if (blocked) return exitReply(reasonOf(outcome))
  const text = TEXT_IS_CONTEXT.has(name) ? contextOf(outcome) : undefined
  return text === undefined ? SILENT : { stdout: `${text}\n`, stderr: '', exit_code: 0 }
}

export function decode(raw: RawResult, event: HookEvent, hook: Hook): Decoded {
  const name = hook.native_event ?? event.native_event ?? ''
  const isText = TEXT_IS_CONTEXT.has(name)
  const context = (text: string) => ({ additional_context: [text] })
  return decodeCommandReply(raw, {
    json: (json) => (isText ? context((raw.stdout ?? '').trim()) : contextIn(json)),
    text: (text) => (isText ? context(text) : {}),
  })
}

/** Context has an effect only after a tool; a decision in JSON never has. */
function contextIn(json: Record<string, unknown>): Outcome {
  const context = string(record(json.hookSpecificOutput).additionalContext) ?? string(json.additionalContext)
  return context === undefined ? {} : { additional_context: [context] }
}
