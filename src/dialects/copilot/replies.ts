/** Outcome → what Copilot CLI obeys, and the answers of hooks written for it → outcomes. */

import type { Decoded, Reply } from '../../spec/dialect.ts'
import type { HookEvent } from '../../spec/event.ts'
import type { RawResult } from '../../spec/executor.ts'
import type { Hook } from '../../spec/hook.ts'
import type { Outcome } from '../../spec/outcome.ts'
import { decodeCommandReply, failedExit } from '../lib/command-replies.ts'
import {
  contextOf,
  given,
  jsonReply,
  readFamilyReply,
  reasonOf,
  specific,
} from '../lib/hook-specific-output.ts'
import { isRecord, outputText, record, string } from '../lib/payload.ts'
import { canonicalInput, wholeNativeInput } from '../lib/rewrite.ts'
import { isPascal, nativeInput, PASCAL_NAMES } from './events.ts'
import { tools } from './tools.ts'

/** Always JSON: an exit code would deny without the reason. */
export function encode(outcome: Outcome, event: HookEvent): Reply {
  const name = event.native_event ?? ''
  const blocked = outcome.decision === 'deny' || outcome.stop !== undefined
  const members = MEMBERS[CAMEL_NAMES[name] ?? name] ?? contextMember
  return jsonReply(members(outcome, event, blocked))
}

const CAMEL_NAMES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(PASCAL_NAMES).map(([camel, pascal]) => [pascal, camel]),
)

type Members = (outcome: Outcome, event: HookEvent, blocked: boolean) => object

const contextMember: Members = (outcome) => given({ additionalContext: contextOf(outcome) }) ?? {}

const blockMembers: Members = (outcome, _event, blocked) =>
  blocked ? { decision: 'block', reason: reasonOf(outcome) } : {}

const MEMBERS: Readonly<Record<string, Members>> = {
  userPromptSubmitted: (outcome, _event, blocked) =>
    blocked
      ? { decision: 'block', reason: withContext(outcome) }
      : (given({
          modifiedPrompt: string(outcome.updated_input?.prompt),
          additionalContext: contextOf(outcome),
        }) ?? {}),
  userPromptTransformed: (outcome, event) => {
    const context = contextOf(outcome)
    const prompt = string(record(event.native).transformedPrompt) ?? ''
    return context === undefined ? {} : { modifiedTransformedPrompt: `${prompt}\n\n${context}` }
  },
  preToolUse: (outcome, event, blocked) => {
    const decision = blocked ? 'deny' : outcome.decision === 'ask' ? 'ask' : undefined
    const input =
      blocked || !outcome.updated_input
        ? undefined
        : wholeNativeInput(tools, event, outcome.updated_input, nativeInput(event))
    const common = {
      permissionDecision: decision,
      permissionDecisionReason: decision ? reasonOf(outcome) : undefined,
      additionalContext: contextOf(outcome),
    }
    if (isPascal(event.native_event ?? '')) return specific('PreToolUse', { ...common, updatedInput: input })
    return given({ ...common, modifiedArgs: input }) ?? {}
  },
  // Copilot drops context beside a block, so it is added to the reason.
  postToolUse: (outcome, _event, blocked) => {
    if (blocked) return { decision: 'block', reason: withContext(outcome) }
    const text = outcome.updated_output === undefined ? undefined : outputText(outcome.updated_output)
    return (
      given({
        modifiedResult: text === undefined ? undefined : { resultType: 'success', textResultForLlm: text },
        additionalContext: contextOf(outcome),
      }) ?? {}
    )
  },
  postToolUseFailure: (outcome, _event, blocked) =>
    given({ additionalContext: blocked ? withContext(outcome) : contextOf(outcome) }) ?? {},
  permissionRequest: (outcome, _event, blocked) => {
    if (blocked) return { behavior: 'deny', message: reasonOf(outcome) }
    return outcome.decision === 'allow' ? { behavior: 'allow' } : {}
  },
  agentStop: blockMembers,
  subagentStop: blockMembers,
}

function withContext(outcome: Outcome): string {
  return [reasonOf(outcome), contextOf(outcome)].filter(Boolean).join('\n\n')
}

export function decode(raw: RawResult, event: HookEvent, hook: Hook): Decoded {
  const name = hook.native_event ?? event.native_event ?? ''
  const isPreTool = (CAMEL_NAMES[name] ?? name) === 'preToolUse'
  // Every other exit code denies, as in Copilot itself.
  if (isPreTool && raw.exit_code && raw.exit_code !== 2)
    return { outcome: { decision: 'deny', reason: `The hook failed: ${describe(raw)}` } }
  return decodeCommandReply(raw, { json: (json) => outcomeOf(json, event, name) })
}

function describe(raw: RawResult): string {
  const { outcome } = failedExit(raw)
  return 'message' in outcome ? String(outcome.message) : ''
}

function outcomeOf(json: Record<string, unknown>, event: HookEvent, name: string): Outcome {
  const toCanonicalInput = (input: Record<string, unknown>) => canonicalInput(tools, event, input)
  const nested = isPascal(name) ? readFamilyReply(json, { toCanonicalInput }) : {}
  const decision = string(json.permissionDecision) ?? string(json.behavior) ?? string(json.decision)
  const result = record(json.modifiedResult)
  const prompt = string(json.modifiedPrompt)
  const context = string(json.additionalContext)
  const flat = given<Outcome>({
    decision: DECISIONS[decision ?? ''],
    reason: string(json.permissionDecisionReason) ?? string(json.message) ?? string(json.reason),
    updated_input: isRecord(json.modifiedArgs)
      ? toCanonicalInput(json.modifiedArgs)
      : prompt === undefined
        ? undefined
        : { prompt },
    updated_output: result.textResultForLlm,
    additional_context: context === undefined ? undefined : [context],
  } as Outcome)
  return { ...nested, ...flat }
}

const DECISIONS: Readonly<Record<string, Outcome['decision']>> = {
  allow: 'allow',
  ask: 'ask',
  deny: 'deny',
  block: 'deny',
}
