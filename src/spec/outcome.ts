/** What a hook answers, in one vocabulary for every format. */

export const DECISIONS = ['allow', 'ask', 'deny'] as const
export type Decision = (typeof DECISIONS)[number]

export interface PermissionUpdate {
  scope: 'user' | 'project' | 'session'
  tool_name_pattern: string
  behavior: Decision
  reason?: string
}

export interface Outcome {
  decision?: Decision
  /** For the model. */
  reason?: string
  /** For the person. */
  user_message?: string
  updated_input?: Record<string, unknown>
  updated_output?: unknown
  additional_context?: string[]
  /** Do not go on, and why (never empty). */
  stop?: string
  /** Try the operation again after so many milliseconds. */
  retry?: number
  /** Leave out the hooks that have not started. */
  skip?: boolean
  updated_permissions?: PermissionUpdate[]
  initial_user_message?: string
  watch_paths?: string[]
  /** Passed on to hooks that come `after` this one. */
  data?: Record<string, unknown>
  /** For the journal and the debug log only. */
  log?: string
}

/** Effects that agents differ in; a plain deny or allow is not among them. */
export type Effect =
  | 'ask'
  | 'updated_input'
  | 'updated_output'
  | 'additional_context'
  | 'stop'
  | 'retry'
  | 'updated_permissions'
  | 'initial_user_message'
  | 'watch_paths'

/** A hook that did not do its work. A value, never an exception. */
export interface Failure {
  failed: true
  kind: 'failed' | 'timed_out'
  message: string
  /** Trying again may help. */
  retryable: boolean
  retry_after?: number
  exit_code?: number | null
  /** What the hook's format tells the person of a failure that lets the operation go on. */
  user_message?: string
}

export function failure(message: string, more: Partial<Omit<Failure, 'failed' | 'message'>> = {}): Failure {
  return { failed: true, kind: 'failed', retryable: true, ...more, message }
}

export function isFailure(value: unknown): value is Failure {
  return typeof value === 'object' && value !== null && (value as Failure).failed === true
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
  /** The answer came from the cache. */
  cached?: true
  /** What the hook wants to have logged. */
  log?: string
  /** Things a person should know: ignored effects, malformed output, text on stderr. */
  warnings?: string[]
}

/** What `fire` returns: the merged outcome with every field there, and how each hook ended. */
export interface FireResult {
  event_type: string
  decision: Decision
  reason: string | null
  user_message: string | null
  updated_input: Record<string, unknown> | null
  updated_output: unknown
  additional_context: string[]
  stop: string | null
  retry: number | null
  updated_permissions: PermissionUpdate[] | null
  initial_user_message: string | null
  watch_paths: string[] | null
  hooks: HookReport[]
}
