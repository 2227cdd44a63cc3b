/** Stage 6: reduces the outcome to what this agent can carry out. Losses are reported, and nothing becomes weaker. */

import { isBlock, listed, refusing } from '../engine/merge.ts'
import type { Capability } from '../spec/dialect.ts'
import { EFFECTS, type EffectRows } from '../spec/effects.ts'
import { eventRow } from '../spec/event.ts'
import type { Outcome } from '../spec/outcome.ts'
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

export interface Degraded {
  outcome: Outcome
  /** One sentence for each thing that the agent cannot do. */
  notes: string[]
}

const NOTHING: Capability = { event: '', deny: false, effects: [] }

type Degrade = (wanted: Outcome, capability: Capability | undefined, agent: string) => Degraded

/** What an agent can carry out of an outcome, by the rows of the effects. Never silent and never weaker. */
export function degrading(rows: EffectRows): Degrade {
  const demanding = listed(rows).filter(({ row: { needs } }) => needs !== null)
  const refuse = refusing(rows)
  return (wanted, capability = NOTHING, agent) => {
    let outcome: Outcome = { ...wanted }
    const values = outcome as Record<string, unknown>
    const notes: string[] = []
    for (const { field, row } of demanding) {
      const value = values[field] as never
      if (value === undefined) continue
      const { needs, refused } = row
      if (needs!.applies?.(value) === false || can(capability, needs!.effect)) continue
      delete values[field]
      if (needs!.otherwise === 'dropped') {
        notes.push(`${agent} takes no ${needs!.effect} on this event: dropped`)
        continue
      }
      // Already refused for another reason, so losing this effect needs no note.
      if (outcome.decision === 'deny' && refused && refused(value, 'deny') === undefined) continue
      const why = needs!.otherwise(value, agent)
      notes.push(why)
      deny(outcome, why)
    }
    outcome = refuse(outcome)
    if (outcome.decision === 'deny' && !capability.deny) {
      notes.push(`${agent} cannot be stopped on this event: the block is only reported`)
      delete outcome.decision
      outcome.user_message = [outcome.user_message, outcome.reason].filter(Boolean).join('\n')
    }
    return { outcome, notes }
  }
}

export const degradeOutcome = degrading(EFFECTS)

function can({ effects }: Capability, effect: string): boolean {
  return (effects as readonly string[]).includes(effect)
}

function deny(outcome: Outcome, why: string): void {
  if (outcome.decision === 'deny') outcome.reason ??= why
  else {
    outcome.decision = 'deny'
    outcome.reason = outcome.reason ? `${outcome.reason} (${why})` : why
  }
}
