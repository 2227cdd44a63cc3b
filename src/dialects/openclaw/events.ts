/** What our plugin in OpenClaw sends: its hooks' own events, with the session and the folder beside them. */

import type { HookEvent } from '../../spec/event.ts'
import {
  decodeEvent,
  type EventMap,
  type Hint,
  type Payload,
  plainText,
  record,
  string,
  type Words,
} from '../lib/payload.ts'
import { tools } from './tools.ts'

export const ID = 'openclaw'

/** Hooks that our plugin does not ask about: they are about channels, models and the gateway, or too many. */
const UNHEARD = [
  'agent_end',
  'agent_turn_prepare',
  'before_agent_reply',
  'before_dispatch',
  'before_install',
  'before_message_write',
  'before_model_resolve',
  'before_prompt_build',
  'before_reset',
  'channel_pairing_requested',
  'cron_changed',
  'cron_reconciled',
  'gateway_start',
  'gateway_stop',
  'heartbeat_prompt_contribution',
  'inbound_claim',
  'llm_input',
  'llm_output',
  'message_received',
  'message_sending',
  'message_sent',
  'model_call_ended',
  'model_call_started',
  'reply_dispatch',
  'reply_payload_sending',
  'resolve_exec_env',
  'skill_changed',
  'skill_proposal_changed',
  'skill_proposal_evaluate',
  'subagent_delivery_target',
  'subagent_progress',
  'tool_result_persist',
] as const

export const events: EventMap = {
  session_start: { event: 'session_start', decode: startFields },
  before_agent_run: { event: 'before_agent' },
  before_tool_call: { event: 'before_tool' },
  after_tool_call: { event: 'after_tool', also: ['after_tool_failure'], decode: resultFields },
  before_agent_finalize: { event: 'before_stop', decode: stopFields },
  before_compaction: { event: 'pre_compact', fields: { tokenCount: 'token_count' } },
  after_compaction: { event: 'post_compact' },
  subagent_spawned: {
    event: 'subagent_start',
    fields: { childSessionKey: 'subagent_name', agentId: 'subagent_type', label: 'task_description' },
  },
  subagent_ended: {
    event: 'subagent_stop',
    fields: { targetSessionKey: 'subagent_name', targetKind: 'subagent_type', outcome: 'result' },
  },
  session_end: { event: 'session_end', fields: { reason: 'exit_reason' } },
  ...Object.fromEntries(UNHEARD.map((name) => [name, {}])),
}

export const HEARD: readonly string[] = Object.keys(events).filter(
  (name) => !(UNHEARD as readonly string[]).includes(name),
)

const words: Words = { id: ID, map: events, tools }

/** OpenClaw's shell tool also runs code-mode programs under the same name; the tool calls of such a program are reported one by one. */
const CODE_MODE = 'code_mode_exec'

export function decode(native: unknown, hint: Hint): HookEvent {
  const { toolName, toolKind, toolCallId, params, sessionId, ...payload } = record(native)
  const flat: Payload = {
    ...payload,
    session_id: sessionId ?? payload.session_id,
    tool_name: toolKind === CODE_MODE ? CODE_MODE : (toolName ?? payload.tool_name),
    tool_input: params ?? payload.tool_input,
    tool_use_id: toolCallId,
  }
  const event = decodeEvent(words, flat, hint)
  event.native = native
  return event
}

function startFields({ resumedFrom }: Payload): Record<string, unknown> {
  return { source: string(resumedFrom) === undefined ? 'startup' : 'resume' }
}

/** A shell command that exits with another code than 0 counts as a failure. */
function resultFields({ result, isError }: Payload): Record<string, unknown> {
  const { content, details } = record(result)
  const { exitCode } = record(details)
  if (isError !== true && (typeof exitCode !== 'number' || exitCode === 0))
    return content === undefined ? {} : { tool_output: content }
  return { event_type: 'after_tool_failure', error: plainText(content), tool_output: content }
}

function stopFields({ lastAssistantMessage }: Payload): Record<string, unknown> {
  const content = string(lastAssistantMessage)
  return {
    stop_reason: 'no_tool_calls',
    final_message: content === undefined ? null : { role: 'assistant', content },
  }
}
