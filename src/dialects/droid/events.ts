/** Droid's events: payload → canonical event, and canonical event → payload for hooks written for it. */

import type { HookEvent } from '../../spec/event.ts'
import type { HookInput } from '../../spec/executor.ts'
import type { Hook } from '../../spec/hook.ts'
import { STOP, SUBAGENT_FIELDS } from '../lib/family-events.ts'
import { decoder, type EventMap, encodeEvent, outputText, string, type Words } from '../lib/payload.ts'
import { tools } from './tools.ts'

export const ID = 'droid'

export const events: EventMap = {
  SessionStart: { event: 'session_start' },
  SessionEnd: {
    event: 'session_end',
    fields: { reason: 'exit_reason', message_count: 'total_steps' },
  },
  UserPromptSubmit: { event: 'before_agent' },
  PreToolUse: { event: 'before_tool' },
  PostToolUse: {
    event: 'after_tool',
    fields: { tool_response: 'tool_output' },
    encode: (event) => ({ tool_response: outputText(event.tool_output) }),
  },
  Stop: STOP,
  SubagentStop: { event: 'subagent_stop', ...SUBAGENT_FIELDS },
  PreCompact: { event: 'pre_compact' },
  Notification: { event: 'notification' },
}

const words: Words = { id: ID, map: events, tools, base: { call_id: '' } }

export const decode = decoder(words)

export function encode(event: HookEvent, hook: Hook): HookInput {
  const payload = encodeEvent(words, event, hook.native_event)
  if (payload !== event.native) {
    payload.transcript_path ??= string(event.context?.transcript_path) ?? ''
    payload.permission_mode ??= string(event.context?.permission_mode) ?? 'off'
  }
  return {
    text: JSON.stringify(payload),
    value: payload,
    env: {
      FACTORY_PROJECT_DIR: event.work_dir,
      DROID_PROJECT_DIR: event.work_dir,
      CLAUDE_PROJECT_DIR: event.work_dir,
    },
  }
}
