/** A3S: functions that are called with an event and answer with an action. */

import type { Dialect, Source } from '../../spec/dialect.ts'
import { EVENTS, encode, ID } from './events.ts'
import { decode } from './replies.ts'
import { isObject, TOOL_TABLE } from './tools.ts'

export const dialect: Dialect = {
  id: ID,
  title: 'A3S',
  events: EVENTS,
  tools: TOOL_TABLE,
  format: {
    files: { project: [], user: [] },
    closedBy: '"failBehavior": "block"',
    recognises,
    read: async (source) => (await import('./config.ts')).read(source),
    encode,
    decode,
  },
}

const WORDS =
  /"(?:maxHooksPerEvent|maxTotalHooks|defaultTimeout|failBehavior|auditLevel|handlers|response|config|event|event_type|eventType)"/

function recognises({ text }: Source): number {
  if (text === undefined || !WORDS.test(text)) return 0
  let root: unknown
  try {
    root = JSON.parse(text)
  } catch {
    // Text that is not JSON is never of this format: it has no place of its own to be known by.
    return 0
  }
  if (!isObject(root)) return 0
  if (isObject(root.hooks) && SETTINGS.some((name) => Object.hasOwn(root.hooks as object, name))) return 2
  // Many formats have `enabled`; only this one has a list of handlers beside it.
  if (isObject(root.hooks) && Object.hasOwn(root.hooks, 'enabled') && handlersIn(root.handlers)) return 2
  if (root.hooks === undefined && handlersIn(root.handlers)) return 1
  // The settings block around the list is missing; reading the file reports it.
  if (SETTINGS.some((name) => Object.hasOwn(root, name))) return 1
  const list = Array.isArray(root.hooks) && root.version === undefined ? root.hooks : undefined
  const items = (list ?? [])
    .filter(isObject)
    .filter((item) => item.event ?? item.event_type ?? item.eventType)
  if (items.length === 0) return 0
  return items.some((item) => isObject(item.response) || isObject(item.config) || item.id !== undefined)
    ? 2
    : 1
}

function handlersIn(list: unknown): boolean {
  return (
    Array.isArray(list) &&
    list.length > 0 &&
    list.every((item) => isObject(item) && (item.event ?? item.event_type ?? item.eventType) !== undefined)
  )
}

const SETTINGS = ['maxHooksPerEvent', 'maxTotalHooks', 'defaultTimeout', 'failBehavior', 'auditLevel']
