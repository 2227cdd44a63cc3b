/** Outcome → what Qwen Code obeys, and the answers of hooks written for it → outcomes. */

import type { Decoded, Reply } from '../../spec/dialect.ts'
import type { HookEvent } from '../../spec/event.ts'
import type { RawResult } from '../../spec/executor.ts'
import type { Hook } from '../../spec/hook.ts'
import { failure, type Outcome } from '../../spec/outcome.ts'
import {
  contextOf,
  given,
  jsonReply,
  readFamilyReply,
  reasonOf,
  specific,
  wholeJson,
} from '../lib/hook-specific-output.ts'
import { readVerdict } from '../lib/model-verdict.ts'
import { isRecord, outputText } from '../lib/payload.ts'
import { canonicalInput, wholeNativeInput } from '../lib/rewrite.ts'
import { tools } from './tools.ts'

export function encode(outcome: Outcome, event: HookEvent): Reply {
  const name = event.native_event ?? ''
  const blocked = outcome.decision === 'deny' || outcome.stop !== undefined
  return jsonReply({
    ...(outcome.user_message ? { systemMessage: outcome.user_message } : {}),
    ...(MEMBERS[name] ?? defaultMembers)(outcome, event, blocked),
  })
}

type Members = (outcome: Outcome, event: HookEvent, blocked: boolean) => object

const defaultMembers: Members = (outcome, event, blocked) => ({
  ...(blocked ? { decision: 'block', reason: reasonOf(outcome) } : {}),
  ...specific(event.native_event ?? '', { additionalContext: contextOf(outcome) }),
})

/** `continue: false` would make it go on: to let it stop is to say nothing to the model. */
const stopMembers: Members = (outcome, _event, blocked) => {
  if (outcome.stop !== undefined)
    return { systemMessage: [outcome.user_message, outcome.stop].filter(Boolean).join('\n') }
  return blocked ? { decision: 'block', reason: reasonOf(outcome) } : {}
}

const MEMBERS: Readonly<Record<string, Members>> = {
  // An ask cannot be shown any more at this point.
  PreToolUse: (outcome, _event, blocked) =>
    blocked || outcome.decision === 'ask' || outcome.updated_input
      ? specific('PreToolUse', { permissionDecision: 'deny', permissionDecisionReason: reasonOf(outcome) })
      : {},
  // A block never reaches the model here; context does, and `continue: false` replaces the result.
  PostToolUse: (outcome, _event, blocked) => {
    const texts = [blocked ? reasonOf(outcome) : undefined, contextOf(outcome)]
    if (outcome.updated_output === undefined)
      return specific('PostToolUse', { additionalContext: texts.filter(Boolean).join('\n\n') || undefined })
    const output = outputText(outcome.updated_output)
    return { continue: false, stopReason: [output, ...texts].filter(Boolean).join('\n\n') || '(no output)' }
  },
  PermissionRequest: (outcome, event, blocked) => {
    if (blocked)
      return specific('PermissionRequest', { decision: { behavior: 'deny', message: reasonOf(outcome) } })
    if (outcome.decision !== 'allow' && !outcome.updated_input) return {}
    return specific('PermissionRequest', {
      decision: given({
        behavior: 'allow',
        updatedInput: outcome.updated_input && wholeNativeInput(tools, event, outcome.updated_input),
      }),
    })
  },
  Stop: stopMembers,
  SubagentStop: stopMembers,
}

/** Plain output of these is context for the model. */
const TEXT_IS_CONTEXT = new Set(['SessionStart', 'UserPromptSubmit'])

export function decode(raw: RawResult, event: HookEvent, hook: Hook): Decoded {
  const name = hook.native_event ?? event.native_event ?? ''
  if (hook.run.type === 'prompt') return { outcome: readVerdict(raw) }
  if (hook.run.type === 'http') return decodeHttp(raw, event, name)
  const stderr = (raw.stderr ?? '').trim()
  if (raw.exit_code === 2)
    return stderr === ''
      ? failed('exit code 2 without a reason on stderr, which does not block', 2)
      : { outcome: { decision: 'deny', reason: stderr } }
  const text = (raw.stdout ?? '').trim() || stderr
  const json = wholeJson(text)
  if (json) return { outcome: outcomeOf(json, event, name) }
  if (raw.exit_code !== 0)
    return failed(
      `exit code ${raw.exit_code ?? raw.signal}${stderr ? `: ${stderr}` : ''}`,
      raw.exit_code ?? null,
    )
  if (text.startsWith('{')) return failed('the output is not valid JSON', 0)
  return { outcome: text !== '' && TEXT_IS_CONTEXT.has(name) ? { additional_context: [text] } : {} }
}

function outcomeOf(json: Record<string, unknown>, event: HookEvent, name: string): Outcome {
  const outcome = readFamilyReply(json, { toCanonicalInput: (input) => canonicalInput(tools, event, input) })
  if (outcome.stop === undefined) return outcome
  const { stop, ...rest } = outcome
  // The call is refused, or the loop goes on, with the reason to stop as the text.
  if (name === 'PreToolUse' || name === 'Stop' || name === 'SubagentStop')
    return { ...rest, decision: 'deny', reason: rest.reason ?? stop }
  return name === 'PostToolUse' ? { ...rest, updated_output: stop } : outcome
}

function decodeHttp(raw: RawResult, event: HookEvent, name: string): Decoded {
  const status = raw.status ?? 200
  if (status < 200 || status > 299) return failed(`HTTP ${status}`, null)
  const json = isRecord(raw.value) ? raw.value : wholeJson(raw.stdout)
  return { outcome: json ? outcomeOf(json, event, name) : {} }
}

function failed(message: string, code: number | null): Decoded {
  return { outcome: failure(message, { retryable: false, exit_code: code }) }
}
