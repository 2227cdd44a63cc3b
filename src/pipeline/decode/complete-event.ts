/** Completes whatever a caller gave to a whole event. */

import { readCall } from '../../engine/unread.ts'
import { isoTime } from '../../fast/clock.ts'
import { CrosshookError } from '../../spec/errors.ts'
import { canonicalEvent, EVENT_NAMES, EVENTS, eventRow, type HookEvent } from '../../spec/event.ts'
import { didYouMean } from '../../spec/nearest.ts'
import { isObject } from '../../spec/tool.ts'

/** The canonical name of an event; throws an error with the nearest name. */
export function eventName(name: string): string {
  const canonical = canonicalEvent(name)
  if (canonical !== undefined) return canonical
  const names = [...EVENT_NAMES, ...EVENT_NAMES.flatMap((event) => EVENTS[event].aliases)]
  throw new CrosshookError('unknown_event', `unknown event "${name}".${didYouMean(name, names)}`, {
    fix: `Events are: ${EVENT_NAMES.join(', ')}; an agent's own events are written agent/Event.`,
  })
}

/** Adds the fields that every event has. `given` is not changed. */
export function completeEvent(name: string, given: Record<string, unknown>, workDir: string): HookEvent {
  const event = { ...given } as HookEvent
  event.event_type = name
  if (typeof event.timestamp !== 'string') event.timestamp = timestamp()
  if (typeof event.session_id !== 'string') event.session_id = ''
  if (typeof event.work_dir !== 'string' || event.work_dir === '') event.work_dir = workDir
  if (!isObject(event.context)) event.context = {}
  if (eventRow(name).tool) {
    if (typeof event.tool_name !== 'string' || !isObject(event.tool_input)) readCall(event)
    if (typeof event.tool_use_id !== 'string') event.tool_use_id = ''
  }
  return event
}

let last = { at: 0, text: '' }

/** Cached per millisecond: formatting a date takes longer than the comparison. */
function timestamp(): string {
  const at = Date.now()
  if (at !== last.at) last = { at, text: isoTime(at) }
  return last.text
}
