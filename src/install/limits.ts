/** What an agent cannot do, in plain words, from its capability table. */

import type { Capability, Dialect } from '../spec/dialect.ts'
import { EVENTS, type EventName, eventRow } from '../spec/event.ts'
import type { Effect } from '../spec/outcome.ts'

export interface Limit {
  what: string
  /** Native events, or canonical ones that it lacks. */
  events: string[]
}

/** Events that most hooks use. */
const COMMON: readonly string[] = [
  'session_start',
  'before_agent',
  'before_tool',
  'after_tool',
  'before_stop',
  'subagent_start',
] satisfies EventName[]

const WORDS = {
  deny: 'cannot be stopped (a block is only reported)',
  ask: 'cannot ask the person (the operation is refused)',
  updated_input: 'cannot take a rewritten input (the operation is refused)',
  updated_output: 'cannot take a replaced output (dropped)',
  additional_context: 'takes no context for the model (dropped)',
} as const satisfies Partial<Record<Effect | 'deny', string>>

export function limitsOf({ agent, events: names }: Dialect): Limit[] {
  const capabilities = agent?.capabilities ?? {}
  // An agent with two names for one event can do the same on both.
  const rows = [
    ...new Map(
      Object.entries(capabilities)
        .toReversed()
        .map((row) => [row[1].event, row]),
    ).values(),
  ].toReversed()
  const limits = Object.keys(WORDS).map(
    (effect): Limit => ({
      what: WORDS[effect as keyof typeof WORDS],
      events: rows
        .filter(([, capability]) => lacks(capability, effect as keyof typeof WORDS))
        .filter(([, { event }]) => effect === 'deny' || COMMON.includes(event))
        .map(([name]) => name),
    }),
  )
  const fired = new Set(Object.values(names).flat())
  limits.push({ what: 'has no event for', events: COMMON.filter((name) => !fired.has(name)) })
  return limits.filter(({ events }) => events.length > 0)
}

/** The event allows the effect, but this agent does not support it. */
export function lacks(capability: Capability, effect: Effect | 'deny'): boolean {
  if (!Object.hasOwn(EVENTS, capability.event)) return false
  const row = eventRow(capability.event)
  if (effect === 'deny') return !capability.deny && (row.block === 'prevents' || row.block === 'continues')
  return row.effects.includes(effect) && !capability.effects.includes(effect)
}
