/** Cursor's events: payload → canonical event, and canonical event → payload for hooks written for it. */

import type { HookEvent } from '../../spec/event.ts'
import type { HookInput } from '../../spec/executor.ts'
import type { Hook } from '../../spec/hook.ts'
import { parseJson } from '../../spec/json.ts'
import {
  decodeEvent,
  type EventMap,
  encodeEvent,
  type Hint,
  isRecord,
  type Payload,
  plainText,
  record,
  string,
  type Words,
} from '../lib/payload.ts'
import { tools } from './tools.ts'

export const ID = 'cursor'

export const events: EventMap = {
  sessionStart: { event: 'session_start' },
  sessionEnd: { event: 'session_end', fields: { reason: 'exit_reason' } },
  beforeSubmitPrompt: { event: 'before_agent' },
  preToolUse: { event: 'before_tool' },
  postToolUse: { event: 'after_tool', decode: outputFields, encode: encodeOutput },
  postToolUseFailure: {
    event: 'after_tool_failure',
    fields: { error_message: 'error' },
    decode: outputFields,
  },
  beforeShellExecution: { event: 'before_tool', encode: encodeShell },
  afterShellExecution: { event: 'after_tool', decode: outputFields, encode: encodeShellOutput },
  beforeMCPExecution: { event: 'before_tool' },
  afterMCPExecution: { event: 'after_tool', decode: outputFields, encode: encodeOutput },
  beforeReadFile: { event: 'before_tool', encode: encodePath },
  afterFileEdit: {
    event: 'file_changed',
    fields: { file_path: 'path' },
    decode: () => ({ kind: 'change' }),
  },
  subagentStart: { event: 'subagent_start', fields: { task: 'task_description' } },
  subagentStop: { event: 'subagent_stop', fields: { task: 'task_description', summary: 'result' } },
  stop: { event: 'before_stop', fields: { status: 'stop_reason' } },
  preCompact: { event: 'pre_compact', fields: { context_tokens: 'token_count' } },
  afterAgentResponse: { event: 'after_agent', fields: { text: 'response' } },
  afterAgentThought: {},
  beforeTabFileRead: {},
  afterTabFileEdit: {},
  workspaceOpen: {},
}

/** The tool of events that do not name it. */
const IMPLIED: Readonly<Record<string, string>> = {
  beforeShellExecution: 'Shell',
  afterShellExecution: 'Shell',
  beforeReadFile: 'Read',
}

const words: Words = { id: ID, map: events, tools, base: { session: 'conversation_id' } }

export function decode(native: unknown, hint: Hint): HookEvent {
  const payload = record(native)
  const name = string(payload.hook_event_name) ?? hint.event ?? ''
  const implied = IMPLIED[name]
  const flat: Payload = {
    ...payload,
    conversation_id: payload.conversation_id ?? payload.session_id,
    cwd:
      string(payload.cwd) ??
      (Array.isArray(payload.workspace_roots) ? payload.workspace_roots[0] : undefined),
    ...(implied && payload.tool_name === undefined
      ? { tool_name: implied, tool_input: impliedInput(payload) }
      : { tool_input: parsed(payload.tool_input) }),
  }
  const event = decodeEvent(words, flat, hint)
  event.native = native
  return event
}

export function encode(event: HookEvent, hook: Hook): HookInput {
  const payload = encodeEvent(words, event, hook.native_event)
  if (payload !== event.native) {
    payload.session_id ??= event.session_id
    payload.workspace_roots ??= [event.work_dir]
    payload.generation_id ??= ''
  }
  return {
    text: JSON.stringify(payload),
    value: payload,
    env: { CURSOR_PROJECT_DIR: event.work_dir, CLAUDE_PROJECT_DIR: event.work_dir },
  }
}

function impliedInput({ command, file_path }: Payload): Record<string, unknown> {
  return { ...(command === undefined ? {} : { command }), ...(file_path === undefined ? {} : { file_path }) }
}

/** Inputs and outputs come as JSON texts in some events. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return parseJson(value)
  } catch {
    // Not JSON: the text itself is the value.
    return value
  }
}

function outputFields(payload: Payload): Record<string, unknown> {
  const output = parsed(payload.tool_output ?? payload.result_json ?? payload.output)
  return {
    ...(output === undefined ? {} : { tool_output: output }),
    ...(typeof payload.duration === 'number' ? { duration_ms: payload.duration } : {}),
  }
}

function encodeOutput(event: HookEvent): Record<string, unknown> {
  const output = event.tool_output ?? ''
  return { tool_output: isRecord(output) ? JSON.stringify(output) : plainText(output) }
}

function encodeShell(event: HookEvent): Record<string, unknown> {
  return { command: string(record(event.tool_input).command) ?? '' }
}

function encodeShellOutput(event: HookEvent): Record<string, unknown> {
  return { ...encodeShell(event), output: plainText(event.tool_output) }
}

function encodePath(event: HookEvent): Record<string, unknown> {
  return { file_path: string(record(event.tool_input).path) ?? '' }
}
