/** The events that agents have to tell crosshook of: those that some hook listens to, and those that it needs itself. */

import type { HookSet } from '../config/load.ts'
import { paths } from '../config/paths.ts'
import type { TrustState } from '../config/trust.ts'
import { assemble } from '../host/assemble.ts'
import { EVENTS, type EventRow } from '../spec/event.ts'
import type { Hook } from '../spec/hook.ts'
import type { KnownAgent } from './known.ts'
import { projectEvents } from './project-events.ts'

/** Canonical events, and agents' own as `agent/Event`. */
export type Wanted = ReadonlySet<string> | 'all'

/**
 * What it needs though no hook listens: where sessions and turns begin and end, since that is when people are told and
 * what was remembered is forgotten; and calls of tools, for the journal, replay and its own protection.
 */
const OWN = [
  'before_tool',
  ...Object.entries(EVENTS as Record<string, EventRow>).flatMap(([name, { begins, ends }]) =>
    begins || ends ? [name] : [],
  ),
]

/** For the hooks of this folder, of the person and of the machine, and for those of other projects that are trusted. */
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

/** For the hooks of this folder alone, trusted or not: who clones it decides about that. */
export async function wantedByProject(folder: string, env: NodeJS.ProcessEnv): Promise<Set<string>> {
  const runtime = assemble({ env, source: 'cli' })
  const { hooks, broken } = await runtime.hookSet(folder)
  await runtime.close()
  const own = [...hooks, ...broken].filter(({ scope, disabled }) => scope === 'project' && !disabled)
  return new Set([...OWN, ...eventsOf(own)])
}

/** Those that do not load as well: it is told at their events. */
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

/** What hooks may call an event of an agent. */
export function heardAs({ id, dialect, agent }: KnownAgent, native: string): string[] {
  const { events } = dialect
  return [
    ...(Object.hasOwn(events, native) ? [events[native]!].flat() : []),
    ...(agent.capabilities[native] ? [agent.capabilities[native].event] : []),
    `${id}/${native}`,
  ]
}
