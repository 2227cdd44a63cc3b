/** What ran → the result that callers see, every field there. */

import { loadDialect } from '../dialects/list.ts'
import { isBlock } from '../engine/merge.ts'
import type { Ran } from '../engine/run.ts'
import type { HookEvent } from '../spec/event.ts'
import type { FireResult, Outcome } from '../spec/outcome.ts'

export function toResult(
  event: HookEvent,
  { outcome, reports }: Pick<Ran, 'outcome' | 'reports'>,
): FireResult {
  return {
    event_type: event.event_type,
    decision: isBlock(outcome) ? 'deny' : (outcome.decision ?? 'allow'),
    reason: outcome.reason ?? outcome.stop ?? null,
    user_message: outcome.user_message ?? null,
    updated_input: outcome.updated_input ?? null,
    updated_output: outcome.updated_output ?? null,
    additional_context: outcome.additional_context ?? [],
    stop: outcome.stop ?? null,
    retry: outcome.retry ?? null,
    updated_permissions: outcome.updated_permissions ?? null,
    initial_user_message: outcome.initial_user_message ?? null,
    watch_paths: outcome.watch_paths ?? null,
    hooks: reports,
  }
}

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
