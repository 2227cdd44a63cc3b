/** Runs one hook with its time limit and its retries. */

import { now } from '../fast/clock.ts'
import { messageOf } from '../spec/errors.ts'
import type { HookEvent } from '../spec/event.ts'
import type { Hook } from '../spec/hook.ts'
import type { Failure, Outcome } from '../spec/outcome.ts'
import { answerOf, isFailure } from '../spec/outcome.ts'
import type { Planned } from './plan.ts'
import type { Lent } from './run.ts'

/** Result of one attempt. */
export interface Answer {
  outcome: Outcome | Failure
  exit_code?: number | null
  warnings?: string[]
  cached?: boolean
  confined?: boolean
  /** In US dollars. */
  cost_usd?: number
}

/** Milliseconds to wait before the second, third and fourth attempt. */
const BACKOFF_MS = [50, 100, 200]
/** Longest pause in milliseconds, whatever a hook's server asks for. */
const MAX_PAUSE_MS = 30_000
/** Milliseconds an executor has to end after its abort signal; after that its result is no longer awaited. */
const ABORT_GRACE_MS = 1500

/** Returns a promise only when it has to wait: a synchronous answer needs no time limit. */
export function attempt(
  planned: Planned,
  event: HookEvent,
  lent: Lent,
  started: number,
): Tried | Promise<Tried> {
  const first = begin(planned, event, lent, planned.hook.timeout, 1)
  const { work } = first
  if (!(work instanceof Promise) && !isFailure(work.outcome)) return { ...work, attempts: 1 }
  return goOn(planned, event, lent, started, first)
}

async function goOn(
  planned: Planned,
  event: HookEvent,
  lent: Lent,
  started: number,
  first: Begun,
): Promise<Tried> {
  const { hook } = planned
  const end = started + hook.timeout
  let left = hook.timeout
  let spent = 0
  for (let attempts = 1; ; attempts++) {
    const answer = await limited(hook, attempts === 1 ? first : begin(planned, event, lent, left, attempts))
    // Earlier attempts were paid for, too.
    if (answer.cost_usd !== undefined) answer.cost_usd = spent += answer.cost_usd
    else if (spent > 0) answer.cost_usd = spent
    if (isLast(planned, answer, attempts)) return { ...answer, attempts }
    const { retry_after } = answer.outcome as Failure
    const pause = Math.min(retry_after ?? BACKOFF_MS[attempts - 1]! + Math.random() * 25, MAX_PAUSE_MS)
    // Do not pause when no further attempt would fit into the time limit.
    if (hook.budget === 'total' && pause >= end - now()) return { ...answer, attempts }
    await sleep(pause)
    if (hook.budget === 'total' && now() >= end) return { ...answer, attempts }
    left = hook.budget === 'total' ? end - now() : hook.timeout
  }
}

export interface Tried extends Answer {
  attempts: number
}

function isLast({ hook }: Planned, { outcome }: Answer, count: number): boolean {
  return !isFailure(outcome) || !outcome.retryable || count > hook.retries
}

interface Begun {
  work: Answer | Promise<Answer>
  limits: Limits
}

function begin(planned: Planned, event: HookEvent, lent: Lent, left: number, count: number): Begun {
  const { hook, direct } = planned
  const limits = new Limits(Math.max(1, left), count)
  try {
    const work = direct
      ? called(direct, event, limits.signal, tooLate(hook))
      : lent.execute(planned, event, limits)
    return { work, limits }
  } catch (thrown) {
    return { work: broken(thrown), limits }
  }
}

async function limited(hook: Hook, { work, limits }: Begun): Promise<Answer> {
  try {
    return await within(work, limits, tooLate(hook))
  } catch (thrown) {
    return broken(thrown)
  }
}

function broken(thrown: unknown): Answer {
  return { outcome: { failed: true, kind: 'failed', retryable: true, message: messageOf(thrown) } }
}

/** A class, because V8 keeps a separate shape for every object literal with a getter, that is for each attempt. */
class Limits {
  readonly timeout: number
  readonly attempt: number
  private controller: AbortController | undefined

  constructor(timeout: number, attempt: number) {
    this.timeout = timeout
    this.attempt = attempt
    this.controller = undefined
  }

  /** Created on demand: most hooks finish before anything needs the signal. */
  get signal(): AbortSignal {
    this.controller ??= new AbortController()
    return this.controller.signal
  }

  expire(message: string): void {
    this.controller ??= new AbortController()
    this.controller.abort(new DOMException(message, 'TimeoutError'))
  }
}

function tooLate({ timeout }: Hook): Failure {
  return { failed: true, kind: 'timed_out', retryable: true, message: `timed out after ${timeout} ms` }
}

async function within(work: Answer | Promise<Answer>, limits: Limits, late: Failure): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<Answer>((resolve) => {
    timer = setTimeout(() => {
      limits.expire(late.message)
      timer = setTimeout(() => resolve({ outcome: late }), ABORT_GRACE_MS)
    }, limits.timeout)
  })
  try {
    const answer = await Promise.race([work, limit])
    // The executor reports the time left for this attempt; replace it by the limit that the hook sets.
    const isLate = isFailure(answer.outcome) && answer.outcome.kind === 'timed_out'
    return isLate ? { ...answer, outcome: { ...answer.outcome, message: late.message } as Failure } : answer
  } finally {
    clearTimeout(timer)
  }
}

/** A function cannot be killed: at its time limit its result is no longer awaited. */
async function called(
  call: (event: HookEvent) => unknown,
  event: HookEvent,
  signal: AbortSignal,
  late: Failure,
): Promise<Answer> {
  const stopped = new Promise<Failure>((resolve) =>
    signal.addEventListener('abort', () => resolve(late), { once: true }),
  )
  const value = await Promise.race([call(event), stopped])
  return { outcome: answerOf(value) }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
