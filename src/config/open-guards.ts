/** Guards that let everything pass when they fail, although their format has a setting against that. */

import { loadDialect } from '../dialects/list.ts'
import { eventRow } from '../spec/event.ts'
import type { Hook } from '../spec/hook.ts'

export interface OpenGuard {
  name: string
  file: string
  /** The setting that makes it block when it fails. */
  write: string
}

export async function openGuards(hooks: readonly Hook[]): Promise<OpenGuard[]> {
  const found: OpenGuard[] = []
  for (const hook of hooks) {
    if (!isOpenGuard(hook)) continue
    const write = (await loadDialect(hook.format)).format?.closedBy
    if (write !== undefined) found.push({ name: hook.name, file: hook.origin.file, write })
  }
  return found
}

/** A fixed answer cannot fail, unless its conditions cannot be judged. */
function isOpenGuard({ blocks, disabled, shadow, on_failure, events, run, matcher }: Hook): boolean {
  if (!blocks || disabled || shadow || on_failure === 'closed') return false
  if (run.type === 'outcome' && (run.outcome.decision !== 'deny' || matcher.when === undefined)) return false
  return events.some((event) => eventRow(event).block === 'prevents')
}
