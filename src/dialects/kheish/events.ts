/** Canonical event → the invocation that a Kheish hook reads. */

import { canonicalJson, sha256Hex } from '../../fast/digest.ts'
import { eventRow, type HookEvent } from '../../spec/event.ts'
import type { HookInput } from '../../spec/executor.ts'
import type { Hook } from '../../spec/hook.ts'
import { toNativeInput, toNativeTool } from '../../spec/tool.ts'
import { EVENT_NAMES, EVENTS, eventInfo, isEvent, type KheishEvent, TOOLS } from './names.ts'
import { outcomeJsonSchema } from './outcome-schema.ts'

export const CONTRACT_VERSION = 1

/** The argument of callbacks; commands and servers get two more fields. */
export interface Invocation {
  event: KheishEvent
  subject?: string
  session_id?: string
  agent_id?: string
  run_id?: string
  payload?: unknown
}

export function encode(event: HookEvent, hook: Hook): HookInput {
  const invocation = toInvocation(event, hook)
  const wire = toWire(invocation)
  const text = JSON.stringify(wire)
  switch (hook.run.type) {
    case 'http':
      return { text, headers: { 'Idempotency-Key': executionKey(hook.name, invocation) } }
    case 'callback':
      return { text, value: invocation }
    case 'prompt':
    case 'agent':
      return { text, value: { variables: variables(invocation, wire), schema: outcomeJsonSchema } }
    default:
      return { text }
  }
}

export function toInvocation(event: HookEvent, hook: Pick<Hook, 'native_event'>): Invocation {
  const name = nativeEvent(event, hook)
  const payload = 'payload' in event ? event.payload : payloadOf(name, event)
  return {
    event: name,
    ...given('subject', subjectOf(name, event)),
    ...given('session_id', event.session_id),
    ...given('agent_id', event.agent_id ?? event.context?.agent_id),
    ...given('run_id', event.run_id ?? event.context?.run_id),
    ...(payload === undefined || payload === null ? {} : { payload }),
  }
}

export function toWire(invocation: Invocation): Record<string, unknown> {
  return { ...invocation, contract_version: CONTRACT_VERSION, invocation_key: invocationKey(invocation) }
}

/** The same invocation always has the same key. */
export function invocationKey(invocation: Invocation): string {
  return `hook-invocation-${sha256Hex(canonicalJson(invocation)).slice(0, 32)}`
}

/** The same for every attempt of one hook, different for each hook. */
export function executionKey(hookName: string, invocation: Invocation): string {
  const identity = { contract_version: CONTRACT_VERSION, hook_name: hookName, invocation }
  return `hook-execution-${sha256Hex(canonicalJson(identity)).slice(0, 32)}`
}

