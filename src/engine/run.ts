/** Executes the steps of a plan for one event; one outcome comes out. */

import { now } from '../fast/clock.ts'
import { sameEnvironment } from '../spec/environment.ts'
import { eventRow, type HookEvent } from '../spec/event.ts'
import type { Hook, Scope } from '../spec/hook.ts'
import type { Failure, HookReport, Outcome, SkipReason } from '../spec/outcome.ts'
import { failure, isFailure } from '../spec/outcome.ts'
import { accepted, malformed, objection } from './accept.ts'
import { type Answer, attempt, type Tried } from './attempt.ts'
import { isBlock, merge, refuse } from './merge.ts'
import type { Planned, Step } from './plan.ts'

/** What the engine is lent by whoever runs it. */
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

export function run(steps: readonly Step[], event: HookEvent, lent: Lent): Promise<Ran> {
  return take(steps, begin(event, lent))
}

/** Goes on where another runner stopped: the only hook of step `index` has given its answer, those before it had none. */
export function resume(
  steps: readonly Step[],
  event: HookEvent,
  lent: Lent,
  at: { index: number; reports: HookReport[]; settled: Settled },
): Promise<Ran> {
  const state = begin(event, lent)
  state.reports = at.reports
  settle(state, steps[at.index]!.hooks[0]!.hook, at.settled)
  return take(steps.slice(at.index + 1), state)
}

interface State {
  lent: Lent
  event: HookEvent
  outcome: Outcome
  reports: HookReport[]
  contexts: Ran['contexts']
  /** What hooks passed on, by name. */
  data: Record<string, unknown>
  /** Who asked to leave out the rest. */
  skipper?: Hook
  /** The rewritten input that is reported although the operation is refused. */
  refusedInput?: Outcome['updated_input']
}

function begin(event: HookEvent, lent: Lent): State {
  return { lent, event, outcome: {}, reports: [], contexts: [], data: {} }
}

async function take(steps: readonly Step[], state: State): Promise<Ran> {
  const given = state.event
  for (const { mode, hooks } of steps) {
    // A rewritten input may need libraries to be judged that the one before did not.
    if (state.event !== given) for (const { matcher } of hooks) await matcher.load(state.event)
    // Most hooks of most plans do not match: those are not worth a list or a turn of the event loop.
    if (mode === 'sequence') {
      const [planned] = hooks as readonly [Planned]
      if (planned.hook.unless_refused) {
        if (isBlock(state.outcome)) continue
        const loading = planned.matcher.load(state.event)
        if (loading) await loading
      }
      if (!isDue(state, planned)) continue
      const settled = start(state, planned)
      settle(state, planned.hook, settled instanceof Promise ? await settled : settled)
      continue
    }
    const due = hooks.filter((planned) => isDue(state, planned))
    if (mode === 'background') for (const planned of due) startInBackground(state, planned)
    else if (due.length > 0) await startTogether(state, due)
  }
  const { reports, event, contexts, refusedInput } = state
  const outcome = refuse(state.outcome)
  if (refusedInput !== undefined) outcome.updated_input ??= refusedInput
  return { outcome, reports, event, contexts }
}

/** Does it match, and may it run? One that may not is reported as skipped; one that nobody can judge has failed. */
function applies(state: State, { hook, matcher, gate }: Planned): boolean {
  const matches = matcher.unjudged() ?? (matcher.rest === null || matcher.rest(state.event))
  if (matches === false) return false
  const barred = gate?.()
  if (barred) state.reports.push(skipped(hook, barred))
  if (barred) return false
  if (hook.broken !== undefined) return missing(state, hook, hook.broken)
  // A text made to take too long must not lead past a hook that fails open: it runs.
  if (matches === true || (matches.isLate && hook.on_failure === 'open')) return true
  settle(state, hook, { outcome: failure(matches.because, { retryable: false }), attempts: 0, duration: 0 })
  return false
}

/** A hook that did not load: it has failed where it must not fail open, else it is reported as not run. */
function missing(state: State, hook: Hook, why: string): false {
  if (hook.on_failure === 'closed')
    settle(state, hook, { outcome: failure(why, { retryable: false }), attempts: 0, duration: 0 })
  else state.reports.push({ ...skipped(hook, 'invalid'), error: why })
  return false
}

function isDue(state: State, planned: Planned): boolean {
  return applies(state, planned) && mayStart(state, planned.hook)
}

/** One that may not is reported as skipped. */
function mayStart(state: State, hook: Hook): boolean {
  const reason = whySkip(state, hook)
  if (reason !== null) state.reports.push(skipped(hook, reason))
  return reason === null
}

function startInBackground(state: State, planned: Planned): void {
  state.lent.background(planned, state.event)
  state.reports.push(report(planned.hook, 'background', 0))
}

/** Started in rank order, judged in rank order. */
async function startTogether(state: State, batch: readonly Planned[]): Promise<void> {
  const answers = await Promise.all(batch.map((planned) => start(state, planned)))
  for (const [i, answer] of answers.entries()) settle(state, batch[i]!.hook, answer)
}

/** A promise only where there is something to wait for. */
function start(state: State, planned: Planned): Settled | Promise<Settled> {
  const started = now()
  state.lent.started?.(planned.hook)
  const tried = attempt(planned, chained(state, planned.hook), state.lent, started)
  const settled = (answer: Tried): Settled => ({ ...answer, duration: now() - started })
  return tried instanceof Promise ? tried.then(settled) : settled(tried)
}

/** A hook in a chain also sees what the hooks before it passed on. */
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
    // People are told once what several hooks failed at.
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

/** The report says what it would have decided; nothing of its answer counts. */
function shadowed(outcome: Outcome, entry: HookReport): Outcome {
  entry.shadow = isBlock(outcome) ? 'deny' : outcome.decision === 'ask' ? 'ask' : 'allow'
  if (entry.status === 'blocked') entry.status = 'allowed'
  delete entry.asked
  delete entry.rewrote
  delete entry.confines
  return {}
}

/** A refusal counts whatever else is wrong with the answer. */
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

/** A failure by the hook's own policy: nothing, or a block that says so. */
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

/** A block stops what waits its turn, but not the hooks of a concurrent step: each of them has its say. */
function whySkip(state: State, hook: Hook): SkipReason | null {
  if (hook.mode !== 'concurrent' && isBlock(state.outcome)) return 'short_circuit'
  return hook.mode !== 'background' && isLeftOut(state, hook) ? 'skipped_by_hook' : null
}

/** A hook may leave out the rest, but not one of a stronger scope: who stands lower may only tighten. */
function isLeftOut({ skipper }: State, { scope }: Hook): boolean {
  return skipper !== undefined && STRENGTH[scope] <= STRENGTH[skipper.scope]
}

/** Sources that the caller named are the user's; a program gets nobody past the user's guards. */
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
    duration_ms: duration,
    attempts: 0,
    reason: null,
    error: null,
    skipped: null,
  }
}
