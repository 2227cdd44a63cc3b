/** What a hook of this format answered: exit code and streams of a script, or an outcome as a value. */

import type { Decoded } from '../../spec/dialect.ts'
import { eventRow, type HookEvent } from '../../spec/event.ts'
import type { RawResult } from '../../spec/executor.ts'
import type { Hook } from '../../spec/hook.ts'
import { failure, type Outcome } from '../../spec/outcome.ts'
import { readOutcome } from './outcome.ts'

const BLOCK = 2

export function decode(raw: RawResult, event: HookEvent, hook: Hook): Decoded {
  if (raw.exit_code !== undefined || raw.signal) return decodeProcess(raw, event, hook)
  if (raw.status !== undefined && (raw.status < 200 || raw.status > 299))
    return { outcome: httpFailure(raw.status) }
  if (raw.value === undefined && raw.stdout !== undefined)
    return decodeText(raw.stdout, 'The answer', event, hook)
  return decodeValue(raw.value, 'The answer', event, hook)
}

function decodeProcess(raw: RawResult, event: HookEvent, hook: Hook): Decoded {
  const stderr = raw.stderr?.trim() ?? ''
  if (raw.exit_code === BLOCK) {
    const reason = stderr || `Blocked by hook (exit code ${BLOCK})`
    return { outcome: { decision: 'deny', reason, user_message: reason } }
  }
  if (raw.exit_code !== 0) {
    const how = raw.signal ? `was ended by ${raw.signal}` : `exited with code ${raw.exit_code}`
    return {
      outcome: failure(`The script ${how}${stderr ? `: ${stderr}` : '.'}`, {
        exit_code: raw.exit_code ?? null,
      }),
    }
  }
  const decoded = decodeText(
    raw.stdout ?? '',
    raw.truncated ? 'stdout (cut at the limit)' : 'stdout',
    event,
    hook,
  )
  return stderr ? { ...decoded, outcome: withLog(decoded.outcome, stderr) } : decoded
}

function decodeText(text: string, what: string, event: HookEvent, hook: Hook): Decoded {
  const trimmed = text.trim()
  if (trimmed === '') return { outcome: {} }
  let value: unknown
  try {
    value = JSON.parse(trimmed)
  } catch {
    return { outcome: {}, warnings: [`${what} is not JSON and was ignored (${trimmed.length} characters).`] }
  }
  if (value === null) return { outcome: {}, warnings: [notObject(what, value)] }
  return decodeValue(value, what, event, hook)
}

function decodeValue(value: unknown, what: string, event: HookEvent, hook: Hook): Decoded {
  if (value === undefined || value === null) return { outcome: {} }
  if (typeof value !== 'object' || Array.isArray(value))
    return { outcome: {}, warnings: [notObject(what, value)] }
  const { outcome, warnings } = readOutcome(value as Record<string, unknown>, eventRow(event.event_type))
  if (outcome.decision === 'deny') outcome.reason ||= `Blocked by hook '${hook.name}'`
  if (outcome.reason && (outcome.decision === 'deny' || outcome.decision === 'ask'))
    outcome.user_message ??= outcome.reason
  return warnings.length > 0 ? { outcome, warnings } : { outcome }
}

function notObject(what: string, value: unknown): string {
  const kind = value === null ? 'null' : Array.isArray(value) ? 'a list' : `a ${typeof value}`
  return `${what} is ${kind}, not a JSON object, and was ignored.`
}

function withLog<T extends Decoded['outcome']>(outcome: T, stderr: string): T | Outcome {
  if ('failed' in outcome) return outcome
  return { ...outcome, log: outcome.log === undefined ? stderr : `${outcome.log}\n${stderr}` }
}

function httpFailure(status: number) {
  const retryable = status >= 500 || status === 429 || status === 408
  return failure(`The server answered with status ${status}.`, { retryable })
}
