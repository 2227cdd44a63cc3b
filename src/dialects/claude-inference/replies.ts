/** Outcome → verdict. */

import type { Reply } from '../../spec/dialect.ts'
import type { HookEvent } from '../../spec/event.ts'
import type { Outcome } from '../../spec/outcome.ts'
import { jsonReply, reasonOf } from '../lib/hook-specific-output.ts'
import { record, string } from '../lib/payload.ts'

/** Longer ones are not shown, its documents say. */
const MAX_REASON_CHARS = 500
const MAX_REFERENCE_CHARS = 50

export function encode(outcome: Outcome, { native }: HookEvent): Reply {
  if (outcome.decision !== 'deny' && outcome.stop === undefined) return jsonReply({ action: 'allow' })
  const reference = string(record(native).request_id)
    ?.replaceAll(/[^\w.:/-]/g, '')
    .slice(0, MAX_REFERENCE_CHARS)
  return jsonReply({
    action: 'deny',
    deny_reason: reasonOf(outcome).slice(0, MAX_REASON_CHARS),
    ...(reference ? { reference_id: reference } : {}),
  })
}