/** `pre_tool_use` → `PreToolUse`, as templates and headings spell it. */
export function pascalCase(name: string): string {
  return name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/** The tool in Kheish's words. A name that it does not know stays as it was fired. */
export function toolCall(event: HookEvent): { name: string; input: Record<string, unknown> } | undefined {
  const name = event.tool_name
  if (typeof name !== 'string' || name === '') return undefined
  const input = (event.tool_input ?? {}) as Record<string, unknown>
  const native = event.native_tool_name
  return native !== undefined && Object.hasOwn(TOOLS, native)
    ? { name: native, input: toNativeInput(TOOLS, native, input) }
    : toNativeTool(TOOLS, name, input)
}

function nativeEvent(event: HookEvent, hook: Pick<Hook, 'native_event'>): KheishEvent {
  if (hook.native_event !== undefined && isEvent(hook.native_event)) return hook.native_event
  return EVENT_NAMES.find((name) => EVENTS[name].event === event.event_type) ?? 'notification'
}

function subjectOf(name: KheishEvent, event: HookEvent): unknown {
  if (typeof event.subject === 'string') return event.subject
  const row = eventRow(event.event_type)
  if (row.tool) return toolCall(event)?.name
  const value = row.subject === null ? undefined : event[row.subject]
  return value || FALLBACK_SUBJECT[name]?.(event) || eventInfo(name).subject
}

/** Subjects that Kheish takes from elsewhere when the event does not carry its own. */
const FALLBACK_SUBJECT: Partial<Record<KheishEvent, (event: HookEvent) => unknown>> = {
  user_prompt_submit: (event) => event.context?.actor_id,
  instructions_loaded: (event) => event.session_id,
}

/** Payload field ← canonical field, for the events whose payload Kheish spells in its own way. */
const PAYLOADS: Partial<Record<KheishEvent, Readonly<Record<string, string>>>> = {
  setup: same('trigger', 'conversation', 'input', 'generation', 'tool_surface', 'workspace_root_override'),
  session_start: {
    trigger: 'source',
    model: 'model',
    args: 'args',
    ...same('conversation', 'input', 'generation', 'tool_surface', 'workspace_root_override'),
  },
  user_prompt_submit: { input: 'prompt' },
  stop: { status: 'stop_reason', final_message: 'final_message', turns: 'step_count', snapshot: 'snapshot' },
  stop_failure: same('input', 'error', 'error_kind', 'last_assistant_message'),
  file_changed: same('path', 'kind', 'tool_result_call_id'),
  config_change: same('setting', 'source', 'previous', 'current', 'path'),
  worktree_create: { worktree_path: 'path', ...same('parent_agent_id', 'session_id', 'thread_id') },
  instructions_loaded: same(
    'path',
    'load_reason',
    'completion_requirements',
    'tool_definitions',
    'available_skills',
    'active_skills',
    'active_plugins',
    'active_mcp_tools',
    'system_sections',
  ),
}

/** Fields that Kheish always sends with an event, filled in when the agent does not send them. */
const CONSTANTS: Partial<Record<KheishEvent, (event: HookEvent) => Record<string, unknown>>> = {
  setup: () => ({ trigger: 'init' }),
  session_start: () => ({ trigger: 'startup' }),
  user_prompt_submit: (event) => ({ conversation: { session_id: event.session_id } }),
  stop: () => ({ status: 'completed' }),
  stop_failure: () => ({ error_kind: 'runtime_error' }),
  file_changed: () => ({ kind: 'modified' }),
}

function payloadOf(name: KheishEvent, event: HookEvent): Record<string, unknown> | undefined {
  const row = eventRow(event.event_type)
  if (row.tool) return toolPayload(name, event)
  const fields = PAYLOADS[name] ?? same(...Object.keys(row.fields))
  const payload = CONSTANTS[name]?.(event) ?? {}
  for (const [field, from] of Object.entries(fields)) {
    const value = event[from]
    if (value !== undefined && value !== null) payload[field] = value
  }
  return Object.keys(payload).length > 0 ? payload : undefined
}

function toolPayload(name: KheishEvent, event: HookEvent): Record<string, unknown> {
  const id = given('id', event.tool_use_id)
  const call = { ...id, ...(toolCall(event) ?? { input: {} }) }
  const descriptor = event.descriptor === undefined ? {} : { descriptor: event.descriptor }
  switch (name) {
    case 'post_tool_use':
    case 'post_tool_use_failure':
      return { ...descriptor, tool_call: call, tool_result: toolResult(name, event) }
    case 'permission_request':
      return { tool_call: call, ...approvalRequest(event) }
    case 'permission_denied':
      return { tool_call: call, ...given('reason', event.reason) }
    default:
      return { ...descriptor, tool_call: call }
  }
}

function toolResult(name: KheishEvent, event: HookEvent): Record<string, unknown> {
  const failed = name === 'post_tool_use_failure'
  const output = event.tool_output ?? (failed && event.error !== undefined ? { error: event.error } : null)
  return { ...given('call_id', event.tool_use_id), output, is_error: failed }
}

function approvalRequest(event: HookEvent): Record<string, unknown> {
  if (event.approval_request !== undefined) return { approval_request: event.approval_request }
  const { permission_suggestions } = event
  return permission_suggestions === undefined ? {} : { approval_request: { permission_suggestions } }
}

function variables(invocation: Invocation, wire: Record<string, unknown>): Record<string, string> {
  return {
    event: pascalCase(invocation.event),
    subject: invocation.subject ?? '',
    session_id: invocation.session_id ?? '',
    agent_id: invocation.agent_id ?? '',
    run_id: invocation.run_id ?? '',
    payload: JSON.stringify(invocation.payload ?? null),
    invocation_json: JSON.stringify(wire, null, 2),
  }
}

function same(...names: string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, name]))
}

function given<K extends string>(key: K, value: unknown): { [P in K]?: string } {
  return typeof value === 'string' && value !== '' ? ({ [key]: value } as { [P in K]?: string }) : {}
}
