/** What a hook of this format answered: exit code and streams of a script, or an outcome as a value. */

import { looksLikeAnswer } from '../../spec/attempted.ts'
import type { Decoded } from '../../spec/dialect.ts'
import { eventRow, type HookEvent } from '../../spec/event.ts'
import type { RawResult } from '../../spec/executor.ts'
import type { Hook } from '../../spec/hook.ts'
import { parseJson } from '../../spec/json.ts'
import { failure, isFailure, type Outcome } from '../../spec/outcome.ts'
import { readOutcome } from './outcome.ts'

const BLOCK = 2

export function decode(raw: RawResult, event: HookEvent, hook: Hook): Decoded {
  if (raw.exit_code !== undefined || raw.signal) return decodeProcess(raw, event, hook)
  // `null` from a server is no answer; from a function it means "no effect".
  const read =
    (raw.value ?? undefined) === undefined && raw.stdout !== undefined
      ? readText(raw.stdout, event, hook)
      : readValue(raw.value, event, hook)
  // A server, a model or a function must answer with an outcome: anything else is a failure.
  return 'unread' in read ? { outcome: failure(`The answer ${read.unread}.`) } : read
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
  const read = readText(raw.stdout ?? '', event, hook, raw.truncated)
  const decoded = 'unread' in read ? unreadOutput(read, hook) : read
  if (stderr && !isFailure(decoded.outcome)) {
    const { log } = decoded.outcome
    decoded.outcome.log = log === undefined ? stderr : `${log}\n${stderr}`
  }
  return decoded
}

/** The specification allows plain text from a script that succeeds. A script that fails closed must print an answer or nothing. */
function unreadOutput({ unread, isPlain }: Unread, hook: Hook): Decoded {
  const isIgnored = isPlain && hook.on_failure === 'open'
  const warnings = [`stdout ${unread}${isIgnored ? ' and was ignored' : ''}.`]
  if (isIgnored) return { outcome: {}, warnings }
  const message = `The script exited with code 0, but stdout ${unread}. An answer is one JSON object; other text belongs on stderr.`
  return { outcome: failure(message, { exit_code: 0 }), warnings }
}

interface Unread {
  /** Why the text is not an answer. */
  unread: string
  /** Plain text that does not look like an answer. */
  isPlain?: boolean
}

/** An outcome, or why there is none. */
type Read = { outcome: Outcome; warnings?: string[] } | Unread

function readText(text: string, event: HookEvent, hook: Hook, isCut = false): Read {
  // The answer may be in the part that was cut off.
  if (isCut) return { unread: `is longer than ${hook.output_limit} bytes and was cut` }
  const trimmed = text.trim()
  if (trimmed === '') return { outcome: {} }
  const isPlain = !looksLikeAnswer(trimmed)
  let value: unknown
  try {
    value = parseJson(trimmed)
  } catch {
    return { unread: `is not JSON (${trimmed.length} characters)`, isPlain }
  }
  return value === null ? { unread: 'is null, not a JSON object' } : readValue(value, event, hook)
}

function readValue(value: unknown, event: HookEvent, hook: Hook): Read {
  if (value === undefined || value === null) return { outcome: {} }
  if (typeof value !== 'object' || Array.isArray(value))
    return { unread: `is a ${Array.isArray(value) ? 'list' : typeof value}, not a JSON object` }
  const { outcome, warnings, unread } = readOutcome(
    value as Record<string, unknown>,
    eventRow(event.event_type),
  )
  if (unread.length > 0 && !stands(outcome, hook))
    return { unread: `is JSON that cannot be read: ${unread.join(' ').replace(/\.$/, '')}` }
  if (outcome.decision === 'deny') outcome.reason ||= `Blocked by hook '${hook.name}'`
  if (outcome.reason && (outcome.decision === 'deny' || outcome.decision === 'ask'))
    outcome.user_message ??= outcome.reason
  const said = [...warnings, ...unread]
  return said.length > 0 ? { outcome, warnings: said } : { outcome }
}

/** A deny counts even if other fields are invalid; an ask too, unless a failure of the hook would deny. */
function stands({ decision, stop }: Outcome, { on_failure }: Hook): boolean {
  return decision === 'deny' || stop !== undefined || (decision === 'ask' && on_failure === 'open')
}
