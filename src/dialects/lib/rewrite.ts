/** A rewritten canonical input as the whole native one: what the agent sent, with the rewritten fields in it. */

import type { HookEvent } from '../../spec/event.ts'
import { type ToolTable, toCanonicalTool, toNativeInput, toNativeTool } from '../../spec/tool.ts'
import { record } from './payload.ts'

export function wholeNativeInput(
  tools: ToolTable,
  event: HookEvent,
  updated: Record<string, unknown>,
  original: unknown = record(event.native).tool_input,
): Record<string, unknown> {
  const name = event.native_tool_name ?? ''
  return { ...record(original), ...toNativeInput(tools, name, updated) }
}

/** An input that a hook of this format rewrote, in canonical fields. */
export function canonicalInput(
  tools: ToolTable,
  event: HookEvent,
  input: Record<string, unknown>,
): Record<string, unknown> {
  const canonical = typeof event.tool_name === 'string' ? event.tool_name : ''
  const native = event.native_tool_name ?? ''
  const name =
    Object.hasOwn(tools, native) && tools[native]!.name === canonical
      ? native
      : toNativeTool(tools, canonical, {}).name
  return toCanonicalTool(tools, name, input).input
}
