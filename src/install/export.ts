/** Hooks as entries of an agent's own settings: one entry per hook, which calls crosshook for that hook. */

import type { Dialect, NativeEntry } from '../spec/dialect.ts'
import type { Hook } from '../spec/hook.ts'
import type { Matcher } from '../spec/matcher.ts'
import { exportProgram, quote } from './command-line.ts'

export interface Exported {
  entries: NativeEntry[]
  /** Hooks for which this agent has no event. */
  left: { name: string; why: string }[]
}

/** Time below the agent's own limit that crosshook needs to start and answer. */
const MARGIN_MS = 5000

export function exportHooks(dialect: Dialect, hooks: readonly Hook[], program = exportProgram()): Exported {
  const exported: Exported = { entries: [], left: [] }
  for (const hook of hooks) {
    const events = hook.events.flatMap((event) => nativeEvent(dialect, event) ?? [])
    if (events.length === 0)
      exported.left.push({ name: hook.name, why: `${dialect.title} has no ${hook.events.join(', ')}` })
    const tools = certainTools(hook.matcher, dialect)
    for (const event of events)
      exported.entries.push({
        event,
        command: [...program, 'run-hook', dialect.id, event, hook.name].map(quote).join(' '),
        timeout: hook.timeout * (hook.retries + 1) + MARGIN_MS,
        ...(tools ? { tools } : {}),
      })
  }
  return exported
}

function nativeEvent({ id, events, agent }: Dialect, event: string): string | undefined {
  const names = Object.keys(events).filter((name) => agent?.capabilities[name] !== undefined)
  return (
    names.find((name) => [events[name]].flat()[0] === event) ??
    names.find((name) => [events[name]].flat().includes(event) || `${id}/${name}` === event)
  )
}

/**
 * Native names, only where they surely cover all matches: crosshook checks the matcher again, so an extra call does no
 * harm, while a missing one would be a gap.
 */
function certainTools({ tool, tool_names }: Matcher, { tools }: Dialect): string[] | undefined {
  const exact = tool_names ?? /^\^\(?(?:\?:)?([\w|]+)\)?\$$/.exec(tool ?? '')?.[1]?.split('|')
  if (exact === undefined) return undefined
  const native = exact.map((name) =>
    Object.keys(tools).filter((key) => key === name || tools[key]!.name === name),
  )
  return native.every((own) => own.length > 0) ? [...new Set(native.flat())] : undefined
}
