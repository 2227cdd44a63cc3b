/** Kheish: a settings file of hooks by event, with command, HTTP, prompt, agent and callback executors. */

import type { Dialect, Source } from '../../spec/dialect.ts'
import { encode } from './events.ts'
import { EVENT_NAMES, EVENTS, isEvent, TOOLS } from './names.ts'
import { decode } from './replies.ts'

export const dialect: Dialect = {
  id: 'kheish',
  title: 'Kheish',
  events: Object.fromEntries(EVENT_NAMES.map((name) => [name, EVENTS[name].event])),
  tools: TOOLS,
  format: {
    closedBy: '"failure_policy": {"mode": "closed"}',
    // Kheish keeps its settings below its own state folder: a source names the file.
    files: { project: [], user: [] },
    allOrNothing: true,
    recognises,
    read: async (source) => (await import('./config.ts')).read(source),
    encode,
    decode,
  },
}

function recognises({ text }: Source): number {
  if (text === undefined || !text.trimStart().startsWith('{')) return 0
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // Broken, but it may be ours: reading it will say what is wrong.
    return /"schema_version"\s*:/.test(text) && /"hooks"\s*:/.test(text) ? 1 : 0
  }
  const { schema_version, hooks } = value as { schema_version?: unknown; hooks?: unknown }
  if (typeof hooks !== 'object' || hooks === null || Array.isArray(hooks))
    return schema_version === undefined ? 0 : 1
  const entries = Object.entries(hooks)
  const hasExecutor = entries.some(([, list]) => Array.isArray(list) && list.some(isDefinition))
  const known = entries.filter(([name]) => isEvent(name)).length
  if (hasExecutor && (known > 0 || schema_version !== undefined)) return 2
  if (schema_version !== undefined) return known === entries.length ? 2 : 1
  return known > 0 &&
    known === entries.length &&
    entries.every(([, list]) => Array.isArray(list) && list.length === 0)
    ? 1
    : 0
}

function isDefinition(value: unknown): boolean {
  const executor = (value as { executor?: unknown } | null)?.executor
  return typeof executor === 'object' && executor !== null
}
