/** Native payloads ↔ canonical events, by a table of the agent's own event names. Light: loaded for each event. */

import { isoTime } from '../../fast/clock.ts'
import { copyField } from '../../fast/large-text.ts'
import type { Dialect } from '../../spec/dialect.ts'
import { eventRow, type HookEvent } from '../../spec/event.ts'
import { parseJson } from '../../spec/json.ts'
import { type ToolTable, toCanonicalTool, toNativeTool } from '../../spec/tool.ts'

export interface NativeEvent {
  /** The canonical event; left out when it has none and travels as `agent/Event`. */
  event?: string
  /** Further canonical events that this native one stands for. */
  also?: readonly string[]
  /** Native field → canonical field, where they differ. */
  fields?: Readonly<Record<string, string>>
  /** Fields that need more than another name, in either direction. */
  decode?(payload: Payload): Record<string, unknown>
  encode?(event: HookEvent): Record<string, unknown>
}

export type EventMap = Readonly<Record<string, NativeEvent>>
export type Payload = Record<string, unknown>
export type Hint = { event?: string; env: NodeJS.ProcessEnv; cwd: string }

export interface Words {
  id: string
  map: EventMap
  tools: ToolTable
  /** Native names of the fields that every payload has, where they are not the usual ones. Hooks are sent a timestamp only when it is named here, and a call id unless it is named ''. */
  base?: Partial<Record<'event' | 'session' | 'cwd' | 'timestamp' | 'call_id', string>>
  /** Tool names that a table cannot hold (MCP servers). */
  toolName?(native: string, payload: Payload): string
  nativeToolName?(canonical: string): string
}

const BASE = {
  event: 'hook_event_name',
  session: 'session_id',
  cwd: 'cwd',
  timestamp: 'timestamp',
  call_id: 'tool_use_id',
} as const

/** Payload fields with another name in `context`. */
const CONTEXT_NAMES: Readonly<Record<string, string>> = {
  agent_id: 'subagent_id',
  agent_type: 'subagent_type',
}

export function decodeEvent(words: Words, native: unknown, hint: Hint): HookEvent {
  const payload = record(native)
  const base = { ...BASE, ...words.base }
  const nativeEvent = nativeName(words.map, string(payload[base.event]), hint.event)
  const known = Object.hasOwn(words.map, nativeEvent) ? words.map[nativeEvent] : undefined
  const event: HookEvent = {
    event_type: known?.event ?? `${words.id}/${nativeEvent}`,
    timestamp: timestampOf(payload[base.timestamp]),
    session_id: string(payload[base.session]) ?? '',
    work_dir: string(payload[base.cwd]) ?? hint.cwd,
    context: {},
    agent: words.id,
    native_event: nativeEvent,
    native,
  }
  const derived = known?.decode?.(payload) ?? {}
  if (typeof derived.event_type === 'string') event.event_type = derived.event_type
  const row = eventRow(event.event_type)
  const isOwn = event.event_type.includes('/')
  const taken = new Set<string>([base.event, base.session, base.cwd, base.timestamp])
  if (row.tool) for (const name of addTool(event, words, payload, base.call_id)) taken.add(name)
  for (const key of Object.keys(payload)) {
    if (taken.has(key)) continue
    const field = known?.fields?.[key] ?? key
    if (isOwn ? !(field in event) : Object.hasOwn(row.fields, field)) copyField(payload, key, event, field)
    else if (isScalar(payload[key])) event.context[CONTEXT_NAMES[key] ?? key] = payload[key]
  }
  return Object.assign(event, derived)
}

/** For an agent whose payloads its tables describe in full. */
export function decoder(words: Words): (native: unknown, hint: Hint) => HookEvent {
  return (native, hint) => decodeEvent(words, native, hint)
}

/** An unknown name does not override the entry that was called. */
function nativeName(map: EventMap, said: string | undefined, called: string | undefined): string {
  if (said === undefined || (called !== undefined && !Object.hasOwn(map, said) && Object.hasOwn(map, called)))
    return called ?? 'unknown'
  return said
}

/** The payload as this agent sent it, for a hook of the agent's own format; undefined for events of other agents. */
export function ownPayload(
  id: string,
  event: HookEvent,
  nativeEvent: string | undefined,
): Payload | undefined {
  return event.agent === id && event.native_event === nativeEvent && isRecord(event.native)
    ? event.native
    : undefined
}

