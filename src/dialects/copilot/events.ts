/** Copilot CLI's events: payload → canonical event, and canonical event → payload for hooks written for it. */

import type { HookEvent } from '../../spec/event.ts'
import type { HookInput } from '../../spec/executor.ts'
import type { Hook } from '../../spec/hook.ts'
import {
  decodeEvent,
  type EventMap,
  encodeEvent,
  type Hint,
  isRecord,
  type NativeEvent,
  outputText,
  type Payload,
  record,
  string,
  type Words,
} from '../lib/payload.ts'
import { ownTools, pascalTools, tools } from './tools.ts'

export const ID = 'copilot'

const TOOL_RESULT: NativeEvent = { event: 'after_tool', fields: { tool_result: 'tool_output' } }
const STOP: NativeEvent = {
  event: 'before_stop',
  encode: (event) => ({ stop_hook_active: event.context?.stop_hook_active === true }),
}
const SUBAGENT: NativeEvent = { fields: { agent_name: 'subagent_name' }, decode: subagentFields }
const SUBAGENT_STOP: NativeEvent = {
  ...SUBAGENT,
  event: 'subagent_stop',
  fields: { agent_name: 'subagent_name', last_assistant_message: 'result' },
}

/** Its own event → the name in PascalCase, and what both mean. */
const PAIRS: Readonly<Record<string, readonly [string | undefined, NativeEvent]>> = {
  sessionStart: ['SessionStart', { event: 'session_start' }],
  sessionEnd: ['SessionEnd', { event: 'session_end', fields: { reason: 'exit_reason' } }],
  userPromptSubmitted: ['UserPromptSubmit', { event: 'before_agent' }],
  // Copilot reports the same prompt again, with text that it adds.
  userPromptTransformed: [undefined, {}],
  preToolUse: ['PreToolUse', { event: 'before_tool' }],
  postToolUse: ['PostToolUse', TOOL_RESULT],
  postToolUseFailure: ['PostToolUseFailure', { event: 'after_tool_failure' }],
  permissionRequest: ['PermissionRequest', { event: 'permission_request', decode: permissionFields }],
  agentStop: ['Stop', STOP],
  subagentStart: ['SubagentStart', { ...SUBAGENT, event: 'subagent_start' }],
  subagentStop: ['SubagentStop', SUBAGENT_STOP],
  preCompact: ['PreCompact', { event: 'pre_compact' }],
  notification: ['Notification', { event: 'notification' }],
  errorOccurred: ['ErrorOccurred', { event: 'stop_failure', decode: errorFields }],
}

export const PASCAL_NAMES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(PAIRS).flatMap(([camel, [pascal]]) => (pascal ? [[camel, pascal]] : [])),
)

export const events: EventMap = Object.fromEntries(
  Object.entries(PAIRS).flatMap(([camel, [pascal, row]]) => [
    [camel, row],
    ...(pascal ? [[pascal, row] as const] : []),
  ]),
)

const words: Words = { id: ID, map: events, tools, base: { timestamp: 'timestamp', call_id: '' } }

export function isPascal(event: string): boolean {
  return /^[A-Z]/.test(event)
}

export function decode(native: unknown, hint: Hint): HookEvent {
  const { hook_event_name, hook_name: _, ...payload } = snakeCase(record(native))
  const name = hint.event ?? string(hook_event_name)
  const event = decodeEvent(words, payload, { ...hint, ...(name === undefined ? {} : { event: name }) })
  event.native = native
  return event
}

/** What the agent sent as the tool's input. */
export function nativeInput(event: HookEvent): unknown {
  const native = record(event.native)
  return native.toolArgs ?? native.toolInput ?? native.tool_input
}

export function encode(event: HookEvent, hook: Hook): HookInput {
  const name = hook.native_event ?? event.native_event ?? ''
  const own = isPascal(name) ? pascalTools : ownTools
  const made = encodeEvent({ ...words, tools: own }, event, name)
  const payload = made === event.native ? made : isPascal(name) ? made : camelCase(made)
  return {
    text: JSON.stringify(payload),
    value: payload,
    env: {
      COPILOT_CLI: '1',
      COPILOT_PROJECT_DIR: event.work_dir,
      CLAUDE_PROJECT_DIR: event.work_dir,
    },
  }
}

/** Both spellings of a payload as one: `sessionId` and `session_id`, `toolArgs` and `tool_input`. */
function snakeCase(payload: Payload): Payload {
  const out: Payload = {}
  for (const [key, value] of Object.entries(payload)) {
    const snake = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    out[snake === 'tool_args' ? 'tool_input' : snake] = value
  }
  if (typeof out.timestamp === 'number') out.timestamp = new Date(out.timestamp).toISOString()
  return out
}

function camelCase(payload: Payload): Payload {
  const out: Payload = {}
  for (const [key, value] of Object.entries(payload)) {
    if (key === 'hook_event_name') continue
    const camel = key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
    out[camel === 'toolInput' ? 'toolArgs' : camel] = value
  }
  out.timestamp = Date.parse(String(payload.timestamp)) || Date.now()
  if ('toolResult' in out && !isRecord(out.toolResult))
    out.toolResult = { resultType: 'success', textResultForLlm: outputText(out.toolResult) }
  return out
}

function subagentFields(payload: Payload): Record<string, unknown> {
  const type = string(payload.agent_type) ?? string(payload.agent_name)
  return type === undefined ? {} : { subagent_type: type }
}

/** A file that is made arrives as an `edit` with a diff. */
function permissionFields(payload: Payload): Record<string, unknown> {
  const { file_path, diff, ...rest } = record(payload.tool_input)
  if (file_path === undefined) return {}
  return { tool_input: { ...rest, path: file_path, ...(diff === undefined ? {} : { patch: diff }) } }
}

function errorFields(payload: Payload): Record<string, unknown> {
  const { error } = payload
  return isRecord(error) ? { error: string(error.message) ?? JSON.stringify(error) } : {}
}
