/** Many outcomes → one. Every field has exactly one rule; a new field does not compile without its own. */

import type { Hook } from '../spec/hook.ts'
import type { Decision, Outcome } from '../spec/outcome.ts'

type Rules = {
  [Field in keyof Outcome]-?: (
    merged: Outcome,
    next: Outcome,
    hook: Pick<Hook, 'input_merge'>,
  ) => Outcome[Field]
}

/** deny > ask > retry > skip > allow > nothing */
const STRENGTH: Record<Decision, number> = { allow: 1, ask: 4, deny: 5 }

const RULES: Rules = {
  decision: (a, b) => (strength(b) > strength(a) ? b.decision : a.decision),
  // The reason belongs to the decision that won; among equals the first one speaks.
  reason: (a, b) => (strength(b) > strength(a) || a.reason === undefined ? (b.reason ?? a.reason) : a.reason),
  user_message: (a, b) => joinLines(a.user_message, b.user_message),
  updated_input: (a, b, hook) =>
    b.updated_input === undefined
      ? a.updated_input
      : hook.input_merge === 'shallow'
        ? { ...a.updated_input, ...b.updated_input }
        : b.updated_input,
  updated_output: (a, b) => (b.updated_output === undefined ? a.updated_output : b.updated_output),
  additional_context: (a, b) => concat(a.additional_context, b.additional_context),
  stop: (a, b) => a.stop ?? b.stop,
  retry: (a, b) => (a.retry === undefined || (b.retry ?? -1) > a.retry ? b.retry : a.retry),
  skip: (a, b) => a.skip || b.skip,
  updated_permissions: (a, b) => concat(a.updated_permissions, b.updated_permissions),
  initial_user_message: (a, b) => a.initial_user_message ?? b.initial_user_message,
  watch_paths: (a, b) => {
    const all = concat(a.watch_paths, b.watch_paths)
    return all && [...new Set(all)].sort()
  },
  data: (a, b) => (a.data && b.data ? { ...a.data, ...b.data } : (b.data ?? a.data)),
  log: (a, b) => joinLines(a.log, b.log),
}

const FIELDS = Object.keys(RULES) as (keyof Outcome)[]

/** `next` joined to what is merged already, in the order in which hooks rank. */
export function merge(merged: Outcome, next: Outcome, hook: Pick<Hook, 'input_merge'>): Outcome {
  if (isEmpty(next)) return merged
  const out: Outcome = {}
  for (const field of FIELDS) set(out, field, RULES[field](merged, next, hook))
  return out
}

/** Most hooks have nothing to say. */
function isEmpty(outcome: Outcome): boolean {
  for (const _ in outcome) return false
  return true
}

/** Does it stop the operation? */
export function isBlock(outcome: Outcome): boolean {
  return outcome.decision === 'deny' || outcome.stop !== undefined
}

function set<Field extends keyof Outcome>(out: Outcome, field: Field, value: Outcome[Field]): void {
  if (value !== undefined) out[field] = value
}

function strength(outcome: Outcome): number {
  if (outcome.decision !== undefined && outcome.decision !== 'allow') return STRENGTH[outcome.decision]
  if (outcome.retry !== undefined) return 3
  if (outcome.skip) return 2
  return outcome.decision === undefined ? 0 : STRENGTH[outcome.decision]
}

function concat<T>(a: T[] | undefined, b: T[] | undefined): T[] | undefined {
  return a && b ? [...a, ...b] : (b ?? a)
}

function joinLines(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined || b === undefined || a === b) return a ?? b
  return a.split('\n').includes(b) ? a : `${a}\n${b}`
}