/** A canonical event as the payload that hooks of this format expect. */
export function encodeEvent(words: Words, event: HookEvent, nativeEvent: string | undefined): Payload {
  const name = nativeEvent ?? nativeEventOf(words, event) ?? event.native_event ?? event.event_type
  const own = ownPayload(words.id, event, name)
  if (own) return own
  const known = Object.hasOwn(words.map, name) ? words.map[name] : undefined
  const base = { ...BASE, ...words.base }
  const payload: Payload = {
    [base.session]: event.session_id,
    [base.cwd]: event.work_dir,
    [base.event]: name,
    ...(words.base?.timestamp ? { [base.timestamp]: event.timestamp } : {}),
  }
  const back = new Map(Object.entries(known?.fields ?? {}).map(([native, field]) => [field, native]))
  const row = eventRow(event.event_type)
  for (const field of Object.keys(row.fields)) {
    if (event[field] === undefined || TOOL_FIELDS.has(field)) continue
    payload[back.get(field) ?? field] = event[field]
  }
  if (row.tool && typeof event.tool_name === 'string') {
    const tool = toNativeTool(words.tools, event.tool_name, record(event.tool_input))
    payload.tool_name =
      tool.name === event.tool_name ? (words.nativeToolName?.(tool.name) ?? tool.name) : tool.name
    payload.tool_input = tool.input
    if (base.call_id !== '') payload[base.call_id] = string(event.tool_use_id) ?? ''
  }
  for (const [native, field] of [
    ['agent_id', 'subagent_id'],
    ['agent_type', 'subagent_type'],
  ] as const)
    if (event.context?.[field] !== undefined) payload[native] ??= event.context[field]
  return { ...payload, ...known?.encode?.(event) }
}

const TOOL_FIELDS = new Set(['tool_name', 'tool_input', 'tool_use_id'])

function addTool(event: HookEvent, words: Words, payload: Payload, callId: string): string[] {
  const name = string(payload.tool_name)
  if (name === undefined) return []
  const tool = toCanonicalTool(words.tools, name, inputOf(payload.tool_input), copyField)
  event.native_tool_name = name
  event.tool_name = tool.name === name ? (words.toolName?.(name, payload) ?? name) : tool.name
  event.tool_input = tool.input
  const id = string(payload[callId])
  if (id !== undefined) event.tool_use_id = id
  return ['tool_name', 'tool_input', callId]
}

/** Some versions send the input as JSON in a text. */
function inputOf(value: unknown): Record<string, unknown> {
  if (typeof value !== 'string') return record(value)
  try {
    return record(parseJson(value))
  } catch {
    return {} // not an input at all: the pipeline refuses it
  }
}

/** The agent's own names of its events, and the canonical ones. */
export function eventNames(id: string, map: EventMap): Dialect['events'] {
  return Object.fromEntries(
    Object.entries(map).map(([name, { event, also }]) => {
      const first = event ?? `${id}/${name}`
      return [name, also ? [first, ...also] : first]
    }),
  )
}

/** The native event that stands for a canonical one. */
export function nativeEventOf(words: Pick<Words, 'map' | 'id'>, event: HookEvent): string | undefined {
  const type = event.event_type
  if (event.agent === words.id && event.native_event && Object.hasOwn(words.map, event.native_event))
    return event.native_event
  const names = Object.keys(words.map)
  return (
    names.find((name) => (words.map[name]!.event ?? `${words.id}/${name}`) === type) ??
    names.find((name) => words.map[name]!.also?.includes(type))
  )
}

export function record(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {}
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value when it is a text that says something. */
export function string(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The text of content parts, as models exchange them: a string, `{text}`, or a list of these. */
export function plainText(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(plainText).filter(Boolean).join('\n')
  if (isRecord(value)) return plainText(value.text ?? value.content ?? '')
  return value === undefined || value === null ? '' : String(value)
}

/** The text that a tool gave, whatever the agent wraps it in. */
export function outputText(value: unknown): string {
  if (!isRecord(value)) return plainText(value)
  if (typeof value.stdout === 'string')
    return [value.stdout, value.stderr].filter((part) => typeof part === 'string' && part !== '').join('\n')
  const inner = value.llmContent ?? value.output ?? value.result ?? value.content ?? value.text ?? value.file
  return inner === undefined ? JSON.stringify(value) : plainText(inner)
}

function timestampOf(value: unknown): string {
  return string(value) ?? isoTime(Date.now())
}

function isScalar(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}
