/** What counts of what hooks ask for. */

import { eventRow } from '../spec/event.ts'
import type { Hook } from '../spec/hook.ts'
import type { Effect, Outcome } from '../spec/outcome.ts'
import { isBlock } from './merge.ts'

/** What of an answer this hook may ask for on this event; the rest is said to be ignored. */
export function accepted(answer: Outcome, hook: Hook, eventType: string, warnings: string[]): Outcome {
  const { effects } = eventRow(eventType)
  let outcome = answer
  for (const effect of EFFECT_FIELDS) {
    if (outcome[effect] === undefined || effects.includes(effect)) continue
    if (effect === 'stop') continue // a stop also blocks where a deny does
    outcome = { ...outcome }
    delete outcome[effect]
    warnings.push(`${effect} has no meaning on ${eventType}: ignored`)
  }
  if (!hook.blocks && (isBlock(outcome) || outcome.decision === 'ask')) {
    warnings.push(
      `hooks of this kind cannot block ${eventType}: the block is only reported (${outcome.reason ?? outcome.stop ?? 'no reason given'})`,
    )
    const { decision: _decision, stop: _stop, reason: _reason, ...rest } = outcome
    return rest
  }
  return outcome
}

const EFFECT_FIELDS = [
  'updated_input',
  'updated_output',
  'additional_context',
  'stop',
  'retry',
  'updated_permissions',
  'initial_user_message',
  'watch_paths',
] as const satisfies readonly Effect[]

/** What counts of a hook that ran beside the one that left it out: that it objects, and nothing else. */
export function objection(outcome: Outcome, skipper: Hook, warnings: string[]): Outcome {
  const { decision, reason, stop, user_message } = outcome
  const objects = isBlock(outcome) || decision === 'ask'
  const kept = { decision, reason, stop, user_message }
  if (Object.keys(outcome).some((field) => !objects || !(field in kept)))
    warnings.push(`"${skipper.name}" left out the hooks after it: what this one asked for is ignored`)
  if (!objects) return {}
  return Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined))
}

/** A permission that one hook grants does not outlive the operation that another refuses or leaves to a person. */
export function withoutGrants(outcome: Outcome): Outcome {
  if (!outcome.updated_permissions || (outcome.decision !== 'ask' && !isBlock(outcome))) return outcome
  const { updated_permissions: updates, ...rest } = outcome
  const kept = updates.filter(({ behavior }) => behavior !== 'allow')
  return kept.length > 0 ? { ...rest, updated_permissions: kept } : rest
}
