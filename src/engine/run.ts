/** Executes the steps of a plan for one event and returns one outcome. */

import { now, roundedMs } from '../fast/clock.ts'
import { sameEnvironment } from '../fast/event-environment.ts'
import { eventRow, type HookEvent } from '../spec/event.ts'
import type { Hook, Scope } from '../spec/hook.ts'
import type { Failure, HookReport, Outcome, SkipReason } from '../spec/outcome.ts'
import { failure, isFailure } from '../spec/outcome.ts'
import { type Answer, attempt, type Tried } from './attempt.ts'
import { accepted, isBlock, malformed, merge, objection, refuse } from './merge.ts'
import type { Planned, Step } from './plan.ts'

/** Functions that the caller provides to the engine. */
export interface Lent {
  execute(
    planned: Planned,
    event: HookEvent,
    call: { readonly signal: AbortSignal; timeout: number; attempt: number },
  ): Answer | Promise<Answer>
  /** Starts a hook without waiting for it. */
  background(planned: Planned, event: HookEvent): void
  started?(hook: Hook): void
  ended?(hook: Hook, report: HookReport): void
}

export interface Ran {
  outcome: Outcome
  reports: HookReport[]
  /** The event as the last hook saw it. */
  event: HookEvent
  /** Which hook added which context. */
  contexts: { hook: Hook; texts: string[] }[]
}

/** Returns a promise only when it has to wait for a hook. */
export function run(steps: readonly Step[], event: HookEvent, lent: Lent): Ran | Promise<Ran> {
  return take(steps, begin(event, lent))
}

/**
 * Continues where another runner stopped: the only hook of step `index` has answered, the hooks before it said nothing.
 */
export function resume(
  steps: readonly Step[],
  event: HookEvent,
  lent: Lent,
  at: { index: number; reports: HookReport[]; settled: Settled },
): Ran | Promise<Ran> {
  const state = begin(event, lent)
  state.reports = at.reports
  settle(state, steps[at.index]!.hooks[0]!.hook, at.settled)
  return take(steps.slice(at.index + 1), state)
}

interface State {
  lent: Lent
  /** As it came, or as the runner before left it. */
  given: HookEvent
  event: HookEvent
  outcome: Outcome
  reports: HookReport[]
  contexts: Ran['contexts']
  /** What hooks passed on, by name. */
  data: Record<string, unknown>
  /** The hook that asked to skip the rest. */
  skipper?: Hook
  /** The rewritten input that is reported although the operation is refused. */
  refusedInput?: Outcome['updated_input']
}

function begin(event: HookEvent, lent: Lent): State {
  return { lent, given: event, event, outcome: {}, reports: [], contexts: [], data: {} }
}

function take(steps: readonly Step[], state: State): Ran | Promise<Ran> {
  state.given = state.event
  for (let i = 0; i < steps.length; i++) {
    const waiting = pass(state, steps[i]!)
    if (waiting) return takeRest(waiting, steps, state, i + 1)
  }
  return over(state)
}

async function takeRest(
  waiting: Promise<void>,
  steps: readonly Step[],
  state: State,
  from: number,
): Promise<Ran> {
  await waiting
  for (let i = from; i < steps.length; i++) await pass(state, steps[i]!)
  return over(state)
}

function over(state: State): Ran {
  const { reports, event, contexts, refusedInput } = state
  const outcome = refuse(state.outcome)
  if (refusedInput !== undefined) outcome.updated_input ??= refusedInput
  return { outcome, reports, event, contexts }
}

/** Returns a promise only when it has to wait: most hooks of most plans do not match, or answer at once. */
function pass(state: State, step: Step): Promise<void> | undefined {
  // Judging a rewritten input may need libraries that the original did not.
  if (state.event === state.given) return passReady(state, step)
  return loaded(state.event, step).then(() => passReady(state, step))
}

async function loaded(event: HookEvent, { hooks }: Step): Promise<void> {
  for (const { matcher } of hooks) await matcher.load(event)
}

function passReady(state: State, { mode, hooks }: Step): Promise<void> | undefined {
  if (mode === 'sequence') return passOne(state, hooks[0]!)
  const due = hooks.filter((planned) => isDue(state, planned))
  if (mode !== 'background') return due.length > 0 ? startTogether(state, due) : undefined
  for (const planned of due) startInBackground(state, planned)
  return undefined
}

function passOne(state: State, planned: Planned): Promise<void> | undefined {
  if (planned.hook.unless_refused) {
    if (isBlock(state.outcome)) return undefined
    const loading = planned.matcher.load(state.event)
    if (loading) return loading.then(() => runOne(state, planned))
  }
  return runOne(state, planned)
}

