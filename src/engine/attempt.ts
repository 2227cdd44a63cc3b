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

export async function attempt(planned: Planned, event: HookEvent, lent: Lent): Promise<Settled> {
  const { hook } = planned
  const end = now() + hook.timeout
  for (let count = 1; ; count++) {
    const left = hook.budget === 'total' ? end - now() : hook.timeout
    const answer = await limited(planned, event, lent, left, count)
    const { outcome } = answer
    if (!isFailure(outcome) || !outcome.retryable || count > hook.retries)
      return { ...answer, attempts: count }
    const pause = Math.min(outcome.retry_after ?? BACKOFF[count - 1]! + Math.random() * 25, LONGEST_PAUSE)
    // Nobody is helped by waiting for a time in which no further attempt would fit.
    if (hook.budget === 'total' && pause >= end - now()) return { ...answer, attempts: count }
    await sleep(pause)
    if (hook.budget === 'total' && now() >= end) return { ...answer, attempts: count }
  }
}

async function limited(
  planned: Planned,
  event: HookEvent,
  lent: Lent,
  left: number,
  count: number,
): Promise<Answer> {
  const { hook } = planned
  const timeout = Math.max(1, left)
  let controller: AbortController | undefined
  const limits = {
    timeout,
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
    message: `timed out after ${hook.timeout} ms`,
  }
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<Answer>((resolve) => {
    timer = setTimeout(() => {
      void limits.signal
      controller!.abort(new DOMException(late.message, 'TimeoutError'))
      timer = setTimeout(() => resolve({ outcome: late }), GRACE)
    }, timeout)
  })
  try {
    const work = planned.direct
      ? direct(planned.direct, event, limits.signal, late)
      : lent.execute(planned, event, limits)
    const answer = await Promise.race([work, limit])
    // An executor knows only what was left for this attempt; people know the limit that they set.
    const isLate = isFailure(answer.outcome) && answer.outcome.kind === 'timed_out'
    return isLate ? { ...answer, outcome: { ...answer.outcome, message: late.message } as Failure } : answer
  } catch (thrown) {
    return { outcome: { failed: true, kind: 'failed', retryable: true, message: messageOf(thrown) } }
  } finally {
    clearTimeout(timer)
  }
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
