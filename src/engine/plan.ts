/**
 * Which hooks run for an event, in which order and which of them together. `run` executes this list, `explain` prints
 * it.
 */

import type { HookEvent } from '../spec/event.ts'
import type { Hook } from '../spec/hook.ts'
import { SCOPES } from '../spec/hook.ts'
import type { SkipReason } from '../spec/outcome.ts'
import type { CompiledMatcher, Explained } from './match.ts'

/** A hook ready to run. */
export interface Planned {
  hook: Hook
  matcher: CompiledMatcher
  /** In-process function that answers with an outcome: no encoding, no process. */
  direct?: (event: HookEvent) => unknown
  /** Called when the hook's turn comes: why it must not run now (not trusted, replaced by another…), or null. */
  gate?: () => SkipReason | null
}

/**
 * Steps are taken one after another. The hooks of a `concurrent` step start together, a `sequence` step has one hook, and
 * the `background` step, always the last, starts its hooks without waiting for them. Whether a hook of a step matches is
 * asked when the step's turn comes, because an earlier hook may have rewritten the input.
 */
export interface Step {
  mode: Hook['mode']
  hooks: readonly Planned[]
}

/** Hooks in rank order: offset, then scope, then load order, which sorting keeps. */
export function rank<Item extends { hook: Hook }>(hooks: readonly Item[]): Item[] {
  const sorted = [...hooks].sort(
    ({ hook: a }, { hook: b }) => a.order - b.order || SCOPES.indexOf(a.scope) - SCOPES.indexOf(b.scope),
  )
  return sorted.some(({ hook }) => hook.after?.length) ? chain(sorted) : sorted
}

/** Ranked hooks as steps: concurrent neighbours share one, unless one of them comes `after` another. */
export function plan(ranked: readonly Planned[]): readonly Step[] {
  const steps: { mode: Hook['mode']; hooks: Planned[] }[] = []
  const background = ranked.filter(({ hook }) => hook.mode === 'background')
  for (const planned of ranked) {
    const { mode, after } = planned.hook
    if (mode === 'background') continue
    const last = steps.at(-1)
    const joins =
      mode === 'concurrent' &&
      last?.mode === 'concurrent' &&
      !last.hooks.some(({ hook }) => after?.includes(hook.name))
    if (joins) last.hooks.push(planned)
    else steps.push({ mode, hooks: [planned] })
  }
  if (background.length > 0) steps.push({ mode: 'background', hooks: background })
  return steps
}

/** What the plan says about a hook before anything runs. */
export interface Foreseen extends Explained {
  planned: Planned
  /** Why it would be skipped. Null: it would run, or fail because it did not load or its matcher cannot be judged. */
  skipped: SkipReason | null
}

/** The plan's steps with the hooks that would run if no hook rewrites the input, and the hooks that would not. */
export async function foresee(
  steps: readonly Step[],
  event: HookEvent,
): Promise<{ steps: { mode: Hook['mode']; hooks: Foreseen[] }[]; others: Foreseen[] }> {
  for (const { matcher } of steps.flatMap(({ hooks }) => hooks)) await matcher.load(event)
  const others: Foreseen[] = []
  const running = steps.map(({ mode, hooks }) => {
    const judged = hooks.map((planned): Foreseen => {
      const explained = planned.matcher.explain(event)
      const applies = explained.matched || explained.unjudged !== undefined
      const barred = planned.gate?.() ?? (planned.hook.broken === undefined ? null : 'invalid')
      return { ...explained, planned, skipped: applies ? barred : 'no_match' }
    })
    others.push(...judged.filter(({ skipped }) => skipped !== null))
    return { mode, hooks: judged.filter(({ skipped }) => skipped === null) }
  })
  return { steps: running.filter(({ hooks }) => hooks.length > 0), others }
}

/**
 * Moves each hook behind every hook that it names in `after`; the others keep their places. A cycle is broken at its
 * first hook.
 */
function chain<Item extends { hook: Hook }>(sorted: Item[]): Item[] {
  const waiting = new Map<string, number>()
  for (const { hook } of sorted) waiting.set(hook.name, (waiting.get(hook.name) ?? 0) + 1)
  const rest = [...sorted]
  const out: Item[] = []
  while (rest.length > 0) {
    const free = rest.findIndex(
      ({ hook }) => !hook.after?.some((name) => name !== hook.name && waiting.get(name)),
    )
    const [next] = rest.splice(Math.max(free, 0), 1)
    waiting.set(next!.hook.name, waiting.get(next!.hook.name)! - 1)
    out.push(next!)
  }
  return out
}
