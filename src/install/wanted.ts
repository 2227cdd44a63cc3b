/** The events that agents need entries for: those that some hook listens to, and those that crosshook itself needs. */

import type { HookSet } from '../config/load.ts'
import { paths } from '../config/paths.ts'
import type { TrustState } from '../config/trust.ts'
import { assemble } from '../host/assemble.ts'
import { derivedAt } from '../spec/derived.ts'
import { EVENTS, type EventRow } from '../spec/event.ts'
import type { Hook } from '../spec/hook.ts'
import type { KnownAgent } from './known.ts'
import { projectEvents } from './project-events.ts'

/** Canonical events, and agents' own as `agent/Event`. */
export type Wanted = ReadonlySet<string> | 'all'

/**
 * Needed even if no hook listens: start and end of sessions and turns, when people are told things and memory is
 * cleared; and tool calls, for the journal, replay and self-protection.
 */
const OWN = [
  'before_tool',
  ...Object.entries(EVENTS as Record<string, EventRow>).flatMap(([name, { begins, ends }]) =>
    begins || ends ? [name] : [],
  ),
]

/** For the hooks of this folder, of the person and of the machine, and for trusted hooks of other projects. */
export async function wantedIn(
  folder: string,
  env: NodeJS.ProcessEnv,
  { keeps }: { keeps: boolean },
): Promise<Set<string>> {
  const runtime = assemble({ env, source: 'cli' })
  const set = await runtime.hookSet(folder)
  await runtime.close()
  const running = mayRun(set, (hook) => runtime.trust.state(hook))
  const projects = projectEvents(paths(env).state)
  if (keeps) projects.keep(folder, eventsOf(running.filter(({ scope }) => scope === 'project')))
  return new Set([...OWN, ...eventsOf(running), ...projects.others(folder)])
}

/** For the hooks of this folder alone, trusted or not: whoever clones it decides about trust. */
export async function wantedByProject(folder: string, env: NodeJS.ProcessEnv): Promise<Set<string>> {
  const runtime = assemble({ env, source: 'cli' })
  const { hooks, broken } = await runtime.hookSet(folder)
  await runtime.close()
  const own = [...hooks, ...broken].filter(({ scope, disabled }) => scope === 'project' && !disabled)
  return new Set([...OWN, ...eventsOf(own)])
}

/** Including hooks that do not load: this is reported at their events. */
function mayRun({ hooks, broken, settings }: HookSet, trustOf: (hook: Hook) => TrustState): Hook[] {
  const isOff = ({ disabled, name }: Hook) => disabled || settings.disabled.includes(name)
  return [...hooks, ...broken].filter(
    (hook) => !isOff(hook) && (hook.scope !== 'project' || trustOf(hook) === 'trusted'),
  )
}

function eventsOf(hooks: readonly Hook[]): string[] {
  return [...new Set(hooks.flatMap(({ events }) => events))]
}

/** Is one of the agent's own events among them? */
export function wants(agent: KnownAgent, wanted: Wanted): (native: string) => boolean {
  if (wanted === 'all') return () => true
  return (native) => heardAs(agent, native).some((name) => wanted.has(name))
}

/** The names that hooks may use for an agent's event. */
export function heardAs({ id, dialect, agent }: KnownAgent, native: string): string[] {
  const { events } = dialect
  return [
    ...(Object.hasOwn(events, native) ? [events[native]!].flat() : []),
    ...(agent.capabilities[native] ? [agent.capabilities[native].event] : []),
    ...derivedAt(agent, native),
    `${id}/${native}`,
  ]
}
