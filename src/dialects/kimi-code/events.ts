/** Kimi Code's events: payload → canonical event, and canonical event → payload for hooks written for it. */

import type { HookEvent } from '../../spec/event.ts'
import type { HookInput } from '../../spec/executor.ts'
import type { Hook } from '../../spec/hook.ts'
import {
  decoder,
  type EventMap,
  encodeEvent,
  isRecord,
  outputText,
  type Payload,
  plainText,
  string,
  type Words,
} from '../lib/payload.ts'
import { tools } from './tools.ts'

export const ID = 'kimi-code'

export const events: EventMap = {
  PreToolUse: { event: 'before_tool' },
  PostToolUse: { event: 'after_tool', encode: (event) => ({ tool_output: outputText(event.tool_output) }) },
  PostToolUseFailure: {
    event: 'after_tool_failure',
    decode: ({ error }) => ({ error: isRecord(error) ? plainText(error.message) : plainText(error) }),
    encode: (event) => ({ error: { code: 'internal', message: plainText(event.error), retryable: false } }),
  },
  PermissionRequest: { event: 'permission_request' },
  PermissionResult: {
    event: 'permission_granted',
    also: ['permission_denied'],
    decode: ({ decision }) => (decision === 'approved' ? {} : { event_type: 'permission_denied' }),
    encode: (event) => ({ decision: event.event_type === 'permission_denied' ? 'rejected' : 'approved' }),
  },
  UserPromptSubmit: {
    event: 'before_agent',
    decode: ({ prompt }) => ({ prompt: plainText(prompt) }),
    encode: (event) => ({ prompt: [{ type: 'text', text: plainText(event.prompt) }], is_steer: false }),
  },
  UserPromptQueued: {},
  TurnStarted: {},
  Stop: {
    event: 'before_stop',
    decode: () => ({ stop_reason: 'no_tool_calls' }),
    encode: () => ({ stop_hook_active: false }),
  },
  StopFailure: { event: 'stop_failure', fields: { error_type: 'error' } },
  Interrupt: {},
  SessionStart: { event: 'session_start' },
  SessionEnd: { event: 'session_end', fields: { reason: 'exit_reason' } },
  SessionHeartbeat: {},
  SubagentStart: {
    event: 'subagent_start',
    fields: { prompt: 'task_description' },
    decode: subagentFields,
    encode: encodeSubagent,
  },
  SubagentStop: {
    event: 'subagent_stop',
    fields: { response: 'result' },
    decode: subagentFields,
    encode: encodeSubagent,
  },
  TaskStarted: {},
  PreCompact: { event: 'pre_compact' },
  PostCompact: { event: 'post_compact' },
  Notification: { event: 'notification', fields: { body: 'message' } },
}

export const words: Words = { id: ID, map: events, tools, base: { call_id: 'tool_call_id' } }

export const decode = decoder(words)

export function encode(event: HookEvent, hook: Hook): HookInput {
  const payload = encodeEvent(words, event, hook.native_event)
  if (payload !== event.native) payload.client_type ??= 'kimi_code_cli'
  return { text: JSON.stringify(payload), value: payload }
}

function subagentFields(payload: Payload): Record<string, unknown> {
  const name = string(payload.agent_name)
  return name === undefined ? {} : { subagent_name: name, subagent_type: name }
}

function encodeSubagent(event: HookEvent): Record<string, unknown> {
  return { agent_name: string(event.subagent_name) ?? string(event.subagent_type) ?? '' }
}
