/** A canonical event as a script of this format reads it on stdin. */

import { eventRow, type HookEvent } from '../../spec/event.ts'
import type { HookInput } from '../../spec/executor.ts'
import { spacedJson } from './json.ts'

/** Fields that come last, so that a script that greps for the first `"command": ` finds the tool's own. */
const LAST = ['context', 'data', 'agent', 'native_event', 'native_tool_name', 'native'] as const

export function encode(event: HookEvent): HookInput {
  const row = eventRow(event.event_type)
  const out: Record<string, unknown> = {
    event_type: event.event_type,
    timestamp: event.timestamp ?? new Date().toISOString(),
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
