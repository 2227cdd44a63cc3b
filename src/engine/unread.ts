/** Tool calls that do not say, or not in a readable way, what they do: whoever must judge them has failed. */

import { eventRow, type HookEvent } from '../spec/event.ts'
import { isObject, unreadInput } from '../spec/tool.ts'

/** Inputs of calls of which something was left out because it was of no use. */
const lost = new WeakSet<object>()

/** Gives the event a name and an input of a tool, whatever it had. What no hook gets to see is remembered. */
export function readCall(event: HookEvent): void {
  const { tool_name: name, tool_input: given } = event
  const input = isObject(given) ? given : {}
  event.tool_input = input
  event.tool_name = typeof name === 'string' ? name : ''
  if ((name ?? '') !== event.tool_name || (given ?? input) !== input) lost.add(input)
}

/** Was something left out? */
export function isLost({ tool_input }: HookEvent): boolean {
  return isObject(tool_input) && lost.has(tool_input)
}

export const LOST = 'no readable tool name or input'

/** Why the call cannot be judged by its input; undefined when it can, and when it has already happened. */
export function unreadCall(event: HookEvent): string | undefined {
  if (eventRow(event.event_type).block !== 'prevents') return undefined
  const input = (event.tool_input ?? {}) as Record<string, unknown>
  // Long texts are read only when a hook asks for them: see fast/large-text.ts.
  const isLater = (field: string) => !!Object.getOwnPropertyDescriptor(input, field)?.get
  return lost.has(input) ? LOST : unreadInput(String(event.tool_name), input, isLater)
}
