/** Crush's one event: payload → canonical event, and canonical event → payload for hooks written for it. */

import type { HookEvent } from '../../spec/event.ts'
import type { HookInput } from '../../spec/executor.ts'
import type { Hook } from '../../spec/hook.ts'
import { decoder, type EventMap, encodeEvent, record, string, type Words } from '../lib/payload.ts'
import { tools } from './tools.ts'

export const ID = 'crush'

export const events: EventMap = { PreToolUse: { event: 'before_tool' } }

const words: Words = { id: ID, map: events, tools, base: { event: 'event', call_id: '' } }

export const decode = decoder(words)

export function encode(event: HookEvent, hook: Hook): HookInput {
  const payload = encodeEvent(words, event, hook.native_event)
  const input = record(payload.tool_input)
  return {
    text: JSON.stringify(payload),
    value: payload,
    env: {
      CRUSH: '1',
      AGENT: 'crush',
      AI_AGENT: 'crush',
      CRUSH_EVENT: 'PreToolUse',
      CRUSH_TOOL_NAME: string(payload.tool_name) ?? '',
      CRUSH_SESSION_ID: event.session_id,
      CRUSH_CWD: event.work_dir,
      CRUSH_PROJECT_DIR: event.work_dir,
      CRUSH_TOOL_INPUT_COMMAND: string(input.command) ?? '',
      CRUSH_TOOL_INPUT_FILE_PATH: string(input.file_path) ?? '',
    },
  }
}
