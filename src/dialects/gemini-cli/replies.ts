/** Outcome → what Gemini CLI obeys, and the answers of hooks written for it → outcomes. */

import type { Decoded, Reply } from '../../spec/dialect.ts'
import type { HookEvent } from '../../spec/event.ts'
import type { RawResult } from '../../spec/executor.ts'
import type { Hook } from '../../spec/hook.ts'
import { parseJson } from '../../spec/json.ts'
import { failure, type Outcome } from '../../spec/outcome.ts'
import { toNativeTool } from '../../spec/tool.ts'
import { contextOf, given, jsonReply, reasonOf, specific, wholeJson } from '../lib/hook-specific-output.ts'
import { isRecord, outputText, record, string } from '../lib/payload.ts'
import { canonicalInput, wholeNativeInput } from '../lib/rewrite.ts'
import { nativeToolName, tools } from './tools.ts'

/** Always exit code 0 and one JSON object: with other codes the result depends on what else was printed. */
export function encode(outcome: Outcome, event: HookEvent): Reply {
  const name = event.native_event ?? ''
  const blocked = outcome.decision === 'deny' || outcome.decision === 'ask' || outcome.stop !== undefined
  return jsonReply({
    ...(outcome.stop === undefined
      ? {}
      : { continue: false, stopReason: outcome.stop.trim() || reasonOf(outcome) }),
    ...(outcome.user_message ? { systemMessage: outcome.user_message } : {}),
    ...(MEMBERS[name] ?? defaultMembers)(outcome, event, blocked),
  })
}

type Members = (outcome: Outcome, event: HookEvent, blocked: boolean) => object

function deny(outcome: Outcome, ...more: (string | undefined)[]): object {
  return { decision: 'deny', reason: [reasonOf(outcome), ...more].filter(Boolean).join('\n\n') }
}

const defaultMembers: Members = (outcome, event, blocked) => ({
  ...(blocked ? deny(outcome) : {}),
  ...specific(event.native_event ?? '', { additionalContext: contextOf(outcome) }),
})

const MEMBERS: Readonly<Record<string, Members>> = {
  // Gemini CLI reports a partial input as an error to the model, so the whole input is sent.
  BeforeTool: (outcome, event, blocked) =>
    blocked
      ? deny(outcome)
      : specific('BeforeTool', {
          tool_input: outcome.updated_input && wholeNativeInput(tools, event, outcome.updated_input),
        }),
  AfterTool: (outcome, _event, blocked) => {
    const output = outcome.updated_output === undefined ? undefined : outputText(outcome.updated_output)
    // Context beside a deny is dropped, so it becomes part of the reason.
    if (blocked) return deny(outcome, output, contextOf(outcome))
    if (output !== undefined)
      return {
        decision: 'deny',
        reason: [output, contextOf(outcome)].filter(Boolean).join('\n\n') || '(no output)',
      }
    return specific('AfterTool', { additionalContext: contextOf(outcome) })
  },
  // A deny would make the model continue, so a stop must not contain one.
  AfterAgent: (outcome, _event, blocked) =>
    blocked && outcome.stop === undefined ? deny(outcome, contextOf(outcome)) : {},
  BeforeModel: (outcome, event, blocked) => {
    if (blocked) return deny(outcome)
    return specific('BeforeModel', {
      llm_request: outcome.updated_input && modelRequest(outcome.updated_input, event),
    })
  },
  BeforeToolSelection: (outcome, _event, blocked) => {
    if (blocked)
      return {
        systemMessage: reasonOf(outcome),
        ...specific('BeforeToolSelection', { toolConfig: { mode: 'NONE' } }),
      }
    const names = outcome.updated_input?.tools
    if (!Array.isArray(names)) return {}
    const allowedFunctionNames = names.map((name) =>
      nativeToolName(toNativeTool(tools, String(name), {}).name),
    )
    return specific('BeforeToolSelection', {
      toolConfig: names.length === 0 ? { mode: 'NONE' } : { mode: 'ANY', allowedFunctionNames },
    })
  },
  AfterModel: (outcome, event, blocked) => {
    if (blocked) return deny(outcome)
    if (outcome.updated_output === undefined) return {}
    const text = outputText(outcome.updated_output)
    const original = record(record(event.native).llm_response)
    const candidate = { content: { role: 'model', parts: [text] }, index: 0, finishReason: 'STOP' }
    return specific('AfterModel', { llm_response: { ...original, text, candidates: [candidate] } })
  },
}

