/** Grok Build's events: payload → canonical event, and canonical event → payload for hooks written for it. */

import type { HookEvent } from '../../spec/event.ts'
import type { HookInput } from '../../spec/executor.ts'
import type { Hook } from '../../spec/hook.ts'
import {
  decodeEvent,
  type EventMap,
  encodeEvent,
  type Hint,
  isRecord,
  outputText,
  type Payload,
  plainText,
  string,
  type Words,
} from '../lib/payload.ts'
import { tools } from './tools.ts'

export const ID = 'grok-build'

/** At the end of a session Grok Build fires Stop once more, when the agent cannot continue. */
const EXIT = `${ID}/stop_at_exit`

export const events: EventMap = {
  SessionStart: { event: 'session_start' },
  SessionEnd: { event: 'session_end', fields: { reason: 'exit_reason' } },
  UserPromptSubmit: { event: 'before_agent' },
  PreToolUse: { event: 'before_tool' },
  PostToolUse: {
    event: 'after_tool',
    decode: (payload) => ({ tool_output: toldOf(payload.tool_response ?? payload.toolResult) }),
    encode: (event) => {
      const result = { type: 'Text', output_for_prompt: outputText(event.tool_output) }
      return { toolResult: result, tool_response: result, toolResultTruncated: false }
    },
  },
  PostToolUseFailure: { event: 'after_tool_failure' },
  PermissionDenied: { event: 'permission_denied' },
  Stop: {
    event: 'before_stop',
    also: [EXIT],
    decode: (payload) => ({
      ...lastWords(payload),
      ...((string(payload.reason) ?? 'end_turn') === 'end_turn' ? {} : { event_type: EXIT }),
    }),
    encode: (event) => ({
      reason: 'end_turn',
      stopHookActive: event.context?.stop_hook_active === true,
      lastAssistantMessage: plainText(event.final_message),
    }),
  },
  StopFailure: { event: 'stop_failure' },
  StopCancelled: {},
  SubagentStart: { event: 'subagent_start', decode: subagent, encode: nativeSubagent },
  SubagentStop: {
    event: 'subagent_stop',
    decode: (payload) => ({ ...subagent(payload), ...result(payload) }),
    encode: nativeSubagent,
  },
  PreCompact: { event: 'pre_compact' },
  PostCompact: { event: 'post_compact' },
  Notification: { event: 'notification', fields: { notificationType: 'notification_type' } },
}

const words: Words = {
  id: ID,
  map: events,
  tools,
  base: { timestamp: 'timestamp' },
  // It names a tool of a server `server__tool`.
  toolName: (name) => (/^[^_].*__/.test(name) ? `mcp__${name}` : name),
  nativeToolName: (name) => name.replace(/^mcp__/, ''),
}

export function decode(native: unknown, hint: Hint): HookEvent {
  const event = decodeEvent(words, isRecord(native) ? inSnakeCase(native) : native, hint)
  event.native = native
  const { subagentType, stopHookActive } = isRecord(native) ? native : ({} as Payload)
  if (typeof subagentType === 'string') event.context.subagent_type = subagentType
  if (stopHookActive === true) event.context.stop_hook_active = true
  return event
}

/** Fields come in two spellings; each is taken once. Some have only one spelling. */
function inSnakeCase(native: Payload): Payload {
  const payload: Payload = { ...native }
  for (const [camel, snake] of BOTH) {
    if (payload[camel] === undefined) continue
    payload[snake] ??= payload[camel]
    delete payload[camel]
  }
  delete payload.hookEventName
  return payload
}

const BOTH = [
  ['sessionId', 'session_id'],
  ['toolName', 'tool_name'],
  ['toolInput', 'tool_input'],
  ['toolUseId', 'tool_use_id'],
  ['permissionMode', 'permission_mode'],
  ['transcriptPath', 'transcript_path'],
  ['durationMs', 'duration_ms'],
  ['workspaceRoot', 'workspace_root'],
  ['promptId', 'prompt_id'],
] as const

/** A canonical event in both spellings, as it sends its own. */
export function encode(event: HookEvent, hook: Hook): HookInput {
  const payload = encodeEvent(words, event, hook.native_event)
  if (payload !== event.native) {
    payload.permission_mode ??= string(event.context?.permission_mode) ?? 'default'
    payload.workspace_root ??= event.work_dir
    for (const [camel, snake] of BOTH) if (payload[snake] !== undefined) payload[camel] ??= payload[snake]
    payload.hookEventName = snakeCase(String(payload.hook_event_name))
  }
  return {
    text: JSON.stringify(payload),
    value: payload,
    env: {
      GROK_HOOK_EVENT: snakeCase(String(payload.hook_event_name)),
      GROK_SESSION_ID: event.session_id,
      GROK_WORKSPACE_ROOT: event.work_dir,
      CLAUDE_PROJECT_DIR: event.work_dir,
    },
  }
}

function snakeCase(name: string): string {
  return name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase()
}

/** The text of a result that the model reads, without the tool's wrapper. */
function toldOf(result: unknown): unknown {
  if (!isRecord(result)) return result
  const inner = Object.values(result).find(isRecord) ?? result
  const told =
    result.output_for_prompt ??
    inner.tool_output_for_prompt ??
    inner.content ??
    result.FileNotFound ??
    result.output
  return typeof told === 'string' ? told : result
}

function lastWords({ lastAssistantMessage }: Payload): Record<string, unknown> {
  const text = string(lastAssistantMessage)
  return {
    stop_reason: 'no_tool_calls',
    final_message: text === undefined ? null : { role: 'assistant', content: text },
  }
}

function subagent({ subagentType }: Payload): Record<string, unknown> {
  const type = string(subagentType)
  return type === undefined ? {} : { subagent_type: type, subagent_name: type }
}

function result({ lastAssistantMessage }: Payload): Record<string, unknown> {
  const text = string(lastAssistantMessage)
  return text === undefined ? {} : { result: text }
}

function nativeSubagent(event: HookEvent): Record<string, unknown> {
  return {
    subagentId: string(event.context?.subagent_id) ?? '',
    subagentType: string(event.subagent_type) ?? string(event.subagent_name) ?? '',
  }
}
