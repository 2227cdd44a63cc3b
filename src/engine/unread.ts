/** Tool calls that do not say, or not in a readable way, what they do: whoever must judge them has failed. */

import { eventRow, type HookEvent } from '../spec/event.ts'
import { isObject, kindOf, unreadInput } from '../spec/tool.ts'

/** Inputs of calls of which something was left out because it was of no use, with what it was. */
const lost = new WeakMap<object, string>()

/** The name and the input of a call, whatever was given for them. What no hook gets to see is remembered. */
export function readCall(name: unknown, input: unknown): { name: string; input: Record<string, unknown> } {
  const call = { name: typeof name === 'string' ? name : '', input: isObject(input) ? input : {} }
  if ((name ?? call.name) !== call.name) lost.set(call.input, `a tool name that is ${kindOf(name)}`)
  if ((input ?? call.input) !== call.input) lost.set(call.input, `a tool input that is ${kindOf(input)}`)
  return call
}

/** What was left out of a call. */
export function lostOf({ tool_input }: HookEvent): string | undefined {
  return isObject(tool_input) ? lost.get(tool_input) : undefined
}

/** Why the call cannot be judged by its input; undefined when it can, and when it has already happened. */
export function unreadCall(event: HookEvent): string | undefined {
  const { tool, block } = eventRow(event.event_type)
  if (!tool || block !== 'prevents') return undefined
  const input = isObject(event.tool_input) ? event.tool_input : {}
  // Long texts are read only when a hook asks for them: see fast/large-text.ts.
  const isLater = (field: string) => !!Object.getOwnPropertyDescriptor(input, field)?.get
  return lost.get(input) ?? unreadInput(String(event.tool_name), input, isLater)
}
