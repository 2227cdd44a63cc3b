/** Qwen Code's events: payload → canonical event, and canonical event → payload for hooks written for it. */

import type { HookEvent } from '../../spec/event.ts'
import type { HookInput } from '../../spec/executor.ts'
import type { Hook } from '../../spec/hook.ts'
import { encodeStop, encodeSubagent, stopFields, subagentFields } from '../lib/family-events.ts'
import { verdictInput } from '../lib/model-verdict.ts'
import {
  decoder,
  type EventMap,
  encodeEvent,
  isRecord,
  outputText,
  string,
  type Words,
} from '../lib/payload.ts'
import { tools } from './tools.ts'

export const ID = 'qwen-code'

/** It fires again, with an empty prompt, before the results of tools are sent: no prompt of anybody. */
const TOOL_RESULTS = `${ID}/UserPromptSubmit`

const TODO = { todo_id: 'task_id', todo_content: 'task_subject' } as const

export const events: EventMap = {
  SessionStart: { event: 'session_start' },
  SessionEnd: { event: 'session_end', fields: { reason: 'exit_reason' } },
  SessionDelete: {},
  InstructionsLoaded: { event: 'instructions_loaded', fields: { file_path: 'path' } },
  Notification: { event: 'notification' },
  UserPromptSubmit: {
    event: 'before_agent',
    also: [TOOL_RESULTS],
    decode: ({ prompt }) => (prompt === '' ? { event_type: TOOL_RESULTS } : {}),
  },
  UserPromptExpansion: {},
  PreToolUse: { event: 'before_tool' },
  PostToolUse: {
    event: 'after_tool',
    fields: { tool_response: 'tool_output' },
    encode: (event) => ({ tool_response: toolResponse(event) }),
  },
  PostToolUseFailure: { event: 'after_tool_failure' },
  PostToolBatch: {},
  MessageDisplay: {},
  PermissionRequest: { event: 'permission_request' },
  PermissionDenied: { event: 'permission_denied' },
  Stop: { event: 'before_stop', decode: stopFields, encode: encodeStop },
  StopFailure: { event: 'stop_failure' },
  SubagentStart: { event: 'subagent_start', decode: subagentFields, encode: encodeSubagent },
  SubagentStop: {
    event: 'subagent_stop',
    fields: { last_assistant_message: 'result' },
    decode: subagentFields,
    encode: encodeSubagent,
  },
  PreCompact: { event: 'pre_compact' },
  PostCompact: { event: 'post_compact', fields: { compact_summary: 'summary' } },
  TodoCreated: { event: 'task_created', fields: TODO },
  TodoCompleted: { event: 'task_completed', fields: TODO },
}

export const words: Words = { id: ID, map: events, tools, base: { timestamp: 'timestamp' } }

export const decode = decoder(words)

export function encode(event: HookEvent, hook: Hook): HookInput {
  const payload = encodeEvent(words, event, hook.native_event)
  if (payload !== event.native) {
    payload.transcript_path ??= string(event.context?.transcript_path) ?? ''
    payload.permission_mode ??= string(event.context?.permission_mode) ?? 'default'
  }
  return {
    text: JSON.stringify(payload),
    value: payload,
    ...verdictInput(hook.run),
    env: {
      QWEN_PROJECT_DIR: event.work_dir,
      CLAUDE_PROJECT_DIR: event.work_dir,
      GEMINI_PROJECT_DIR: event.work_dir,
      QWEN_CODE_SESSION_ID: event.session_id,
    },
  }
}

function toolResponse(event: HookEvent): unknown {
  const output = event.tool_output
  if (isRecord(output) && 'llmContent' in output) return output
  const text = outputText(output)
  return { llmContent: text, returnDisplay: text }
}
