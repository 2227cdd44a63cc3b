/** An answer that came back without an error and still cannot be carried out: its hook has failed. */

import { EFFECTS, type EffectRows } from '../spec/effects.ts'
import { eventRow, type FieldType, type HookEvent } from '../spec/event.ts'
import type { Hook } from '../spec/hook.ts'
import type { Outcome } from '../spec/outcome.ts'
import { mismatch } from '../spec/schema.ts'
import { kindOf, TOOLS, type ToolName, wrongField } from '../spec/tool.ts'

/** What is wrong with it, as a sentence; undefined when nothing is. */
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
  // The tool took a text there a moment ago; what else it takes nobody has told us.
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

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Only short words: a piece of a longer text might be a piece of a secret. */
function shown(value: unknown): string {
  return typeof value === 'string' && /^[\w -]{0,40}$/.test(value) ? `"${value}"` : kindOf(value)
}
