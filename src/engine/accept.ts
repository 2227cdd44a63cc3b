/**
 * Decides which parts of a hook's answer count: none of a malformed one, otherwise what this hook may ask for on this
 * event.
 */

import { EFFECTS, type EffectRows } from '../spec/effects.ts'
import { eventRow, type FieldType, type HookEvent } from '../spec/event.ts'
import type { Hook } from '../spec/hook.ts'
import type { Outcome } from '../spec/outcome.ts'
import { mismatch } from '../spec/schema.ts'
import { isObject, kindOf, TOOLS, type ToolName, wrongField } from '../spec/tool.ts'
import { isBlock } from './merge.ts'

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
