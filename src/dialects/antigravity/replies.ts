/** Outcome → what Antigravity obeys, and the answers of hooks written for it → outcomes. */

import type { Decoded, Reply } from '../../spec/dialect.ts'
import type { HookEvent } from '../../spec/event.ts'
import type { RawResult } from '../../spec/executor.ts'
import type { Outcome } from '../../spec/outcome.ts'
import { decodeCommandReply } from '../lib/command-replies.ts'
import { jsonReply, reasonOf, SILENT } from '../lib/hook-specific-output.ts'
import { string } from '../lib/payload.ts'

/** Antigravity refuses a tool when it gets no decision, so `ask` is sent to leave the decision to its own rules. */
export function encode(outcome: Outcome, event: HookEvent): Reply {
  if (event.native_event !== 'PreToolUse') return SILENT
  if (outcome.decision === 'deny' || outcome.stop !== undefined)
    return jsonReply({ decision: 'deny', reason: reasonOf(outcome) })
  if (outcome.decision === 'ask') return jsonReply({ decision: 'force_ask', reason: reasonOf(outcome) })
  return jsonReply({ decision: 'ask' })
}

const DECISIONS: Readonly<Record<string, Outcome['decision']>> = {
  deny: 'deny',
  force_ask: 'ask',
  allow: 'allow',
}

export function decode(raw: RawResult, _event: HookEvent): Decoded {
  return decodeCommandReply(raw, {
    json(reply) {
      const decision = DECISIONS[string(reply.decision) ?? '']
      const reason = string(reply.reason)
      return { ...(decision ? { decision } : {}), ...(decision && reason ? { reason } : {}) }
    },
  })
}
