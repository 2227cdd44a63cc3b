/** Which hook replaces which other hook of the same name. */

import type { Hook } from '../spec/hook.ts'

/**
 * A managed hook is never replaced; a project's hook replaces the user's, unless that one has `replaceable: false`;
 * within one scope the later one wins. `namesakes` are in load order.
 */
export function replaces(other: Hook, hook: Hook, namesakes: readonly Hook[]): boolean {
  if (other === hook || !hook.unique_name || !other.unique_name || nameKey(other) !== nameKey(hook))
    return false
  if (other.scope === 'managed' && hook.scope !== 'managed') return true
  if (hook.scope === 'managed') return other.scope === 'managed' && isLater(other, hook, namesakes)
  if (hook.replaceable === false) return false
  if (other.scope === hook.scope) return isLater(other, hook, namesakes)
  return other.scope === 'project' && hook.scope === 'user'
}

/** The hooks of stronger scopes that this one would replace. */
export function replacedBy(hook: Hook, hooks: readonly Hook[]): Hook[] {
  return hooks.filter((other) => other.scope !== hook.scope && replaces(hook, other, hooks))
}

/** Names identify a hook only within one format. */
export function nameKey(hook: Hook): string {
  return `${hook.format}\0${hook.name}`
}

function isLater(other: Hook, hook: Hook, namesakes: readonly Hook[]): boolean {
  return namesakes.indexOf(other) > namesakes.indexOf(hook)
}