function runOne(state: State, planned: Planned): Promise<void> | undefined {
  if (!isDue(state, planned)) return undefined
  const settled = start(state, planned)
  if (settled instanceof Promise) return settled.then((late) => settle(state, planned.hook, late))
  settle(state, planned.hook, settled)
  return undefined
}

/** Does it match, and may it run? A hook that may not is reported as skipped; one that cannot be judged has failed. */
function applies(state: State, { hook, matcher, gate }: Planned): boolean {
  const matches = matcher.names?.failed ?? (matcher.rest === null || matcher.rest(state.event))
  if (matches === false) return false
  const barred = gate?.()
  if (barred) state.reports.push(skipped(hook, barred))
  if (barred) return false
  if (hook.broken !== undefined) return missing(state, hook, hook.broken)
  // A text made to exhaust the time limit must not bypass a hook that fails open, so the hook runs.
  if (matches === true || (matches.isLate && hook.on_failure === 'open')) return true
  settle(state, hook, { outcome: failure(matches.because, { retryable: false }), attempts: 0, duration: 0 })
  return false
}

/** A hook that did not load: failed where it must not fail open, else reported as not run. */
function missing(state: State, hook: Hook, why: string): false {
  if (hook.on_failure === 'closed')
    settle(state, hook, { outcome: failure(why, { retryable: false }), attempts: 0, duration: 0 })
  else state.reports.push({ ...skipped(hook, 'invalid'), error: why })
  return false
}

function isDue(state: State, planned: Planned): boolean {
  return applies(state, planned) && mayStart(state, planned.hook)
}

/** False and reported as skipped, when an earlier answer skips this hook. */
function mayStart(state: State, hook: Hook): boolean {
  const reason = whySkip(state, hook)
  if (reason !== null) state.reports.push(skipped(hook, reason))
  return reason === null
}

function startInBackground(state: State, planned: Planned): void {
  state.lent.background(planned, state.event)
  state.reports.push(report(planned.hook, 'background', 0))
}

/** Starts the hooks in rank order and merges their answers in rank order. */
async function startTogether(state: State, batch: readonly Planned[]): Promise<void> {
  const answers = await Promise.all(batch.map((planned) => start(state, planned)))
  for (const [i, answer] of answers.entries()) settle(state, batch[i]!.hook, answer)
}

/** Returns a promise only when it has to wait. */
function start(state: State, planned: Planned): Settled | Promise<Settled> {
  const started = now()
  state.lent.started?.(planned.hook)
  const tried = attempt(planned, chained(state, planned.hook), state.lent, started)
  const settled = (answer: Tried): Settled => ({ ...answer, duration: now() - started })
  return tried instanceof Promise ? tried.then(settled) : settled(tried)
}

/** A hook with `after` also sees the data that the hooks before it passed on. */
function chained({ event, data }: State, { after }: Hook): HookEvent {
  if (!after?.length) return event
  return {
    ...event,
    data: Object.fromEntries(after.filter((name) => name in data).map((name) => [name, data[name]])),
  }
}

export interface Settled extends Answer {
  attempts: number
  /** Milliseconds. */
  duration: number
}

function settle(state: State, hook: Hook, settled: Settled): void {
  const entry = report(hook, 'allowed', settled.duration)
  entry.attempts = settled.attempts
  entry.exit_code = settled.exit_code ?? null
  if (settled.cached) entry.cached = true
  if (settled.confined) entry.confined = true
  if (settled.cost_usd) entry.cost_usd = settled.cost_usd
  const warnings = settled.warnings ? [...settled.warnings] : []
  let outcome: Outcome
  const answered = carriedOut(settled.outcome, state.event, hook)
  if (isFailure(answered)) {
    outcome = failed(hook, answered, entry)
    // Tell people once when several hooks failed for the same reason.
    if (state.reports.some(({ error }) => error === entry.error)) delete outcome.user_message
  } else {
    outcome = accepted(answered, hook, state.event.event_type, warnings)
    if (isLeftOut(state, hook)) outcome = objection(outcome, state.skipper!, warnings)
    if (isBlock(outcome)) entry.status = 'blocked'
    else if (outcome.decision === 'ask') entry.asked = true
    if (outcome.updated_input !== undefined) entry.rewrote = true
    if (outcome.confine !== undefined) entry.confines = true
    entry.reason = outcome.reason ?? outcome.stop ?? null
    if (outcome.log !== undefined) entry.log = outcome.log
  }
  if (hook.shadow) outcome = shadowed(outcome, entry)
  if (warnings.length > 0) entry.warnings = warnings
  if (outcome.additional_context) state.contexts.push({ hook, texts: outcome.additional_context })
  if (outcome.data) state.data[hook.name] = outcome.data
  // A hook that names only the fields it changes leaves the others as they are: agents replace the whole input.
  if (outcome.updated_input && hook.input_merge === 'shallow')
    outcome = {
      ...outcome,
      updated_input: { ...(state.event.tool_input as object), ...outcome.updated_input },
    }
  state.outcome = merge(state.outcome, outcome, hook)
  if (outcome.skip) state.skipper ??= hook
  if (hook.reports_refused_input && isBlock(outcome) && outcome.updated_input !== undefined)
    state.refusedInput = outcome.updated_input
  if (outcome.updated_input !== undefined)
    state.event = sameEnvironment(state.event, {
      ...state.event,
      ...rewritten(state.event, state.outcome.updated_input!),
    })
  state.reports.push(entry)
  state.lent.ended?.(hook, entry)
}

