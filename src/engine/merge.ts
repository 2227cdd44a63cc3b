/**
 * What becomes of a hook's answer, by the rows of the table of effects: which parts of it count, how they join the answers
 * before, what is left when the operation is refused, and the result that the caller gets.
 */

import { EFFECTS, type EffectRows } from '../spec/effects.ts'
import { eventRow, type FieldType, type HookEvent } from '../spec/event.ts'
import type { Hook } from '../spec/hook.ts'
import type { FireResult, HookReport, Outcome, OutcomeOf } from '../spec/outcome.ts'
import { mismatch } from '../spec/schema.ts'
import { isObject, kindOf, TOOLS, type ToolName, wrongField } from '../spec/tool.ts'

/** The part of an answer that this hook may ask for on this event; a warning names what is ignored. */
export type Accept = (
  answer: Outcome,
  hook: Pick<Hook, 'blocks'>,
  eventType: string,
  warnings: string[],
) => Outcome

export function accepting(rows: EffectRows): Accept {
  return (answer, hook, eventType, warnings) => {
    const outcome = withKnownFields(answer, eventType, warnings)
    if (hook.blocks || (!isBlock(outcome) && outcome.decision !== 'ask')) return outcome
    warnings.push(
      `hooks of this kind cannot block ${eventType}: the block is only reported (${outcome.reason ?? outcome.stop ?? 'no reason given'})`,
    )
    const { decision: _decision, stop: _stop, reason: _reason, ...rest } = outcome
    return rest
  }

  function withKnownFields(answer: Outcome, eventType: string, warnings: string[]): Outcome {
    const { effects } = eventRow(eventType)
    let outcome: Record<string, unknown> = answer
    for (const field in answer) {
      if (outcome[field] === undefined) continue
      const row = Object.hasOwn(rows, field) ? rows[field] : undefined
      const isListed = (effects as readonly string[]).includes(row?.needs?.effect ?? field)
      if (row && (row.events === 'all' || isListed)) continue
      if (outcome === answer) outcome = { ...answer }
      delete outcome[field]
      warnings.push(
        row
          ? `${field} has no meaning on ${eventType}: ignored`
          : `an answer has no field "${field}": ignored`,
      )
    }
    return outcome
  }
}

export const accepted = accepting(EFFECTS)

/** Answer of a hook that ran beside the one that skipped the rest: only its objection counts. */
export function objection(outcome: Outcome, skipper: Hook, warnings: string[]): Outcome {
  const { decision, reason, stop, user_message } = outcome
  const objects = isBlock(outcome) || decision === 'ask'
  const kept = { decision, reason, stop, user_message }
  if (Object.keys(outcome).some((field) => !objects || !(field in kept)))
    warnings.push(`"${skipper.name}" left out the hooks after it: what this one asked for is ignored`)
  if (!objects) return {}
  return Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined))
}

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

/**
 * Why an answer that arrived without an error cannot be carried out; undefined when it can. Its hook counts as failed.
 */
export function malformed(
  outcome: Outcome,
  event: HookEvent,
  hook: Pick<Hook, 'input_merge'>,
  rows: EffectRows = EFFECTS,
): string | undefined {
  let known = 0
  let given = 0
  for (const field in outcome) {
    const value = (outcome as Record<string, unknown>)[field]
    if (value === undefined) continue
    given++
    if (!Object.hasOwn(rows, field)) continue
    known++
    const wanted = mismatch(rows[field]!.schema, value)
    if (wanted !== undefined) return `answered with ${field} that is ${shown(value)}, not ${wanted}`
  }
  if (given > 0 && known === 0)
    return `answered with an object that has no field of an outcome: ${Object.keys(outcome).slice(0, 5).join(', ')}`
  if (outcome.updated_input === undefined) return undefined
  const wrong = wrongInput(outcome.updated_input, event, hook)
  return wrong === undefined ? undefined : `answered with updated_input that cannot be used: ${wrong}`
}

function wrongInput(
  updated: Record<string, unknown>,
  event: HookEvent,
  { input_merge }: Pick<Hook, 'input_merge'>,
): string | undefined {
  const { tool, fields } = eventRow(event.event_type)
  if (!tool) return wrongFields(updated, fields)
  const before = isObject(event.tool_input) ? event.tool_input : {}
  if (Object.keys(updated).length === 0 && Object.keys(before).length > 0) return 'it is empty'
  const after = input_merge === 'shallow' ? { ...before, ...updated } : updated
  const name = String(event.tool_name ?? '')
  const wrong = wrongField(name, after)
  if (wrong !== undefined) return wrong
  const main = Object.hasOwn(TOOLS, name) ? TOOLS[name as ToolName].fields[0] : undefined
  if (main !== undefined && before[main] !== undefined && after[main] === undefined)
    return `\`${main}\` of ${name} is missing`
  // The original value is a text, so only a text is known to be accepted here.
  const changed = Object.keys(after).find(
    (field) =>
      typeof before[field] === 'string' && typeof after[field] !== 'string' && !Array.isArray(after[field]),
  )
  return changed === undefined ? undefined : `\`${changed}\` was a text and is ${kindOf(after[changed])}`
}

function wrongFields(
  updated: Record<string, unknown>,
  fields: Readonly<Record<string, FieldType>>,
): string | undefined {
  const wrong = Object.keys(updated).find(
    (field) => fields[field] === 'string' && typeof updated[field] !== 'string',
  )
  if (wrong !== undefined) return `\`${wrong}\` is ${kindOf(updated[wrong])}, not a text`
  return Object.keys(updated).length === 0 ? 'it is empty' : undefined
}

/** Only short words are shown: part of a longer text may be part of a secret. */
function shown(value: unknown): string {
  return typeof value === 'string' && /^[\w -]{0,40}$/.test(value) ? `"${value}"` : kindOf(value)
}

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
