/** Which hooks run for an event and in what order, as data: `explain` and `--dry-run` print it. */

import type { HookEvent } from '../spec/event.ts'
import type { Hook, Scope } from '../spec/hook.ts'
import { SCOPES } from '../spec/hook.ts'
import type { SkipReason } from '../spec/outcome.ts'
import type { CompiledMatcher } from './match.ts'

/** A hook ready to run. */
export interface Planned {
  hook: Hook
  matcher: CompiledMatcher
  /** In-process function that answers with an outcome: no encoding, no process. */
  direct?: (event: HookEvent) => unknown
  /** Asked when its turn comes: why it must not run now (not trusted, replaced by another…), if it must not. */
  gate?: () => SkipReason | null
}

export interface Group {
  /** Started together; otherwise it holds one hook. */
  concurrent: boolean
  hooks: Planned[]
}

/** Hooks in the order in which they rank: offset, then scope, then as they were loaded. */
export function rank(hooks: readonly Planned[]): Planned[] {
  const position: Record<Scope, number> = Object.fromEntries(SCOPES.map((s, i) => [s, i])) as never
  const sorted = hooks
    .map((planned, index) => ({ planned, index }))
    .sort(
      (a, b) =>
        a.planned.hook.order - b.planned.hook.order ||
        position[a.planned.hook.scope] - position[b.planned.hook.scope] ||
        a.index - b.index,
    )
    .map(({ planned }) => planned)
  return sorted.some(({ hook }) => hook.after?.length) ? chain(sorted) : sorted
}

/** Sequential hooks alone, neighbours that run concurrently together. Background hooks are left out. */
export function group(ranked: readonly Planned[]): Group[] {
  const groups: Group[] = []
  for (const planned of ranked) {
    if (planned.hook.mode === 'background') continue
    const concurrent = planned.hook.mode === 'concurrent'
    const last = groups.at(-1)
    if (concurrent && last?.concurrent && !waitsFor(planned, last)) last.hooks.push(planned)
    else groups.push({ concurrent, hooks: [planned] })
  }
  return groups
}

function waitsFor(planned: Planned, group: Group): boolean {
  return group.hooks.some(({ hook }) => planned.hook.after?.includes(hook.name))
}

/** A hook comes after every hook that it names, and otherwise keeps its place. A circle is broken at its first hook. */
function chain(sorted: Planned[]): Planned[] {
  const waiting = new Map<string, number>()
  for (const { hook } of sorted) waiting.set(hook.name, (waiting.get(hook.name) ?? 0) + 1)
  const rest = [...sorted]
  const out: Planned[] = []
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
