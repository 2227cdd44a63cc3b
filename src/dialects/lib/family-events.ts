/** Fields of events that several agents name alike. Light. */

import type { HookEvent } from '../../spec/event.ts'
import { type NativeEvent, type Payload, plainText, string } from './payload.ts'

/** A stop with the last words of the agent in `last_assistant_message`, if it says them. */
export const STOP: NativeEvent = {
  event: 'before_stop',
  decode(payload: Payload) {
    const text = string(payload.last_assistant_message)
    return {
      stop_reason: string(payload.stop_reason) ?? 'no_tool_calls',
      final_message: text === undefined ? null : { role: 'assistant', content: text },
    }
  },
  encode: (event: HookEvent) => ({
    stop_hook_active: event.context?.stop_hook_active === true,
    ...(event.final_message ? { last_assistant_message: plainText(event.final_message) } : {}),
  }),
}

export const SUBAGENT_FIELDS: Pick<NativeEvent, 'decode' | 'encode'> = {
  decode(payload: Payload) {
    const type = string(payload.agent_type)
    return type === undefined ? {} : { subagent_type: type, subagent_name: type }
  },
  encode: (event: HookEvent) => ({
    agent_id: string(event.context?.subagent_id) ?? '',
    agent_type: string(event.subagent_type) ?? string(event.subagent_name) ?? '',
  }),
}
