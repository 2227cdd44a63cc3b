/** Outcome → what Codex obeys, and the answers of hooks written for it → outcomes. */

import type { Decoded, Reply } from '../../spec/dialect.ts'
import type { HookEvent } from '../../spec/event.ts'
import type { RawResult } from '../../spec/executor.ts'
import type { Hook } from '../../spec/hook.ts'
import { failure, type Outcome } from '../../spec/outcome.ts'
import {
  contextOf,
  jsonReply,
  readFamilyReply,
  reasonOf,
  SILENT,
  specific,
  wholeJson,
} from '../lib/hook-specific-output.ts'
import { outputText, record, string } from '../lib/payload.ts'
import { canonicalInput, wholeNativeInput } from '../lib/rewrite.ts'
import { patchOf } from './patch.ts'
import { invalidReply } from './schema.ts'
import { tools } from './tools.ts'

/** Events on which Codex accepts no reply, not even a message. */
const MUTE = new Set(['SessionEnd', 'Interrupt', 'PreModelRequest', 'PostModelRequest'])

/** Codex ignores a reply with an unknown field and runs the tool, so only fields of its schema are printed. */
export function encode(outcome: Outcome, event: HookEvent): Reply {
  const name = event.native_event ?? ''
  const blocked = outcome.decision === 'deny' || outcome.stop !== undefined
  if (MUTE.has(name)) return SILENT
  return jsonReply({
    ...(outcome.user_message ? { systemMessage: outcome.user_message } : {}),
    ...(MEMBERS[name] ?? haltMembers)(outcome, event, blocked),
  })
}

type Members = (outcome: Outcome, event: HookEvent, blocked: boolean) => object

/** Events that can be stopped only by `continue: false`. */
const haltMembers: Members = (outcome, _event, blocked) =>
  blocked ? { continue: false, stopReason: reasonOf(outcome) } : {}

const startMembers: Members = (outcome, event, blocked) => ({
  ...haltMembers(outcome, event, blocked),
  ...specific(event.native_event ?? '', { additionalContext: contextOf(outcome) }),
})

const stopMembers: Members = (outcome) => {
  if (outcome.stop !== undefined)
    return { continue: false, stopReason: outcome.stop.trim() || reasonOf(outcome) }
  return outcome.decision === 'deny' ? { decision: 'block', reason: reasonOf(outcome) } : {}
}

const MEMBERS: Readonly<Record<string, Members>> = {
  SessionStart: startMembers,
  SubagentStart: (outcome) => specific('SubagentStart', { additionalContext: contextOf(outcome) }),
  UserPromptSubmit: (outcome, _event, blocked) => ({
    ...(outcome.stop === undefined && blocked ? { decision: 'block', reason: reasonOf(outcome) } : {}),
    ...(outcome.stop === undefined
      ? {}
      : { continue: false, stopReason: outcome.stop.trim() || reasonOf(outcome) }),
    ...specific('UserPromptSubmit', { additionalContext: contextOf(outcome) }),
  }),
  PreToolUse: preToolMembers,
  PermissionRequest: (outcome, _event, blocked) => {
    if (blocked)
      return specific('PermissionRequest', { decision: { behavior: 'deny', message: reasonOf(outcome) } })
    return outcome.decision === 'allow'
      ? specific('PermissionRequest', { decision: { behavior: 'allow' } })
      : {}
  },
  // The reason of a block is what the model reads in place of the output.
  PostToolUse: (outcome, _event, blocked) => {
    const output = outcome.updated_output === undefined ? undefined : outputText(outcome.updated_output)
    const texts = [blocked ? reasonOf(outcome) : undefined, output].filter((text) => text !== undefined)
    return {
      ...(texts.length > 0 ? { decision: 'block', reason: texts.join('\n\n').trim() || '(no output)' } : {}),
      ...specific('PostToolUse', { additionalContext: contextOf(outcome) }),
    }
  },
  SubagentStop: stopMembers,
  Stop: stopMembers,
}

