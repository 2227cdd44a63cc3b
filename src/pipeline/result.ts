/** What ran → the result that callers see, every field there. */

import { loadDialect } from '../dialects/list.ts'
import { isBlock, isEmpty } from '../engine/merge.ts'
import type { Ran } from '../engine/run.ts'
import { EFFECTS, type EffectRows } from '../spec/effects.ts'
import type { HookEvent } from '../spec/event.ts'
import type { FireResult, Outcome } from '../spec/outcome.ts'

export type ToResult = (event: HookEvent, ran: Pick<Ran, 'outcome' | 'reports'>) => FireResult

/** Every field of the table of effects that a result shows, with its value or the empty one. */
export function resulting(rows: EffectRows): ToResult {
  const shown = Object.entries(rows).flatMap(([field, { result }]) => (result ? [{ field, ...result }] : []))
  const lists = shown.filter(({ empty }) => Array.isArray(empty)).map(({ field }) => field)
  const empties = Object.fromEntries(shown.map(({ field, empty }) => [field, empty]))
  // Copied for each result: V8 does that faster than it makes an object of so many fields.
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

/** Formats that frame what their hooks say do it once for all hooks of the format, where the first of them stood. */
export async function framedContext({ outcome, contexts, event }: Ran): Promise<Outcome> {
  const texts: string[] = []
  const framed = new Set<string>()
  for (const { hook, texts: own } of contexts) {
    const { format } = await loadDialect(hook.format)
    if (!format?.wrapContext) texts.push(...own)
    else if (!framed.has(hook.format)) {
      framed.add(hook.format)
      const all = contexts
        .filter((other) => other.hook.format === hook.format)
        .flatMap((other) => other.texts)
      texts.push(...format.wrapContext(all, event))
    }
  }
  return { ...outcome, additional_context: texts }
}
