/**
 * Merges outcomes by the rule of each row in the table of effects, and turns the merged outcome into the caller's
 * result.
 */

import { EFFECTS, type EffectRows } from '../spec/effects.ts'
import type { HookEvent } from '../spec/event.ts'
import type { Hook } from '../spec/hook.ts'
import type { FireResult, HookReport, Outcome, OutcomeOf } from '../spec/outcome.ts'

type Values = Record<string, unknown>

/** Joins `next` to the outcomes merged so far, in rank order. */
export type Merge<Answer> = (merged: Answer, next: Answer, hook: Pick<Hook, 'input_merge'>) => Answer

export function merging<Rows extends EffectRows>(rows: Rows): Merge<OutcomeOf<Rows>> {
  const fields = listed(rows)
  const strong = fields.filter(({ row: { strength } }) => strength !== undefined)
  const strengthOf = (answer: Values) => {
    let most = 0
    for (const { field, row } of strong) {
      const value = answer[field]
      if (value !== undefined) most = Math.max(most, row.strength!(value as never))
    }
    return most
  }
  return (merged: Values, next: Values, hook) => {
    if (isEmpty(next)) return merged as OutcomeOf<Rows>
    const how = { wins: strengthOf(next) > strengthOf(merged), input: hook.input_merge }
    const out: Values = {}
    for (const { field, row } of fields) {
      if (merged[field] === undefined && next[field] === undefined) continue
      const value = row.merge(merged[field] as never, next[field] as never, how)
      if (value !== undefined) out[field] = value
    }
    return out as OutcomeOf<Rows>
  }
}

export const merge = merging(EFFECTS)

/** Drops what only makes sense for an operation that goes ahead, once it is refused or left to a person. */
export function refusing<Rows extends EffectRows>(
  rows: Rows,
): <Answer extends Outcome>(answer: Answer) => Answer {
  const affected = listed(rows).filter(({ row: { refused } }) => refused !== undefined)
  return (answer) => {
    const by = isBlock(answer) ? 'deny' : answer.decision === 'ask' ? 'ask' : null
    if (by === null) return answer
    const out: Values = { ...answer }
    for (const { field, row } of affected) {
      if (out[field] === undefined) continue
      const left = row.refused!(out[field] as never, by)
      if (left === undefined) delete out[field]
      else out[field] = left
    }
    return out as typeof answer
  }
}

export const refuse = refusing(EFFECTS)

export type ToResult = (event: HookEvent, ran: { outcome: Outcome; reports: HookReport[] }) => FireResult

/** A result with every visible field of the table of effects, set to its value or its empty value. */
export function resulting(rows: EffectRows): ToResult {
  const shown = Object.entries(rows).flatMap(([field, { result }]) => (result ? [{ field, ...result }] : []))
  const lists = shown.filter(({ empty }) => Array.isArray(empty)).map(({ field }) => field)
  const empties = Object.fromEntries(shown.map(({ field, empty }) => [field, empty]))
  // A copy of this object per result: V8 copies faster than it creates an object with so many fields.
  const nothing: Record<string, unknown> = { event_type: '', ...empties, hooks: null }
  return ({ event_type }, { outcome, reports }) => {
    const result = { ...nothing }
    result.event_type = event_type
    result.hooks = reports
    for (const field of lists) result[field] = []
    if (!isEmpty(outcome)) fill(result, outcome)
    return result as FireResult
  }

  function fill(result: Record<string, unknown>, outcome: Outcome): void {
    const values: Record<string, unknown> = outcome
    for (const { field } of shown) if (values[field] !== undefined) result[field] = values[field]
    if (!isBlock(outcome)) return
    result.decision = 'deny'
    result.reason ??= outcome.stop ?? null
  }
}

export const toResult = resulting(EFFECTS)

/** Objects rather than pairs: destructuring a pair at each event takes V8 longer than the rest of the merge. */
export function listed(rows: EffectRows): { field: string; row: EffectRows[string] }[] {
  return Object.entries(rows).map(([field, row]) => ({ field, row }))
}

/** Does it stop the operation? */
export function isBlock(outcome: Pick<Outcome, 'decision' | 'stop'>): boolean {
  return outcome.decision === 'deny' || outcome.stop !== undefined
}

/** True for most hooks: they have nothing to say. */
export function isEmpty(outcome: object): boolean {
  for (const _ in outcome) return false
  return true
}