/** Puts what a shadow hook would have decided into the report; its answer does not count. */
function shadowed(outcome: Outcome, entry: HookReport): Outcome {
  entry.shadow = isBlock(outcome) ? 'deny' : outcome.decision === 'ask' ? 'ask' : 'allow'
  if (entry.status === 'blocked') entry.status = 'allowed'
  delete entry.asked
  delete entry.rewrote
  delete entry.confines
  return {}
}

/** A refusal counts even when the rest of the answer is malformed. */
function carriedOut(answer: Outcome | Failure, event: HookEvent, hook: Hook): Outcome | Failure {
  if (isFailure(answer)) return answer
  const wrong = malformed(answer, event, hook)
  if (wrong === undefined) return answer
  if (!isBlock(answer)) return failure(`it ${wrong}`, { retryable: false })
  const { decision, reason, user_message } = answer
  const kept = typeof reason === 'string' ? reason : `Blocked by a hook that ${wrong}`
  return {
    ...(decision === 'deny' ? { decision } : {}),
    reason: kept,
    ...(typeof answer.stop === 'string'
      ? { stop: answer.stop }
      : answer.stop === undefined
        ? {}
        : { stop: kept }),
    ...(typeof user_message === 'string' ? { user_message } : {}),
  }
}

/** Later hooks see the rewritten input in the field where the event keeps it. */
function rewritten(event: HookEvent, input: Record<string, unknown>): Record<string, unknown> {
  return eventRow(event.event_type).tool ? { tool_input: input } : input
}

/** Applies the hook's failure policy: no effect, or a block that names the failure. */
function failed(hook: Hook, failure: Failure, entry: HookReport): Outcome {
  entry.status = failure.kind
  entry.error = failure.message
  entry.exit_code = failure.exit_code ?? null
  if (hook.on_failure === 'open' || !hook.blocks)
    return failure.user_message === undefined ? {} : { user_message: failure.user_message }
  const tries = entry.attempts > 0 ? ` after ${entry.attempts} attempt(s)` : ''
  const text = `hook \`${hook.name}\` failed${tries}: ${failure.message}`
  entry.reason = text
  const outcome: Outcome = { decision: 'deny', reason: text, user_message: text }
  return hook.failure_stops ? { ...outcome, stop: text } : outcome
}

/** A block skips the later steps, but no hook of the same concurrent step. */
function whySkip(state: State, hook: Hook): SkipReason | null {
  if (hook.mode !== 'concurrent' && isBlock(state.outcome)) return 'short_circuit'
  return hook.mode !== 'background' && isLeftOut(state, hook) ? 'skipped_by_hook' : null
}

/** A hook may skip the rest, except hooks of a stronger scope: a weaker scope may only tighten. */
function isLeftOut({ skipper }: State, { scope }: Hook): boolean {
  return skipper !== undefined && STRENGTH[scope] <= STRENGTH[skipper.scope]
}

/** Sources that the caller names count as the user's; a program's hooks cannot skip the user's guards. */
const STRENGTH: Record<Scope, number> = { managed: 4, user: 3, source: 3, sdk: 2, project: 1 }

function skipped(hook: Hook, why: SkipReason): HookReport {
  const entry = report(hook, 'skipped', 0)
  entry.skipped = why
  return entry
}

export function report(hook: Hook, status: HookReport['status'], duration: number): HookReport {
  return {
    name: hook.name,
    format: hook.format,
    scope: hook.scope,
    status,
    exit_code: null,
    duration_ms: roundedMs(duration),
    attempts: 0,
    reason: null,
    error: null,
    skipped: null,
  }
}
