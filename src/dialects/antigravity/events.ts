/** Antigravity's events: payload → canonical event, and canonical event → payload for hooks written for it. */

import type { HookEvent } from '../../spec/event.ts'
import type { HookInput } from '../../spec/executor.ts'
import type { Hook } from '../../spec/hook.ts'
import { toNativeTool } from '../../spec/tool.ts'
import {
  decodeEvent,
  type EventMap,
  type Hint,
  isRecord,
  ownPayload,
  type Payload,
  record,
  string,
  type Words,
} from '../lib/payload.ts'
import { tools } from './tools.ts'

export const ID = 'antigravity'

export const events: EventMap = {
  SessionStart: { event: 'session_start' },
  PreInvocation: { event: 'before_model' },
  PostInvocation: { event: 'after_model' },
  PreToolUse: { event: 'before_tool' },
  PostToolUse: { event: 'after_tool', fields: { toolResult: 'tool_output' } },
  Stop: {
    event: 'before_stop',
    decode: () => ({ stop_reason: 'no_tool_calls', final_message: null }),
  },
}

const words: Words = { id: ID, map: events, tools, base: { session: 'conversationId', call_id: '' } }

/** A payload does not say which event it is: the entry does. */
export function decode(native: unknown, hint: Hint): HookEvent {
  const event = decodeEvent(words, isRecord(native) ? flat(native) : native, hint)
  event.native = native
  return event
}

function flat({ toolCall, workspacePaths, ...payload }: Payload): Payload {
  const { name, args } = record(toolCall)
  const [folder] = Array.isArray(workspacePaths) ? workspacePaths : []
  return {
    ...payload,
    ...(string(folder) === undefined ? {} : { cwd: folder }),
    ...(toolCall === undefined ? {} : { tool_name: name, tool_input: args ?? {} }),
  }
}

export function encode(event: HookEvent, hook: Hook): HookInput {
  const payload = ownPayload(ID, event, hook.native_event) ?? payloadOf(event)
  return { text: JSON.stringify(payload), value: payload }
}

function payloadOf(event: HookEvent): Payload {
  const tool =
    typeof event.tool_name === 'string'
      ? toNativeTool(tools, event.tool_name, record(event.tool_input))
      : undefined
  return {
    conversationId: event.session_id,
    workspacePaths: [event.work_dir],
    ...(tool ? { toolCall: { name: tool.name, args: tool.input } } : {}),
    ...(event.tool_output === undefined ? {} : { toolResult: event.tool_output }),
  }
}
