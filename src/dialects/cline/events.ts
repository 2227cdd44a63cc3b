/** Cline's events: payload → canonical event, and canonical event → payload for hooks written for it. */

import { eventRow, type HookEvent } from '../../spec/event.ts'
import type { HookInput } from '../../spec/executor.ts'
import type { Hook } from '../../spec/hook.ts'
import {
  decodeEvent,
  type EventMap,
  type Hint,
  isRecord,
  ownPayload,
  type Payload,
  plainText,
  record,
  string,
} from '../lib/payload.ts'
import { toCanonical, toNativeCall } from './tools.ts'

export const ID = 'cline'

export const events: EventMap = {
  TaskStart: { event: 'session_start', decode: () => ({ source: 'startup' }) },
  TaskResume: { event: 'session_start', decode: () => ({ source: 'resume' }) },
  UserPromptSubmit: {
    event: 'before_agent',
    decode: ({ userPromptSubmit }) => ({ prompt: string(record(userPromptSubmit).prompt) ?? '' }),
  },
  PreToolUse: { event: 'before_tool' },
  PostToolUse: { event: 'after_tool', also: ['after_tool_failure'], decode: resultFields },
  TaskComplete: { event: 'before_stop', decode: completeFields },
  TaskError: { event: 'stop_failure', decode: errorFields },
  TaskCancel: { event: 'session_end', decode: () => ({ exit_reason: 'cancel' }) },
  SessionShutdown: { event: 'session_end', decode: () => ({ exit_reason: 'shutdown' }) },
  PreCompact: { event: 'pre_compact' },
}

/** What the payload calls the event → the name of the hook file. */
const HOOK_NAMES: Readonly<Record<string, string>> = {
  agent_start: 'TaskStart',
  agent_resume: 'TaskResume',
  prompt_submit: 'UserPromptSubmit',
  tool_call: 'PreToolUse',
  tool_result: 'PostToolUse',
  agent_end: 'TaskComplete',
  agent_error: 'TaskError',
  agent_abort: 'TaskCancel',
  session_shutdown: 'SessionShutdown',
  pre_compact: 'PreCompact',
}

interface Call {
  name: string
  input: Record<string, unknown>
  id?: string
}

export function decode(native: unknown, hint: Hint): HookEvent {
  const payload = record(native)
  const { workspaceRoots, sessionContext, agent_id, parent_agent_id, hookName, ...rest } = payload
  const said = string(hookName) ?? ''
  const call = callOf(payload)
  const flat: Payload = {
    ...rest,
    hook_event_name: hint.event ?? HOOK_NAMES[said] ?? said,
    session_id: string(record(sessionContext).rootSessionId) ?? string(payload.taskId),
    cwd: Array.isArray(workspaceRoots) ? workspaceRoots[0] : undefined,
    ...(string(parent_agent_id) ? { agent_id, parent_agent_id } : {}),
    ...(call ? { tool_name: call.name, tool_input: call.input, tool_use_id: call.id } : {}),
  }
  const event = decodeEvent({ id: ID, map: events, tools: {} }, flat, hint)
  event.native = native
  if (call && eventRow(event.event_type).tool) {
    const { name, input } = toCanonical(call.name, call.input)
    event.tool_name = name
    event.tool_input = input
  }
  return event
}

/** The call of a tool, wherever the version puts it; parameters of the older place are texts. */
export function callOf(payload: Payload): Call | undefined {
  const call = [payload.tool_call, payload.tool_result].find(isRecord)
  if (call && typeof call.name === 'string') {
    const id = string(call.id)
    return { name: call.name, input: record(call.input), ...(id === undefined ? {} : { id }) }
  }
  const older = [payload.preToolUse, payload.postToolUse].find(isRecord)
  if (older && typeof older.toolName === 'string')
    return { name: older.toolName, input: record(older.parameters) }
  return typeof payload.tool_name === 'string'
    ? { name: payload.tool_name, input: record(payload.tool_input) }
    : undefined
}

export function encode(event: HookEvent, hook: Hook): HookInput {
  const name = hook.native_event ?? event.native_event ?? ''
  const payload = ownPayload(ID, event, name) ?? payloadOf(event, name)
  return { text: JSON.stringify(payload), value: payload }
}

function payloadOf(event: HookEvent, name: string): Payload {
  return {
    clineVersion: '',
    hookName: Object.keys(HOOK_NAMES).find((key) => HOOK_NAMES[key] === name) ?? name,
    timestamp: event.timestamp,
    taskId: event.session_id,
    sessionContext: { rootSessionId: event.session_id },
    workspaceRoots: [event.work_dir],
    workspaceInfo: { rootPath: event.work_dir },
    ...(eventRow(event.event_type).tool ? toolFields(event, name) : {}),
    ...(name === 'UserPromptSubmit' ? { userPromptSubmit: { prompt: plainText(event.prompt) } } : {}),
    ...(name === 'TaskComplete'
      ? { turn: { outputText: plainText(event.final_message), status: 'completed' } }
      : {}),
  }
}

function toolFields(event: HookEvent, name: string): Payload {
  const { name: tool, input } = toNativeCall(String(event.tool_name ?? ''), record(event.tool_input))
  const call = { id: string(event.tool_use_id) ?? '', name: tool, input }
  const parameters = Object.fromEntries(
    Object.entries(input).map(([key, value]) => [
      key,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  )
  if (name === 'PreToolUse') return { tool_call: call, preToolUse: { toolName: tool, parameters } }
  const error = string(event.error)
  return {
    tool_result: { ...call, output: event.tool_output ?? '', ...(error === undefined ? {} : { error }) },
    postToolUse: {
      toolName: tool,
      parameters,
      result: plainText(event.tool_output),
      success: error === undefined,
    },
  }
}

function resultFields(payload: Payload): Record<string, unknown> {
  const result = record(payload.tool_result)
  const older = record(payload.postToolUse)
  const output = result.output ?? older.result
  const duration = result.durationMs ?? older.executionTimeMs
  const error = string(result.error) ?? (older.success === false ? 'The tool failed.' : undefined)
  return {
    tool_output: output,
    ...(typeof duration === 'number' ? { duration_ms: duration } : {}),
    ...(error === undefined ? {} : { event_type: 'after_tool_failure', error }),
  }
}

function completeFields({ turn }: Payload): Record<string, unknown> {
  const text = string(record(turn).outputText)
  return {
    stop_reason: string(record(turn).status) ?? 'completed',
    final_message: text === undefined ? null : { role: 'assistant', content: text },
  }
}

function errorFields(payload: Payload): Record<string, unknown> {
  const error = payload.error
  return { error: string(error) ?? string(record(error).message) ?? 'unknown' }
}
