/** A canonical event as a script of this format reads it on stdin. */

import { isoTime } from '../../fast/clock.ts'
import { eventRow, type HookEvent } from '../../spec/event.ts'
import type { HookInput } from '../../spec/executor.ts'
import type { Hook } from '../../spec/hook.ts'

/** Names that a later version of the format uses; a script written for it reads them in `event_type` too. */
export const LATER_NAMES: Readonly<Record<string, string>> = {
  'pre-session': 'session_start',
  'post-session': 'session_end',
  'pre-agent-turn': 'before_agent',
  'post-agent-turn': 'after_agent',
  'pre-agent-turn-stop': 'before_stop',
  'post-agent-turn-stop': 'after_agent',
  'pre-tool-call': 'before_tool',
  'post-tool-call': 'after_tool',
  'post-tool-call-failure': 'after_tool_failure',
  'pre-subagent': 'subagent_start',
  'post-subagent': 'subagent_stop',
  'pre-context-compact': 'pre_compact',
  'post-context-compact': 'post_compact',
}

/** Fields that come last, so that a script that greps for the first `"command": ` finds the tool's own. */
const LAST = ['context', 'data', 'agent', 'native_event', 'native_tool_name', 'native'] as const

export function encode(event: HookEvent, hook: Hook): HookInput {
  const row = eventRow(event.event_type)
  const out: Record<string, unknown> = {
    event_type: hook.native_event ?? event.event_type,
    timestamp: event.timestamp ?? isoTime(Date.now()),
    session_id: event.session_id ?? '',
    work_dir: event.work_dir ?? '',
  }
  if (row.tool) {
    out.tool_name = event.tool_name ?? ''
    out.tool_input = event.tool_input ?? {}
    out.tool_use_id = event.tool_use_id ?? ''
  }
  for (const [field, type] of Object.entries(row.fields)) if (type === 'object?') out[field] = null
  for (const [field, value] of Object.entries(event))
    if (value !== undefined && !isBase(field)) out[field] = value ?? out[field] ?? null
  for (const field of LAST) if (event[field] !== undefined) out[field] = event[field]
  out.context ??= {}
  return { text: `${spacedJson(out)}\n`, value: event }
}

const BASE = new Set<string>(['event_type', 'timestamp', 'session_id', 'work_dir', ...LAST])

function isBase(field: string): boolean {
  return BASE.has(field)
}

interface Frame {
  container: object
  keys: readonly string[] | null
  values: readonly unknown[]
  next: number
  written: number
}

/**
 * JSON on one line with `": "` and `", "`: the specification's sample scripts grep for `"command": "`. Without recursion, so that no depth of nesting can end the stack; a value that
 * contains itself is null there.
 */
export function spacedJson(root: unknown): string {
  const stack: Frame[] = []
  const ancestors = new Set<object>()
  let out = ''

  const write = (value: unknown): void => {
    const plain = scalar(value)
    if (plain !== undefined) {
      out += plain
      return
    }
    const container = value as object
    if (ancestors.has(container)) {
      out += 'null'
      return
    }
    ancestors.add(container)
    const isList = Array.isArray(container)
    out += isList ? '[' : '{'
    const keys = isList ? null : Object.keys(container)
    stack.push({
      container,
      keys,
      values: isList ? container : Object.values(container),
      next: 0,
      written: 0,
    })
  }

  write(root)
  for (;;) {
    const frame = stack.at(-1)
    if (!frame) return out
    if (frame.next === frame.values.length) {
      out += frame.keys ? '}' : ']'
      ancestors.delete(frame.container)
      stack.pop()
      continue
    }
    const index = frame.next++
    const value = plainValue(frame.values[index])
    if (frame.keys && value === undefined) continue
    if (frame.written++ > 0) out += ', '
    if (frame.keys) out += `${JSON.stringify(frame.keys[index])}: `
    write(value ?? null)
  }
}

/** The JSON of anything but a list or an object. */
function scalar(value: unknown): string | undefined {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : 'null'
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  if (typeof value === 'bigint') return String(value)
  return typeof value === 'object' && value !== null ? undefined : 'null'
}

/** Undefined for values that JSON leaves out; `toJSON` of dates and the like is used. */
function plainValue(value: unknown): unknown {
  if (typeof value === 'function' || typeof value === 'symbol') return undefined
  if (typeof value === 'object' && value !== null && 'toJSON' in value && typeof value.toJSON === 'function')
    return value.toJSON()
  return value
}
