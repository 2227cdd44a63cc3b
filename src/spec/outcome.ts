/** What a hook answers, in one vocabulary for every format. */

import type { EFFECTS, EffectRows, PermissionUpdate } from './effects.ts'
import { DECISIONS } from './effects.ts'
import type { Typed } from './schema.ts'

export { DECISIONS, type PermissionUpdate }
export type Decision = (typeof DECISIONS)[number]

/** What a hook answers: any part of the table of effects. */
export type Outcome = OutcomeOf<typeof EFFECTS>

export type OutcomeOf<Rows extends EffectRows> = {
  -readonly [Field in keyof Rows]?: Typed<Rows[Field]['schema']>
}

/** Effects in which agents differ; a plain deny or allow is not one of them. */
export type Effect = {
  [Field in keyof typeof EFFECTS]: NonNullable<(typeof EFFECTS)[Field]['needs']>['effect']
}[keyof typeof EFFECTS]

/** A hook that failed. A value, never an exception. */
export interface Failure {
  failed: true
  kind: 'failed' | 'timed_out'
  message: string
  /** Trying again may help. */
  retryable: boolean
  retry_after?: number
  exit_code?: number | null
  /** Its program ran confined. */
  confined?: true
  /** US dollars. */
  cost_usd?: number
  /** What the hook's format tells the person about a failure that lets the operation go on. */
  user_message?: string
}

export function failure(message: string, more: Partial<Omit<Failure, 'failed' | 'message'>> = {}): Failure {
  return { failed: true, kind: 'failed', retryable: true, ...more, message }
}

export function isFailure(value: unknown): value is Failure {
  return typeof value === 'object' && value !== null && (value as Failure).failed === true
}

/**
 * What a function answered. Getters and proxies run here, and may throw. An object without fields that is not a plain one,
 * such as a Map, says something that cannot be read.
 */
export function answerOf(value: unknown): Outcome | Failure {
  if (value === undefined || value === null) return {}
  if (typeof value !== 'object' || Array.isArray(value))
    return notAnOutcome(Array.isArray(value) ? 'list' : typeof value)
  try {
    const fields: [string, unknown][] = []
    for (const field in value) fields.push([field, (value as Record<string, unknown>)[field]])
    if (fields.length === 0 && !isPlain(value)) return notAnOutcome(value.constructor?.name || 'object')
    return Object.fromEntries(fields) as Outcome
  } catch (thrown) {
    return failure(`answered with an object that cannot be read: ${String(thrown)}`, { retryable: false })
  }
}

function notAnOutcome(kind: string): Failure {
  return failure(`answered with a ${kind}, not an outcome`, { retryable: false })
}

/** Also an object of another realm. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

export const STATUSES = ['allowed', 'blocked', 'failed', 'timed_out', 'skipped', 'background'] as const
export type Status = (typeof STATUSES)[number]

export const SKIP_REASONS = [
  'no_match',
  'untrusted',
  'disabled',
  'invalid',
  'overridden',
  'short_circuit',
  'skipped_by_hook',
  'dry_run',
] as const
export type SkipReason = (typeof SKIP_REASONS)[number]

/** How one hook ended, for the result, the journal and people. */
export interface HookReport {
  name: string
  format: string
  scope: string
  status: Status
  exit_code: number | null
  duration_ms: number
  attempts: number
  reason: string | null
  error: string | null
  skipped: SkipReason | null
  /** The step of the plan in which it would run: hooks of one step start together. Only in dry runs. */
  step?: number
  /** The answer came from the cache. */
  cached?: true
  /** Reported after the answer: the hook was not awaited. */
  background?: true
  /** What its model cost, in US dollars, where the settings name a price. */
  cost_usd?: number
  /** It wants a person to decide. */
  asked?: true
  /** It changed the input. */
  rewrote?: true
  /** For a shadow hook: what it would have decided. */
  shadow?: Decision
  /** Its program ran confined. A hook that asks for it and cannot have it fails, with the reason in `error`. */
  confined?: true
  /** It asks for the agent's command to run confined. */
  confines?: true
  /** A text that the hook wants logged. */
  log?: string
  /** Things a person should know: ignored effects, malformed output, text on stderr. */
  warnings?: string[]
}

type Shown = {
  [Field in keyof typeof EFFECTS]: (typeof EFFECTS)[Field]['result'] extends null ? never : Field
}[keyof typeof EFFECTS]

/** What `fire` returns: the merged outcome with every field there, and how each hook ended. */
export type FireResult = { event_type: string } & {
  -readonly [Field in Shown]: ResultValue<Field>
} & { hooks: HookReport[] }

/** Null when no hook gave a value, unless the row says otherwise. */
type ResultValue<Field extends Shown> = (typeof EFFECTS)[Field]['result'] extends { empty: null }
  ? Typed<(typeof EFFECTS)[Field]['schema']> | null
  : Typed<(typeof EFFECTS)[Field]['schema']>
