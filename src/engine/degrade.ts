/** An outcome → what an agent can carry out of it. Never silent and never weaker. */

import type { Capability } from '../spec/dialect.ts'
import type { Effect, Outcome } from '../spec/outcome.ts'

export interface Degraded {
  outcome: Outcome
  /** One sentence for each thing that the agent cannot do. */
  notes: string[]
}

const NOTHING: Capability = { event: '', deny: false, effects: [] }

export function degrade(wanted: Outcome, capability: Capability = NOTHING, agent: string): Degraded {
  const outcome = { ...wanted }
  const notes: string[] = []
  const can = (effect: Effect) => capability.effects.includes(effect)
  const deny = (why: string) => {
    notes.push(why)
    if (outcome.decision === 'deny') return
    outcome.decision = 'deny'
    outcome.reason = outcome.reason ? `${outcome.reason} (${why})` : why
  }

  if (outcome.decision === 'ask' && !can('ask'))
    deny(`${agent} cannot ask the person here, so the operation is refused`)
  if (outcome.updated_input !== undefined && outcome.decision !== 'deny' && !can('updated_input'))
    deny(`a hook rewrote the input, which ${agent} cannot take here, so the operation is refused`)
  if (outcome.retry !== undefined && outcome.decision !== 'deny' && !can('retry'))
    deny(`a hook asks to try again in ${outcome.retry} ms`)
  if (outcome.stop !== undefined && !can('stop')) {
    outcome.reason ??= outcome.stop
    deny(`a hook asked to stop: ${outcome.stop}`)
  }
  if (outcome.updated_input !== undefined && (outcome.decision === 'deny' || !can('updated_input')))
    delete outcome.updated_input
  for (const effect of DROPPABLE) {
    if (outcome[effect] === undefined || can(effect)) continue
    delete outcome[effect]
    notes.push(`${agent} takes no ${effect} on this event: dropped`)
  }
  if (!can('retry')) delete outcome.retry
  if (!can('stop')) delete outcome.stop
  if (outcome.decision === 'deny' && !capability.deny) {
    notes.push(`${agent} cannot be stopped on this event: the block is only reported`)
    delete outcome.decision
    outcome.user_message = [outcome.user_message, outcome.reason].filter(Boolean).join('\n')
  }
  return { outcome, notes }
}

const DROPPABLE = [
  'updated_output',
  'additional_context',
  'updated_permissions',
  'initial_user_message',
  'watch_paths',
] as const satisfies readonly Effect[]
