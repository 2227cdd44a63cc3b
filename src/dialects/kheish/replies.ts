/** What came back from a Kheish hook → a canonical outcome. */

import type { Decoded } from '../../spec/dialect.ts'
import { eventRow, type HookEvent } from '../../spec/event.ts'
import type { RawResult } from '../../spec/executor.ts'
import type { Hook } from '../../spec/hook.ts'
import { type Failure, failure, type Outcome } from '../../spec/outcome.ts'
import { toCanonicalTool } from '../../spec/tool.ts'
import { toolCall } from './events.ts'
import { EVENT_NAMES, EVENTS, eventInfo, TOOLS } from './names.ts'
import { type KheishOutcome, MalformedOutcome, parseOutcome, parseOutcomeText } from './outcome.ts'

export const INPUT_REFUSED =
  'pre_tool_use hooks cannot update tool input after permission evaluation; use permission_request hooks or approval updated_input instead'
const MAX_REASON_CHARS = 2048

export function decode(raw: RawResult, event: HookEvent, hook: Hook): Decoded {
  const failed = failureOf(raw, hook)
  if (failed !== undefined) return { outcome: failed }
  try {
    return toCanonical(answerOf(raw, event), event)
  } catch (error) {
    if (!(error instanceof MalformedOutcome)) throw error
    const exit = raw.exit_code === undefined ? {} : { exit_code: raw.exit_code }
    return { outcome: failure(error.message, { retryable: false, ...exit }) }
  }
}

function failureOf(raw: RawResult, hook: Hook): Failure | undefined {
  if (raw.truncated) return failure(`hook output exceeded ${hook.output_limit} bytes`)
  if (raw.status !== undefined && raw.status >= 300) return statusFailure(raw.status)
  if (raw.exit_code === undefined || raw.exit_code === 0) return undefined
  if (raw.exit_code === 2 && (raw.stdout ?? '').trim() === '') return undefined
  const status = raw.exit_code ?? raw.signal ?? 'unknown'
  return failure(`hook command exited with status ${status}${detail(raw.stderr)}`, {
    exit_code: raw.exit_code,
  })
}

function statusFailure(status: number): Failure {
  if (status < 400) return failure('hook HTTP redirects are not allowed', { retryable: false })
  const retryable = status === 408 || status === 429 || status >= 500
  return failure(`hook HTTP request failed with status ${status}`, { retryable })
}

function answerOf(raw: RawResult, event: HookEvent): KheishOutcome {
  if (raw.exit_code === 2) return exitBlock(raw, event)
  const value = raw.value === undefined ? (raw.stdout ?? '') : (raw.value ?? '')
  return typeof value === 'string' ? parseOutcomeText(value) : parseOutcome(value)
}

/** Exit 2 with nothing on stdout. After a blocked tool call the run goes on; elsewhere the block ends it. */
function exitBlock(raw: RawResult, event: HookEvent): KheishOutcome {
  return {
    ...parseOutcomeText(''),
    decision: 'block',
    continue_execution: eventRow(event.event_type).tool,
    stop_reason: `hook command blocked execution${detail(raw.stderr)}`,
  }
}

/** Every effect that Kheish would carry, then what the event makes of it. */
function toCanonical(answer: KheishOutcome, event: HookEvent): Decoded {
  const warnings: string[] = []
  const outcome: Outcome = {
    ...verdict(answer, event),
    ...(answer.updated_input && { updated_input: canonicalInput(answer.updated_input, event) }),
    ...(answer.updated_output !== undefined && { updated_output: answer.updated_output }),
    ...(answer.additional_contexts.length > 0 && { additional_context: answer.additional_contexts }),
    ...(answer.updated_permissions.length > 0 && { updated_permissions: answer.updated_permissions }),
    ...(answer.initial_user_message !== undefined && { initial_user_message: answer.initial_user_message }),
    ...(answer.watch_paths.length > 0 && { watch_paths: [...new Set(answer.watch_paths)].sort() }),
    ...(answer.retry && { retry: 0 }),
  }
  const ruled = EVENT_RULES[event.event_type]?.(outcome, warnings) ?? outcome
  return warnings.length > 0 ? { outcome: ruled, warnings } : { outcome: ruled }
}

function verdict(answer: KheishOutcome, event: HookEvent): Outcome {
  const stops = !answer.continue_execution
  const blocks = stops || answer.decision === 'block' || answer.permission === 'deny'
  const said = answer.stop_reason?.trim() ? bounded(answer.stop_reason) : undefined
  if (blocks) {
    const reason = said ?? defaultReason(event)
    return stops ? { decision: 'deny', reason, stop: reason } : { decision: 'deny', reason }
  }
  const reason = said === undefined ? {} : { reason: said }
  if (answer.permission === 'ask') return { decision: 'ask', ...reason }
  // Only a permission request can be granted: an approval elsewhere lets the operation go on, no more.
  const grants = answer.permission === 'allow' || answer.decision === 'approve'
  return grants && event.event_type === 'permission_request' ? { decision: 'allow', ...reason } : reason
}

/** Events on which Kheish handles an effect differently. */
const EVENT_RULES: Record<string, (outcome: Outcome, warnings: string[]) => Outcome> = {
  before_tool: (outcome, warnings) => {
    const kept = withoutRetry(outcome, warnings)
    if (kept.updated_input === undefined || kept.decision === 'deny') return kept
    return { ...kept, decision: 'deny', reason: INPUT_REFUSED }
  },
  after_tool: withoutRetry,
  after_tool_failure: withoutRetry,
  permission_request: (outcome, warnings) => {
    if (outcome.updated_permissions === undefined || outcome.decision === 'allow') return outcome
    warnings.push('updated_permissions count only together with permission "allow": ignored')
    const { updated_permissions: _, ...rest } = outcome
    return rest
  },
  permission_denied: (outcome, warnings) => {
    const { additional_context, retry, ...ignored } = outcome
    const names = Object.keys(ignored)
    if (names.length > 0)
      warnings.push(`permission_denied takes only retry and additional_contexts: ignored ${names.join(', ')}`)
    return {
      ...(additional_context && { additional_context }),
      ...(retry !== undefined && { retry }),
    }
  },
  // Kheish ends the run here, where other formats mean "go on working".
  before_stop: (outcome) =>
    outcome.decision === 'deny' ? { ...outcome, stop: outcome.stop ?? outcome.reason! } : outcome,
}

function withoutRetry(outcome: Outcome, warnings: string[]): Outcome {
  if (outcome.retry === undefined) return outcome
  warnings.push('retry counts only on permission_denied: ignored')
  const { retry: _, ...rest } = outcome
  return rest
}

/** Translates a rewritten input back to the form of the event; one that was fired in Kheish's own form stays as it is. */
function canonicalInput(input: Record<string, unknown>, event: HookEvent): Record<string, unknown> {
  const told = toolCall(event)?.name
  return told === undefined || told === event.tool_name ? input : toCanonicalTool(TOOLS, told, input).input
}

function defaultReason(event: HookEvent): string {
  const name = EVENT_NAMES.find((each) => EVENTS[each].event === event.event_type)
  const known = name === undefined ? undefined : eventInfo(name).blocked
  return known ?? `${name ?? event.event_type} blocked by hook`
}

function detail(stderr: string | undefined): string {
  const text = (stderr ?? '').trim()
  return text === '' ? '' : `: ${text}`
}

function bounded(reason: string): string {
  return [...reason].slice(0, MAX_REASON_CHARS).join('')
}
