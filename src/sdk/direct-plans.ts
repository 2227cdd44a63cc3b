/** Plans that contain only functions use fast/direct.ts until one of them says something. */

import { toResult } from '../engine/merge.ts'
import type { Step } from '../engine/plan.ts'
import { type Lent, report, resume, type Settled } from '../engine/run.ts'
import type { DirectCalls, Said } from '../fast/direct.ts'
import { messageOf } from '../spec/errors.ts'
import type { HookEvent } from '../spec/event.ts'
import { answerOf, type FireResult, failure, type Outcome } from '../spec/outcome.ts'

export type DirectPlan = DirectCalls<HookEvent, FireResult>

/** Null when one of the hooks needs more than a call. */
export function directPlan(steps: readonly Step[], lent: Lent): DirectPlan | null {
  const calls: DirectPlan['calls'][number][] = []
  for (const { mode, hooks } of steps) {
    const { hook, matcher, direct, gate } = hooks[0]!
    if (!direct || gate || matcher.rest !== null || mode !== 'sequence' || hook.retries > 0 || hook.after)
      return null
    calls.push(direct)
  }
  const hooks = steps.map((step) => step.hooks[0]!.hook)
  // These calls are not timed: reading the clock costs more than they do.
  const allowed = hooks.map((hook) => ({ ...report(hook, 'allowed', 0), attempts: 1 }))
  return {
    calls,
    limits: hooks.map(({ timeout }) => timeout),
    silent: (event) => toResult(event, { outcome: NOTHING, reports: allowed.slice() }),
    async interrupted(event, index, said) {
      const settled = settledBy(said, hooks[index]!.timeout)
      return toResult(
        event,
        await resume(steps, event, lent, { index, reports: allowed.slice(0, index), settled }),
      )
    },
  }
}

const NOTHING: Outcome = Object.freeze({})

function settledBy(said: Said, timeout: number): Settled {
  if ('late' in said) {
    const late = failure(`timed out after ${timeout} ms`, { kind: 'timed_out', retryable: false })
    return { outcome: late, attempts: 1, duration: timeout }
  }
  return { outcome: outcomeOf(said), attempts: 1, duration: 0 }
}

function outcomeOf(said: Exclude<Said, { late: true }>): Settled['outcome'] {
  if ('thrown' in said) return failure(messageOf(said.thrown), { retryable: false })
  return answerOf(said.answer)
}
