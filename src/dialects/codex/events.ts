/** Codex's events: payload → canonical event, and canonical event → payload for hooks written for it. */

import type { HookEvent } from '../../spec/event.ts'
import type { HookInput } from '../../spec/executor.ts'
import type { Hook } from '../../spec/hook.ts'
import { encodeStop, encodeSubagent, stopFields, subagentFields } from '../lib/family-events.ts'
import {
  decoder,
  type EventMap,
  encodeEvent,
  outputText,
  record,
  string,
  type Words,
} from '../lib/payload.ts'
import { patchOf } from './patch.ts'
import { tools } from './tools.ts'

export const ID = 'codex'

export const events: EventMap = {
  SessionStart: { event: 'session_start' },
  SessionEnd: { event: 'session_end', fields: { reason: 'exit_reason' } },
  UserPromptSubmit: { event: 'before_agent' },
  PreModelRequest: { event: 'before_model' },
  PostModelRequest: { event: 'after_model', fields: { token_usage: 'usage' } },
  PreToolUse: { event: 'before_tool', encode: encodeTool },
  PermissionRequest: { event: 'permission_request', encode: encodeTool },
  PostToolUse: {
    event: 'after_tool',
    fields: { tool_response: 'tool_output' },
    encode: (event) => ({ ...encodeTool(event), tool_response: outputText(event.tool_output) }),
  },
  PreCompact: { event: 'pre_compact' },
  PostCompact: { event: 'post_compact' },
  SubagentStart: { event: 'subagent_start', decode: subagentFields, encode: encodeSubagent },
  SubagentStop: {
    event: 'subagent_stop',
    fields: { last_assistant_message: 'result' },
    decode: subagentFields,
    encode: encodeSubagent,
  },
  Stop: { event: 'before_stop', decode: stopFields, encode: encodeStop },
  Interrupt: {},
}

export const words: Words = { id: ID, map: events, tools }

export const decode = decoder(words)

export function encode(event: HookEvent, hook: Hook): HookInput {
  const payload = encodeEvent(words, event, hook.native_event)
  if (payload !== event.native) {
    payload.transcript_path ??= string(event.context?.transcript_path) ?? null
    payload.turn_id ??= string(event.context?.turn_id) ?? ''
    payload.model ??= string(event.context?.model) ?? ''
    payload.permission_mode ??= string(event.context?.permission_mode) ?? 'default'
  }
  return { text: JSON.stringify(payload), value: payload }
}

/** Codex writes and edits files by patches only. */
function encodeTool(event: HookEvent): Record<string, unknown> {
  const patch = patchOf(String(event.tool_name), record(event.tool_input))
  return patch === undefined ? {} : { tool_name: 'apply_patch', tool_input: { command: patch } }
}