function preToolMembers(outcome: Outcome, event: HookEvent, blocked: boolean): object {
  const context = contextOf(outcome)
  const deny = (reason: string) =>
    specific('PreToolUse', {
      permissionDecision: 'deny',
      permissionDecisionReason: reason,
      additionalContext: context,
    })
  // Neither `ask` nor a plain `allow`: Codex treats both as errors and runs the tool.
  if (blocked || outcome.decision === 'ask') return deny(reasonOf(outcome))
  if (!outcome.updated_input) return specific('PreToolUse', { additionalContext: context })
  const input = nativeInput(outcome.updated_input, event)
  if (input === undefined)
    return deny(
      'A hook rewrote this call in a way that a patch cannot carry, so it is refused. Send the change that the hook wants as a new patch.',
    )
  return specific('PreToolUse', {
    permissionDecision: 'allow',
    updatedInput: input,
    additionalContext: context,
  })
}

/** Shell and patch take `command` alone; a patch with another path in a field beside it would run as it was. */
function nativeInput(
  updated: Record<string, unknown>,
  event: HookEvent,
): Record<string, unknown> | undefined {
  const whole = wholeNativeInput(tools, event, updated)
  const name = event.native_tool_name
  if (name !== 'Bash' && name !== 'apply_patch') return whole
  if (typeof whole.command !== 'string') return undefined
  if (name === 'Bash') return { command: whole.command }
  const before = record(event.tool_input)
  const isCarried = Object.entries(updated).every(([key, value]) => key === 'patch' || before[key] === value)
  return isCarried ? { command: whole.command } : undefined
}

/** Plain output of these is context for the model. */
const TEXT_IS_CONTEXT = new Set(['SessionStart', 'UserPromptSubmit'])
const JSON_ONLY = new Set(['Stop', 'SubagentStop', 'PreCompact', 'PostCompact'])

export function decode(raw: RawResult, event: HookEvent, hook: Hook): Decoded {
  const name = hook.native_event ?? event.native_event ?? ''
  const stderr = string((raw.stderr ?? '').trim())
  if (raw.exit_code === 2)
    return stderr === undefined
      ? failed('exited with code 2 but did not write a blocking reason to stderr', 2)
      : { outcome: { decision: 'deny', reason: stderr } }
  if (raw.exit_code !== 0)
    return failed(`exited with code ${raw.exit_code ?? raw.signal}`, raw.exit_code ?? null)
  const text = (raw.stdout ?? '').trim()
  if (text === '') return { outcome: {} }
  const json = wholeJson(text)
  if (!json) {
    if (text.startsWith('{') || JSON_ONLY.has(name)) return failed('returned invalid JSON output', 0)
    return { outcome: TEXT_IS_CONTEXT.has(name) ? { additional_context: [text] } : {} }
  }
  const invalid = invalidReply(json, name)
  if (invalid !== undefined) return failed(invalid, 0)
  const outcome = readFamilyReply(json, { toCanonicalInput: (input) => canonicalInput(tools, event, input) })
  if (outcome.decision === 'allow' && name !== 'PermissionRequest') delete outcome.decision
  return carried(outcome, event)
}

/** A rewritten patch has no meaning for an agent with other edit tools. */
function carried(outcome: Outcome, event: HookEvent): Decoded {
  const input = record(event.tool_input)
  const wasShownAsPatch = !('patch' in input) && patchOf(String(event.tool_name), input) !== undefined
  if (!outcome.updated_input || !wasShownAsPatch) return { outcome }
  const { updated_input: _, ...rest } = outcome
  const reason = 'A hook rewrote this change as a patch, which cannot be carried out here.'
  return { outcome: { ...rest, decision: 'deny', reason } }
}

function failed(message: string, code: number | null): Decoded {
  return { outcome: failure(`hook ${message}`, { retryable: false, exit_code: code }) }
}
