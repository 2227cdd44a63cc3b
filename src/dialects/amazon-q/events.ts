/** Canonical event → what a hook of this format reads; the agent's payload → canonical event. */

import type { HookEvent } from '../../spec/event.ts'
import type { HookInput } from '../../spec/executor.ts'
import type { Hook } from '../../spec/hook.ts'
import { isObject, toCanonicalCall, toNativeCall } from './tools.ts'

export const ID = 'amazon-q'

/** The triggers of agent files; then those of stand-alone hook files. */
export const EVENTS = {
  agentSpawn: 'session_start',
  userPromptSubmit: 'before_agent',
  preToolUse: 'before_tool',
  postToolUse: ['after_tool', 'after_tool_failure'],
  stop: 'before_stop',
  SessionStart: 'session_start',
  UserPromptSubmit: 'before_agent',
  PreToolUse: 'before_tool',
  PostToolUse: ['after_tool', 'after_tool_failure'],
  Stop: 'before_stop',
  PostFileSave: 'file_changed',
  PostTaskExec: 'task_completed',
} as const satisfies Record<string, string | readonly string[]>

export const AGENT_TRIGGERS = ['agentSpawn', 'userPromptSubmit', 'preToolUse', 'postToolUse', 'stop'] as const

/** The limit of the agent itself for this variable: 4096 bytes. */
const MAX_PROMPT_BYTES = 4096

export function encode(event: HookEvent, hook: Hook): HookInput {
  const trigger = hook.native_event ?? triggerOf(event.event_type)
  const payload: Record<string, unknown> = { hook_event_name: trigger, cwd: event.work_dir }
  if (isStandalone(trigger)) payload.session_id = event.session_id
  const prompt = hasPrompt(event) ? event.prompt : undefined
  if (prompt !== undefined) payload.prompt = prompt
  if (typeof event.tool_name === 'string') {
    const call = nativeCall(event, event.tool_name)
    payload.tool_name = call.name
    payload.tool_input = call.input
    const response = toolResponse(event)
    if (response) payload.tool_response = response
  }
  if (event.event_type === 'file_changed') payload.file_path = event.path
  const text = JSON.stringify(payload)
  return prompt === undefined ? { text } : { text, env: { USER_PROMPT: sanitize(prompt) } }
}

export function decode(
  native: unknown,
  hint: { event?: string; env: NodeJS.ProcessEnv; cwd: string },
): HookEvent {
  const payload = isObject(native) ? native : {}
  const name = text(payload.hook_event_name) ?? hint.event ?? 'unknown'
  const response = payload.tool_response
  const failed = isObject(response) && response.success === false
  const eventType = canonicalName(name, failed)
  const event: HookEvent = {
    event_type: eventType,
    timestamp: new Date().toISOString(),
    session_id: text(payload.session_id) ?? '',
    work_dir: text(payload.cwd) ?? hint.cwd,
    context: {},
    agent: ID,
    native_event: triggerOf(eventType),
    native,
  }
  if (typeof payload.prompt === 'string') event.prompt = payload.prompt
  if (typeof payload.tool_name === 'string') {
    const call = toCanonicalCall(payload.tool_name, isObject(payload.tool_input) ? payload.tool_input : {})
    event.native_tool_name = payload.tool_name
    event.tool_name = call.name
    event.tool_input = call.input
  }
  if (response !== undefined && response !== null) {
    event.tool_output = isObject(response) && 'result' in response ? response.result : response
    if (failed) event.error = lines(response.error)
  }
  if (typeof payload.assistant_response === 'string')
    event.final_message = { role: 'assistant', content: payload.assistant_response }
  return event
}

export function triggerOf(eventType: string): string {
  const found = AGENT_TRIGGERS.find((trigger) => ([] as string[]).concat(EVENTS[trigger]).includes(eventType))
  return found ?? eventType.replace(`${ID}/`, '')
}

/** Stand-alone hook files name their triggers with a capital. */
export function isStandalone(trigger: string): boolean {
  return /^[A-Z]/.test(trigger)
}

/** Removes broken characters and control characters. */
export function sanitize(prompt: string): string {
  return cutBytes(prompt, MAX_PROMPT_BYTES).replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g, '')
}

/** The longest beginning within the number of bytes that breaks no character. */
export function cutBytes(value: string, limit: number): string {
  const bytes = Buffer.from(value)
  if (bytes.length <= limit) return value
  let end = limit
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end--
  return bytes.toString('utf8', 0, end)
}

function hasPrompt(event: HookEvent): event is HookEvent & { prompt: string } {
  return (
    (event.event_type === 'before_agent' || event.event_type === 'session_start') &&
    typeof event.prompt === 'string'
  )
}

/** A call from this agent is passed on unchanged, unless another hook has rewritten it. */
function nativeCall(event: HookEvent, name: string): { name: string; input: Record<string, unknown> } {
  const input = isObject(event.tool_input) ? event.tool_input : {}
  const native = event.agent === ID && isObject(event.native) ? event.native : undefined
  if (native && typeof native.tool_name === 'string' && isObject(native.tool_input)) {
    const same =
      JSON.stringify(toCanonicalCall(native.tool_name, native.tool_input)) === JSON.stringify({ name, input })
    return { name: native.tool_name, input: same ? native.tool_input : toNativeCall(name, input).input }
  }
  return toNativeCall(name, input)
}

function toolResponse(event: HookEvent): Record<string, unknown> | undefined {
  const failed = event.event_type === 'after_tool_failure'
  if (!failed && event.event_type !== 'after_tool') return undefined
  const output = event.tool_output ?? event.tool_response
  if (isObject(output) && typeof output.success === 'boolean') return output
  if (!failed) return { success: true, result: list(output) }
  return { success: false, error: list(event.error ?? output) }
}

function list(value: unknown): unknown[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value : [value]
}

function lines(value: unknown): string {
  return list(value)
    .map((item) => (typeof item === 'string' ? item : JSON.stringify(item)))
    .join('\n')
}

function canonicalName(name: string, failed: boolean): string {
  const known = Object.hasOwn(EVENTS, name) ? EVENTS[name as keyof typeof EVENTS] : undefined
  if (known === undefined) return `${ID}/${name}`
  return typeof known === 'string' ? known : known[failed ? 1 : 0]
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
