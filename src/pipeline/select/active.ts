/** Prepares the hooks of a set: ranked, compiled, indexed, each with the check that may skip it. */

import { nameKey, replaces } from '../../config/layers.ts'
import type { Settings } from '../../config/settings.ts'
import type { TrustState, TrustStore } from '../../config/trust.ts'
import { createIndex, type Index } from '../../engine/hook-index.ts'
import { createMatcher } from '../../engine/match.ts'
import { type Planned, rank } from '../../engine/plan.ts'
import type { Hook } from '../../spec/hook.ts'
import type { SkipReason } from '../../spec/outcome.ts'

/** Hooks that may match, ranked, and every hook of an event. */
export type Active = Index<Planned>

export interface Bars {
  trust: TrustStore | undefined
  settings: Pick<Settings, 'disabled'>
}

export function activate(
  hooks: readonly Hook[],
  bars: Bars,
  direct?: (hook: Hook) => Planned['direct'],
): Active {
  const ready = new Map<Hook, Planned>()
  let byName: Map<string, Hook[]> | undefined
  const planned = (hook: Hook): Planned => {
    const known = ready.get(hook)
    if (known) return known
    byName ??= Map.groupBy(hooks, nameKey)
    const entry: Planned = { hook, matcher: createMatcher(hook.matcher) }
    const gate = gateOf(hook, byName.get(nameKey(hook))!, bars)
    const call = direct?.(hook)
    if (gate) entry.gate = gate
    if (call) entry.direct = call
    ready.set(hook, entry)
    return entry
  }
  const ofEvent = (eventType: string) =>
    hooks.filter((hook) => hook.events.includes(eventType)).map((hook) => ({ hook }))
  return createIndex(
    (eventType) => rank(ofEvent(eventType)),
    ({ hook }) => planned(hook),
  )
}

/** Evaluated at each event, since trust, and with it which hook replaces which, may change. */
function gateOf(
  hook: Hook,
  namesakes: readonly Hook[],
  { trust, settings }: Bars,
): (() => SkipReason | null) | undefined {
  const isOff = (other: Hook) =>
    other.disabled || (other.scope !== 'managed' && settings.disabled.includes(other.name))
  if (isOff(hook)) return () => 'disabled'
  const isTrusted = (other: Hook) =>
    other.scope !== 'project' || !trust || trustOf(trust, other) === 'trusted'
  // Only a hook that would itself run replaces another: an untrusted hook must not disable a guard.
  const stronger = namesakes.filter((other) => replaces(other, hook, namesakes) && !isOff(other))
  if (stronger.length === 0 && hook.scope !== 'project') return undefined
  return () => {
    if (stronger.some(isTrusted)) return 'overridden'
    // A hook that was trusted and has changed still runs, and fails by its own policy.
    return hook.scope === 'project' && trust && trustOf(trust, hook) === 'untrusted' ? 'untrusted' : null
  }
}

/** While the trust store is unreadable, no hook is trusted and none replaces another. */
function trustOf(trust: TrustStore, hook: Hook): TrustState {
  try {
    return trust.state(hook)
  } catch {
    return 'unproven' // `trust` and `doctor` report what is wrong with it
  }
}
