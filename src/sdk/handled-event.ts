/** An event as a registered function gets it: whole, since the library has filled in what the caller left out. */

import type { EVENTS, EventName, HookEvent } from '../spec/event.ts'
import type { TOOLS } from '../spec/tool.ts'

export type HandledEvent<E extends string> = E extends ToolEvent
  ? HookEvent<E> & { tool_name: string; tool_input: ToolInput; tool_use_id: string }
  : HookEvent<E>

/** Canonical fields that hold text have their type, so that `event.tool_input.command` can be used after a look at the tool's name. */
export type ToolInput = Record<TextField, string> & Record<string, unknown>

type ToolEvent = { [E in EventName]: (typeof EVENTS)[E]['tool'] extends true ? E : never }[EventName]
type Field = (typeof TOOLS)[keyof typeof TOOLS]['fields'][number]
type TextField = Exclude<Field, 'edits' | 'paths' | 'todos'>
