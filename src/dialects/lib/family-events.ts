/** Fields of events that several agents name alike. Light. */

import type { HookEvent } from '../../spec/event.ts'
import { type NativeEvent, type Payload, plainText, string } from './payload.ts'

/** A stop with the last words of the agent in `last_assistant_message`, if it says them. */
export const STOP: NativeEvent = {
  event: 'before_stop',
  decode: stopFields,
  encode: (event: HookEvent) => ({
    stop_hook_active: event.context?.stop_hook_active === true,
    ...(event.final_message ? { last_assistant_message: plainText(event.final_message) } : {}),
  }),
}

export const SUBAGENT_FIELDS: Pick<NativeEvent, 'decode' | 'encode'> = {
  decode: subagentFields,
  encode: encodeSubagent,
}

export function stopFields(payload: Payload): Record<string, unknown> {
  const text = string(payload.last_assistant_message)
  return {
    stop_reason: string(payload.stop_reason) ?? 'no_tool_calls',
    final_message: text === undefined ? null : { role: 'assistant', content: text },
  }
}

/** For agents that always tell the last words. */
export function encodeStop(event: HookEvent): Record<string, unknown> {
  return {
    stop_hook_active: event.context?.stop_hook_active === true,
    last_assistant_message: plainText(event.final_message),
  }
}

export function subagentFields(payload: Payload): Record<string, unknown> {
  const type = string(payload.agent_type)
  return type === undefined ? {} : { subagent_type: type, subagent_name: type }
}

export function encodeSubagent(event: HookEvent): Record<string, unknown> {
  return {
    agent_id: string(event.context?.subagent_id) ?? '',
    agent_type: string(event.subagent_type) ?? string(event.subagent_name) ?? '',
  }
}
