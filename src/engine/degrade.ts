/** An outcome → what an agent can carry out of it. Never silent and never weaker. */

import type { Capability } from '../spec/dialect.ts'
import { EFFECTS, type EffectRows } from '../spec/effects.ts'
import type { Outcome } from '../spec/outcome.ts'
import { listed, refusing } from './merge.ts'

export interface Degraded {
  outcome: Outcome
  /** One sentence for each thing that the agent cannot do. */
  notes: string[]
}

const NOTHING: Capability = { event: '', deny: false, effects: [] }

export type Degrade = (wanted: Outcome, capability: Capability | undefined, agent: string) => Degraded

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

export const degrade = degrading(EFFECTS)

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
