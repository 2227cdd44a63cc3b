/** Stage 6: reduces the outcome to what this agent can carry out. Losses are reported, and nothing becomes weaker. */

import { degrade as degradeOutcome } from '../engine/degrade.ts'
import { isBlock } from '../engine/merge.ts'
import { eventRow } from '../spec/event.ts'
import type { Context } from './context.ts'
import { limitStops } from './degrade/stop-limit.ts'

export function degrade(context: Context): void {
  const { agent, event, capability, services } = context
  const row = eventRow(event.event_type)
  if (row.begins === 'turn' || (row.block === 'continues' && isBlock(context.outcome))) {
    const limited = limitStops(services.paths.state, event, context.outcome)
    context.outcome = limited.outcome
    context.dropped = limited.notes
  }
  const { outcome, notes } = degradeOutcome(context.outcome, capability, agent!.title)
  context.possible = outcome
  if (notes.length > 0) context.dropped = [...context.dropped, ...notes]
}
