/** Outcome → what Goose obeys, and the answers of hooks written for it → outcomes. */

import type { Decoded, Reply } from '../../spec/dialect.ts'
import type { HookEvent } from '../../spec/event.ts'
import type { RawResult } from '../../spec/executor.ts'
import type { Hook } from '../../spec/hook.ts'
import type { Outcome } from '../../spec/outcome.ts'
import { decodeCommandReply } from '../lib/command-replies.ts'
import { jsonReply, reasonOf, SILENT } from '../lib/hook-specific-output.ts'
import { string } from '../lib/payload.ts'

const BLOCKING = new Set(['PreToolUse', 'Stop'])

/** stdout is a decision or empty: Goose ignores anything else. */
export function encode(outcome: Outcome, event: HookEvent): Reply {
  const blocked = outcome.decision === 'deny' || outcome.stop !== undefined
  if (!blocked || !BLOCKING.has(event.native_event ?? '')) return SILENT
  return jsonReply({ decision: 'block', reason: reasonOf(outcome) })
}

export function decode(raw: RawResult, event: HookEvent, hook: Hook): Decoded {
  const name = hook.native_event ?? event.native_event ?? ''
  return decodeCommandReply(raw, {
    anyExit: true,
    json: (json) =>
      json.decision === 'block' && BLOCKING.has(name)
        ? { decision: 'deny', reason: string(json.reason) ?? 'Blocked by a hook that gave no reason.' }
        : {},
  })
}