function modelRequest(updated: Record<string, unknown>, event: HookEvent): Record<string, unknown> {
  const original = record(record(event.native).llm_request)
  const { prompt, model, request, ...rest } = updated
  const merged: Record<string, unknown> = { ...original, ...rest, ...record(request), ...given({ model }) }
  if (typeof prompt !== 'string' || !Array.isArray(merged.messages)) return merged
  const last = merged.messages.findLastIndex((message) => record(message).role === 'user')
  merged.messages = merged.messages.map((message, i) =>
    i === last ? { ...record(message), content: prompt } : message,
  )
  return merged
}

export function decode(raw: RawResult, event: HookEvent, hook: Hook): Decoded {
  const name = hook.native_event ?? event.native_event ?? ''
  const text = (raw.stdout ?? '').trim() || (raw.stderr ?? '').trim()
  const json = wholeJson(text) ?? doubleEncoded(text)
  // Valid JSON takes precedence over the exit code.
  if (json) return decodeJson(json, event, name)
  if (raw.exit_code === 0) return { outcome: text === '' ? {} : { user_message: text } }
  if (raw.exit_code === 1 || text === '' || typeof raw.exit_code !== 'number')
    return {
      outcome: failure(
        `exit code ${raw.exit_code ?? raw.signal}${text ? `: ${text}` : ' without any text'}`,
        {
          retryable: false,
          exit_code: raw.exit_code ?? null,
        },
      ),
    }
  return { outcome: { decision: 'deny', reason: text } }
}

function decodeJson(json: Record<string, unknown>, event: HookEvent, name: string): Decoded {
  const special = record(json.hookSpecificOutput)
  const context = string(special.additionalContext)
  const decision = string(json.decision)
  const outcome = given<Outcome>({
    decision: DECISIONS[decision ?? ''],
    reason: string(json.reason),
    user_message: string(json.systemMessage),
    stop:
      json.continue === false
        ? (string(json.stopReason) ?? string(json.reason) ?? 'Stopped by a hook.')
        : undefined,
    updated_input: rewritten(special, event, name),
    updated_output:
      isRecord(special.llm_response) && name !== 'BeforeModel' ? outputText(special.llm_response) : undefined,
    additional_context: context === undefined || name === 'BeforeTool' ? undefined : [context],
  } as Outcome)
  const warnings = [
    ...['permissionDecision', 'updatedInput']
      .filter((field) => field in special)
      .map((field) => `Gemini CLI does not know ${field}; ignored.`),
    ...('tailToolCallRequest' in special ? ['tailToolCallRequest cannot be carried out here; ignored.'] : []),
    ...(name === 'BeforeTool' && context !== undefined
      ? ['Gemini CLI drops additionalContext on BeforeTool.']
      : []),
  ]
  return { outcome: outcome ?? {}, ...(warnings.length > 0 ? { warnings } : {}) }
}

const DECISIONS: Readonly<Record<string, Outcome['decision']>> = {
  allow: 'allow',
  approve: 'allow',
  ask: 'ask',
  deny: 'deny',
  block: 'deny',
}

function rewritten(
  special: Record<string, unknown>,
  event: HookEvent,
  name: string,
): Record<string, unknown> | undefined {
  if (name === 'BeforeTool' && isRecord(special.tool_input))
    return canonicalInput(tools, event, special.tool_input)
  if (isRecord(special.llm_request)) return { request: special.llm_request }
  const { mode, allowedFunctionNames } = record(special.toolConfig)
  if (mode === 'NONE') return { tools: [] }
  return Array.isArray(allowedFunctionNames) ? { tools: allowedFunctionNames } : undefined
}

function doubleEncoded(text: string): Record<string, unknown> | undefined {
  if (!text.startsWith('"')) return undefined
  try {
    const inner: unknown = parseJson(text)
    return typeof inner === 'string' ? wholeJson(inner) : undefined
  } catch {
    // Plain text that begins with a quotation mark.
    return undefined
  }
}
