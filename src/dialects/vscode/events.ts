/** The events of VS Code's agent mode: payload → canonical event, and canonical event → payload for hooks written for it. */

import type { HookEvent } from '../../spec/event.ts'
import type { HookInput } from '../../spec/executor.ts'
import type { Hook } from '../../spec/hook.ts'
import { STOP, SUBAGENT_FIELDS } from '../lib/family-events.ts'
import { decoder, type EventMap, encodeEvent, outputText, string, type Words } from '../lib/payload.ts'
import { tools } from './tools.ts'

export const ID = 'vscode'

export const events: EventMap = {
  SessionStart: { event: 'session_start' },
  UserPromptSubmit: { event: 'before_agent' },
  PreToolUse: { event: 'before_tool' },
  PostToolUse: {
    event: 'after_tool',
    fields: { tool_response: 'tool_output' },
    encode: (event) => ({ tool_response: outputText(event.tool_output) }),
  },
  Stop: STOP,
  SubagentStart: { event: 'subagent_start', ...SUBAGENT_FIELDS },
  SubagentStop: { event: 'subagent_stop', ...SUBAGENT_FIELDS },
  PreCompact: { event: 'pre_compact' },
}

const words: Words = { id: ID, map: events, tools, base: { timestamp: 'timestamp' } }

export const decode = decoder(words)

export function encode(event: HookEvent, hook: Hook): HookInput {
  const payload = encodeEvent(words, event, hook.native_event)
  if (payload !== event.native) payload.transcript_path ??= string(event.context?.transcript_path) ?? ''
  return { text: JSON.stringify(payload), value: payload }
}
