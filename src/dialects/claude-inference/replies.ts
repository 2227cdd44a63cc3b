/** Outcome → verdict. */

import type { Reply } from '../../spec/dialect.ts'
import type { HookEvent } from '../../spec/event.ts'
import type { Outcome } from '../../spec/outcome.ts'
import { jsonReply, reasonOf } from '../lib/hook-specific-output.ts'
import { record, string } from '../lib/payload.ts'

/** Longer ones are not shown, its documents say. */
const LONGEST_REASON = 500
const LONGEST_REFERENCE = 50

export function encode(outcome: Outcome, { native }: HookEvent): Reply {
  if (outcome.decision !== 'deny' && outcome.stop === undefined) return jsonReply({ action: 'allow' })
  const reference = string(record(native).request_id)
    ?.replaceAll(/[^\w.:/-]/g, '')
    .slice(0, LONGEST_REFERENCE)
  return jsonReply({
    action: 'deny',
    deny_reason: reasonOf(outcome).slice(0, LONGEST_REASON),
    ...(reference ? { reference_id: reference } : {}),
  })
}
