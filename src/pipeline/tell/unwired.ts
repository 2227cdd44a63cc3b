/** When a session begins: hooks for events without an entry in this agent, because they were added after `install`. */

import { quietEvents } from '../../config/quiet.ts'
import { derivedAt } from '../../spec/derived.ts'
import type { Dialect } from '../../spec/dialect.ts'
import type { Hook } from '../../spec/hook.ts'
import type { Context } from '../context.ts'

const MAX_NAMES = 5

export function unwired({ agent, set, services }: Context): string[] {
  const quiet = agent ? quietEvents(services.paths.state, agent.id) : []
  if (!agent || quiet.length === 0) return []
  const deaf = deafHooks(agent, quiet, set!.hooks).filter((hook) =>
    mayRun(hook, set!.settings.disabled, services.trustOf),
  )
  if (deaf.length === 0) return []
  const shown = deaf.slice(0, MAX_NAMES).map(({ name }) => (/^[\w.-]{1,64}$/.test(name) ? name : '(unnamed)'))
  const more = deaf.length - shown.length
  return [
    `crosshook: ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''} ${deaf.length === 1 ? 'listens' : 'listen'} to events for which ${agent.title} does not call crosshook yet. Run \`crosshook install ${agent.id}\`.`,
  ]
}

/** Hooks for one of these events, for which the agent has no entry. */
export function deafHooks(agent: Dialect, quiet: readonly string[], hooks: readonly Hook[]): Hook[] {
  const names = (native: string) => [
    ...[agent.events[native] ?? []].flat(),
    agent.agent?.capabilities[native]?.event ?? '',
    ...derivedAt(agent.agent, native),
    `${agent.id}/${native}`,
  ]
  const unheard = new Set(quiet.flatMap(names))
  return hooks.filter(({ events }) => events.some((event) => unheard.has(event)))
}

function mayRun(hook: Hook, disabled: readonly string[], trustOf: Context['services']['trustOf']): boolean {
  if (hook.disabled || disabled.includes(hook.name)) return false
  if (hook.scope !== 'project') return true
  try {
    return trustOf(hook) === 'trusted'
  } catch {
    return false // reported as not trusted
  }
}
