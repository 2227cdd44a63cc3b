/** Outcome → what Windsurf obeys, and the answers of hooks written for it → outcomes. */

import type { Decoded, Reply } from '../../spec/dialect.ts'
import type { HookEvent } from '../../spec/event.ts'
import type { RawResult } from '../../spec/executor.ts'
import type { Outcome } from '../../spec/outcome.ts'
import { decodeCommandReply } from '../lib/command-replies.ts'
import { exitReply, reasonOf, SILENT } from '../lib/hook-specific-output.ts'
import { capabilities } from './capabilities.ts'

/** Exit code 2 with the reason is the one word that it knows. */
export function encode(outcome: Outcome, event: HookEvent): Reply {
  const blocked = outcome.decision === 'deny' || outcome.stop !== undefined
  return blocked && capabilities[event.native_event ?? '']?.deny ? exitReply(reasonOf(outcome)) : SILENT
}

export function decode(raw: RawResult): Decoded {
  return decodeCommandReply(raw, { json: () => ({}) })
}
