/** Hermes Agent's events: payload → canonical event, and canonical event → payload for hooks written for it. */

import type { HookEvent } from '../../spec/event.ts'
import type { HookInput } from '../../spec/executor.ts'
import type { Hook } from '../../spec/hook.ts'
import { toNativeTool } from '../../spec/tool.ts'
import {
  decodeEvent,
  type EventMap,
  type Hint,
  isRecord,
  nativeEventOf,
  type Payload,
  plainText,
  record,
  string,
  type Words,
} from '../lib/payload.ts'
import { tools } from './tools.ts'

export const ID = 'hermes'

export const events: EventMap = {
  on_session_start: { event: 'session_start' },
  on_session_finalize: { event: 'session_end', fields: { reason: 'exit_reason' } },
  pre_llm_call: { event: 'before_agent', fields: { user_message: 'prompt' } },
  post_llm_call: { event: 'after_agent', fields: { assistant_response: 'response' } },
  pre_tool_call: { event: 'before_tool' },
  post_tool_call: {
    event: 'after_tool',
    also: ['after_tool_failure'],
    fields: { result: 'tool_output' },
    decode: ({ status, error_message }) =>
      status === 'error' ? { event_type: 'after_tool_failure', error: string(error_message) ?? '' } : {},
  },
  pre_verify: {
    event: 'before_stop',
    decode: ({ final_response }) => ({
      stop_reason: 'no_tool_calls',
      final_message: string(final_response) ? { role: 'assistant', content: final_response } : null,
    }),
    encode: (event) => ({ final_response: plainText(event.final_message), attempt: 0, changed_paths: [] }),
  },
  subagent_start: { event: 'subagent_start', decode: subagent, encode: child },
  subagent_stop: {
    event: 'subagent_stop',
    decode: (extra) => ({
      ...subagent(extra),
      ...(string(extra.child_summary) ? { result: extra.child_summary } : {}),
    }),
    encode: child,
  },
  on_session_end: {},
  on_session_reset: {},
  pre_api_request: { event: 'before_model', fields: { user_message: 'prompt' } },
  post_api_request: { event: 'after_model' },
}

const words: Words = { id: ID, map: events, tools }

/** Fields that only one event has are in `extra`. */
export function decode(native: unknown, hint: Hint): HookEvent {
  const event = decodeEvent(words, isRecord(native) ? flat(native) : native, hint)
  event.native = native
  if (typeof event.context.platform === 'string' && event.context.platform === 'subagent')
    event.context.subagent_type = 'subagent'
  return event
}

function flat({ extra, ...payload }: Payload): Payload {
  const { tool_call_id, ...more } = record(extra)
  return { ...more, ...payload, ...(tool_call_id === undefined ? {} : { tool_use_id: tool_call_id }) }
}

export function encode(event: HookEvent, hook: Hook): HookInput {
  const payload = payloadOf(event, hook.native_event)
  return { text: JSON.stringify(payload), value: payload, env: { HERMES_SESSION_ID: event.session_id } }
}

function payloadOf(event: HookEvent, hookEvent: string | undefined): unknown {
  const name = hookEvent ?? nativeEventOf(words, event) ?? event.native_event ?? event.event_type
  if (event.agent === ID && event.native_event === name && isRecord(event.native)) return event.native
  const known = Object.hasOwn(events, name) ? events[name] : undefined
  const tool =
    typeof event.tool_name === 'string'
      ? toNativeTool(tools, event.tool_name, record(event.tool_input))
      : undefined
  const extra: Payload = { ...(tool ? { tool_call_id: string(event.tool_use_id) ?? '' } : {}) }
  for (const [native, field] of Object.entries(known?.fields ?? {}))
    if (event[field] !== undefined)
      extra[native] = native === 'result' ? plainText(event[field]) : event[field]
  return {
    hook_event_name: name,
    tool_name: tool?.name ?? null,
    tool_input: tool?.input ?? null,
    session_id: event.session_id,
    cwd: event.work_dir,
    extra: { ...extra, ...known?.encode?.(event) },
  }
}

function subagent({ child_role, child_goal, child_session_id }: Payload): Record<string, unknown> {
  return {
    subagent_type: string(child_role) ?? 'subagent',
    subagent_name: string(child_session_id) ?? '',
    ...(string(child_goal) ? { task_description: child_goal } : {}),
  }
}

function child(event: HookEvent): Record<string, unknown> {
  return { child_role: string(event.subagent_type) ?? '', child_summary: plainText(event.result ?? '') }
}
