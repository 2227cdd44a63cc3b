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
  const read =
    raw.value === undefined && raw.stdout !== undefined
      ? readText(raw.stdout, event, hook)
      : readValue(raw.value, event, hook)
  // The specification forgives a script that prints something else; a server, a model or a function has
  // nothing else to say, so then it has not done its work.
  return 'useless' in read ? { outcome: failure(`The answer ${read.useless}.`) } : read
}

function decodeProcess(raw: RawResult, event: HookEvent, hook: Hook): Decoded {
  const stderr = raw.stderr?.trim() ?? ''
  if (raw.exit_code === BLOCK) {
    const reason = stderr || `Blocked by hook (exit code ${BLOCK})`
    return { outcome: { decision: 'deny', reason, user_message: reason } }
  }
  if (raw.exit_code !== 0) {
    const how = raw.signal ? `was ended by ${raw.signal}` : `exited with code ${raw.exit_code}`
    const message = `The script ${how}${stderr ? `: ${stderr}` : '.'}`
    return { outcome: failure(message, { exit_code: raw.exit_code ?? null }) }
  }
  const read = readText(raw.stdout ?? '', event, hook)
  const cut = raw.truncated ? ' (it was cut at the limit)' : ''
  const decoded =
    'useless' in read
      ? { outcome: {} as Outcome, warnings: [`stdout ${read.useless} and was ignored${cut}.`] }
      : read
  const { log } = decoded.outcome
  if (stderr) decoded.outcome.log = log === undefined ? stderr : `${log}\n${stderr}`
  return decoded
}

/** An outcome, or why there is none. */
type Read = { outcome: Outcome; warnings?: string[] } | { useless: string }

function readText(text: string, event: HookEvent, hook: Hook): Read {
  const trimmed = text.trim()
  if (trimmed === '') return { outcome: {} }
  let value: unknown
  try {
    value = JSON.parse(trimmed)
  } catch {
    return { useless: `is not JSON (${trimmed.length} characters)` }
  }
  return value === null ? { useless: 'is null, not a JSON object' } : readValue(value, event, hook)
}

function readValue(value: unknown, event: HookEvent, hook: Hook): Read {
  if (value === undefined || value === null) return { outcome: {} }
  if (typeof value !== 'object' || Array.isArray(value))
    return { useless: `is a ${Array.isArray(value) ? 'list' : typeof value}, not a JSON object` }
  const { outcome, warnings } = readOutcome(value as Record<string, unknown>, eventRow(event.event_type))
  if (outcome.decision === 'deny') outcome.reason ||= `Blocked by hook '${hook.name}'`
  if (outcome.reason && (outcome.decision === 'deny' || outcome.decision === 'ask'))
    outcome.user_message ??= outcome.reason
  return warnings.length > 0 ? { outcome, warnings } : { outcome }
}
