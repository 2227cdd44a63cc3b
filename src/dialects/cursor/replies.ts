/** Outcome → what Cursor obeys, and the answers of hooks written for it → outcomes. */

import type { Decoded, Reply } from '../../spec/dialect.ts'
import type { HookEvent } from '../../spec/event.ts'
import type { RawResult } from '../../spec/executor.ts'
import type { Hook } from '../../spec/hook.ts'
import type { Outcome } from '../../spec/outcome.ts'
import { decodeCommandReply } from '../lib/command-replies.ts'
import { type Members, reasonAndContext } from '../lib/family-replies.ts'
import { contextOf, given, jsonReply, reasonOf } from '../lib/hook-specific-output.ts'
import { isRecord, string } from '../lib/payload.ts'
import { canonicalInput, wholeNativeInput } from '../lib/rewrite.ts'
import { tools } from './tools.ts'

export function encode(outcome: Outcome, event: HookEvent): Reply {
  const blocked = outcome.decision === 'deny' || outcome.stop !== undefined
  return jsonReply((MEMBERS[event.native_event ?? ''] ?? contextMember)(outcome, event, blocked))
}

const contextMember: Members = (outcome, _event, blocked) =>
  given({ additional_context: reasonAndContext(outcome, blocked) }) ?? {}

const followUp: Members = (outcome, _event, blocked) =>
  blocked ? { followup_message: reasonOf(outcome) } : {}

const permission: Members = (outcome, event, blocked) => {
  const isAsk = outcome.decision === 'ask'
  if (blocked || isAsk)
    return {
      permission: blocked ? 'deny' : 'ask',
      user_message: outcome.user_message || reasonOf(outcome),
      agent_message: [reasonOf(outcome), contextOf(outcome)].filter(Boolean).join('\n\n'),
    }
  if (!outcome.updated_input || event.native_event !== 'preToolUse') return {}
  return { permission: 'allow', updated_input: wholeNativeInput(tools, event, outcome.updated_input) }
}

const MEMBERS: Readonly<Record<string, Members>> = {
  preToolUse: permission,
  beforeShellExecution: permission,
  beforeMCPExecution: permission,
  beforeReadFile: permission,
  beforeTabFileRead: permission,
  subagentStart: permission,
  beforeSubmitPrompt: (outcome, _event, blocked) =>
    blocked
      ? {
          continue: false,
          user_message: [reasonOf(outcome), contextOf(outcome)].filter(Boolean).join('\n\n'),
        }
      : (given({ additional_context: contextOf(outcome) }) ?? {}),
  stop: followUp,
  subagentStop: followUp,
}

/** Events on which a reply that is not JSON denies. */
const CLOSING = new Set([
  'preToolUse',
  'beforeShellExecution',
  'beforeMCPExecution',
  'beforeReadFile',
  'beforeTabFileRead',
  'subagentStart',
])

export function decode(raw: RawResult, event: HookEvent, hook: Hook): Decoded {
  const name = hook.native_event ?? event.native_event ?? ''
  return decodeCommandReply(raw, {
    json: (json) => outcomeOf(json, event),
    text: () =>
      CLOSING.has(name) ? { decision: 'deny', reason: 'The hook printed something that is not JSON.' } : {},
  })
}

function outcomeOf(json: Record<string, unknown>, event: HookEvent): Outcome {
  const followUpMessage = string(json.followup_message)
  const said = string(json.permission)
  const decision =
    said === 'deny' || said === 'ask' || said === 'allow'
      ? said
      : json.continue === false || followUpMessage !== undefined
        ? 'deny'
        : undefined
  const context = string(json.additional_context)
  return (
    given<Outcome>({
      decision,
      reason: followUpMessage ?? string(json.agent_message) ?? string(json.user_message),
      user_message: string(json.user_message),
      updated_input: isRecord(json.updated_input)
        ? canonicalInput(tools, event, json.updated_input)
        : undefined,
      updated_output: json.updated_mcp_tool_output,
      additional_context: context === undefined ? undefined : [context],
    } as Outcome) ?? {}
  )
}
