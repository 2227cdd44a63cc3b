/** Goose's events: payload → canonical event, and canonical event → payload for hooks written for it. */

import type { HookEvent } from '../../spec/event.ts'
import type { HookInput } from '../../spec/executor.ts'
import type { Hook } from '../../spec/hook.ts'
import { STOP } from '../lib/family-events.ts'
import { decoder, type EventMap, encodeEvent, string, type Words } from '../lib/payload.ts'
import { canonicalName, tools } from './tools.ts'

export const ID = 'goose'

export const events: EventMap = {
  SessionStart: { event: 'session_start' },
  SessionEnd: { event: 'session_end' },
  UserPromptSubmit: { event: 'before_agent' },
  PreToolUse: { event: 'before_tool' },
  PostToolUse: { event: 'after_tool', fields: { tool_response: 'tool_output' } },
  PostToolUseFailure: { event: 'after_tool_failure' },
  Stop: STOP,
  // Left out: these repeat events that are already covered.
  PreToolUseResult: {},
  BeforeShellExecution: {},
  AfterShellExecution: {},
  BeforeReadFile: {},
  AfterFileEdit: { event: 'file_changed', fields: { file_path: 'path' }, decode: () => ({ kind: 'change' }) },
}

const words: Words = {
  id: ID,
  map: events,
  tools,
  base: { event: 'event', cwd: 'working_dir', call_id: 'tool_call_id' },
  toolName: canonicalName,
  nativeToolName: (canonical) => canonical.replace(/^mcp__/, ''),
}

export const decode = decoder(words)

export function encode(event: HookEvent, hook: Hook): HookInput {
  const payload = encodeEvent(words, event, hook.native_event)
  if (payload !== event.native) payload.matcher_context ??= string(payload.tool_name) ?? ''
  return {
    text: JSON.stringify(payload),
    value: payload,
    env: { PLUGIN_ROOT: hook.origin.dir ?? event.work_dir },
  }
}
