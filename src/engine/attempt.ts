/** One hook with its time limit and its retries. */

import { now } from '../spec/clock.ts'
import { messageOf } from '../spec/errors.ts'
import type { HookEvent } from '../spec/event.ts'
import type { Failure, Outcome } from '../spec/outcome.ts'
import { isFailure } from '../spec/outcome.ts'
import type { Planned } from './plan.ts'
import type { Lent, Settled } from './run.ts'

/** What came of one attempt. */
export interface Answer {
  outcome: Outcome | Failure
  exit_code?: number | null
  warnings?: string[]
  cached?: boolean
}

/** Pauses before the second, third and fourth attempt. */
const BACKOFF = [50, 100, 200]
const LONGEST_PAUSE = 30_000
/** An executor that has not come back this long after its signal is left behind. */
const GRACE = 1500

/** A promise only when the hook's answer is one. */
export function attempt(planned: Planned, event: HookEvent, lent: Lent): Settled | Promise<Settled> {
  const { hook } = planned
  const started = now()
  const first = limited(planned, event, lent, hook.timeout, 1)
  if (first instanceof Promise)
    return first.then((answer) => again(planned, event, lent, { answer, count: 1, started }))
  return isLast(planned, first, 1)
    ? { ...first, attempts: 1 }
    : again(planned, event, lent, { answer: first, count: 1, started })
}

interface Tried {
  answer: Answer
  count: number
  started: number
}

async function again(planned: Planned, event: HookEvent, lent: Lent, tried: Tried): Promise<Settled> {
  const { hook } = planned
  const end = tried.started + hook.timeout
  let { answer, count } = tried
  for (;;) {
    if (isLast(planned, answer, count)) return { ...answer, attempts: count }
    const { retry_after } = answer.outcome as Failure
    const pause = Math.min(retry_after ?? BACKOFF[count - 1]! + Math.random() * 25, LONGEST_PAUSE)
    // Nobody is helped by waiting for a time in which no further attempt would fit.
    if (hook.budget === 'total' && pause >= end - now()) return { ...answer, attempts: count }
    await sleep(pause)
    if (hook.budget === 'total' && now() >= end) return { ...answer, attempts: count }
    const left = hook.budget === 'total' ? end - now() : hook.timeout
    answer = await limited(planned, event, lent, left, ++count)
  }
}

function isLast({ hook }: Planned, { outcome }: Answer, count: number): boolean {
  return !isFailure(outcome) || !outcome.retryable || count > hook.retries
}

function limited(
  planned: Planned,
  event: HookEvent,
  lent: Lent,
  left: number,
  count: number,
): Answer | Promise<Answer> {
  let controller: AbortController | undefined
  const limits = {
    timeout: Math.max(1, left),
    attempt: count,
    // Most hooks are done before anybody asks.
    get signal() {
      return (controller ??= new AbortController()).signal
    },
  }
  const late: Failure = {
    failed: true,
    kind: 'timed_out',
    retryable: true,
    message: `timed out after ${planned.hook.timeout} ms`,
  }
  const abort = () => {
    void limits.signal
    controller!.abort(new DOMException(late.message, 'TimeoutError'))
  }
  try {
    const work = planned.direct
      ? direct(planned.direct, event, limits.signal, late)
      : lent.execute(planned, event, limits)
    // What is there at once needs no clock.
    return work instanceof Promise ? within(work, limits.timeout, late, abort) : work
  } catch (thrown) {
    return failed(thrown)
  }
}

async function within(
  work: Promise<Answer>,
  timeout: number,
  late: Failure,
  abort: () => void,
): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<Answer>((resolve) => {
    timer = setTimeout(() => {
      abort()
      timer = setTimeout(() => resolve({ outcome: late }), GRACE)
    }, timeout)
  })
  try {
    const answer = await Promise.race([work, limit])
    // An executor knows only what was left for this attempt; people know the limit that they set.
    const isLate = isFailure(answer.outcome) && answer.outcome.kind === 'timed_out'
    return isLate ? { ...answer, outcome: { ...answer.outcome, message: late.message } as Failure } : answer
  } catch (thrown) {
    return failed(thrown)
  } finally {
    clearTimeout(timer)
  }
}

function failed(thrown: unknown): Answer {
  return { outcome: { failed: true, kind: 'failed', retryable: true, message: messageOf(thrown) } }
}

/** A function cannot be ended: at its time limit it is left behind. */
async function direct(
  call: (event: HookEvent) => unknown,
  event: HookEvent,
  signal: AbortSignal,
  late: Failure,
): Promise<Answer> {
  const stopped = new Promise<Failure>((resolve) =>
    signal.addEventListener('abort', () => resolve(late), { once: true }),
  )
  const value = await Promise.race([call(event), stopped])
  if (value === undefined || value === null) return { outcome: {} }
  if (typeof value !== 'object')
    return {
      outcome: {
        failed: true,
        kind: 'failed',
        retryable: false,
        message: `answered with a ${typeof value}, not an outcome`,
      },
    }
  return { outcome: value as Outcome | Failure }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
