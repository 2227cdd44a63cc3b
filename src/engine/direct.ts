/** The commonest case at full speed: functions in process, one after another, that mostly have nothing to say. */

import { messageOf } from '../spec/errors.ts'
import type { HookEvent } from '../spec/event.ts'
import type { Failure, HookReport, Outcome } from '../spec/outcome.ts'
import type { Step } from './plan.ts'
import { type Lent, type Ran, report, resume, type Settled } from './run.ts'
import { unwatch, type Watched, watch } from './watchdog.ts'

/** Steps of one hook each that can all be called directly. */
export interface DirectList {
  steps: readonly Step[]
  calls: readonly ((event: HookEvent) => unknown)[]
  /** How each is reported when it has nothing to say. Such calls are not timed: reading the clock costs more than they do. */
  allowed: readonly HookReport[]
}

/** Null when one of them needs more than a call. */
export function directList(steps: readonly Step[]): DirectList | null {
  const calls: DirectList['calls'][number][] = []
  const allowed: HookReport[] = []
  for (const { mode, hooks } of steps) {
    const { hook, matcher, direct, gate } = hooks[0]!
    if (!direct || gate || matcher.rest !== null || mode !== 'sequence' || hook.retries > 0 || hook.after)
      return null
    calls.push(direct)
    allowed.push({ ...report(hook, 'allowed', 0), attempts: 1 })
  }
  return { steps, calls, allowed }
}

export function runDirect<Result>(
  list: DirectList,
  event: HookEvent,
  lent: Lent,
  finish: (ran: Ran) => Result,
): Promise<Result> {
  return new Promise((resolve) => {
    new Pass(list, event, lent, finish, resolve).drive()
  })
}

class Pass<Result> implements Watched {
  index = 0
  seen = -1
  since = 0
  slot = 0
  over = false
  readonly list: DirectList
  readonly event: HookEvent
  readonly lent: Lent
  readonly finish: (ran: Ran) => Result
  readonly resolve: (result: Result | Promise<Result>) => void

  constructor(
    list: DirectList,
    event: HookEvent,
    lent: Lent,
    finish: Pass<Result>['finish'],
    resolve: Pass<Result>['resolve'],
  ) {
    this.list = list
    this.event = event
    this.lent = lent
    this.finish = finish
    this.resolve = resolve
    watch(this)
  }

  async drive(): Promise<void> {
    const { calls, allowed } = this.list
    const { event } = this
    for (let i = 0; i < calls.length; i++) {
      this.index = i
      let answer: unknown
      try {
        answer = calls[i]!(event)
        if (answer instanceof Promise) answer = await answer
      } catch (thrown) {
        answer = {
          failed: true,
          kind: 'failed',
          retryable: false,
          message: messageOf(thrown),
        } satisfies Failure
      }
      if (this.over) return
      if (answer !== undefined) {
        this.leave(fromAnswer(answer))
        return
      }
    }
    unwatch(this)
    this.resolve(this.finish({ outcome: NOTHING, reports: allowed.slice(), event, contexts: NONE }))
  }

  limit(index: number): number {
    return this.list.steps[index]!.hooks[0]!.hook.timeout
  }

  /** A function cannot be ended; it is left behind and what it answers later is not heard. */
  expired(): void {
    const message = `timed out after ${this.limit(this.index)} ms`
    this.leave({
      outcome: { failed: true, kind: 'timed_out', retryable: false, message },
      attempts: 1,
      duration: this.limit(this.index),
    })
  }

  /** Somebody has something to say: the general way takes over from here. */
  private leave(settled: Settled): void {
    this.over = true
    unwatch(this)
    const { list, event, lent, index } = this
    const at = { index, reports: list.allowed.slice(0, index), settled }
    const goOn = async () => this.finish(await resume(list.steps, event, lent, at))
    this.resolve(goOn())
  }
}

const NOTHING: Outcome = Object.freeze({})
const NONE: Ran['contexts'] = []

/** What a function returned, as an answer. */
function fromAnswer(answer: unknown): Settled {
  if (answer === null || answer === undefined) return { outcome: {}, attempts: 1, duration: 0 }
  if (typeof answer === 'object') return { outcome: answer, attempts: 1, duration: 0 }
  const message = `answered with a ${typeof answer}, not an outcome`
  return { outcome: { failed: true, kind: 'failed', retryable: false, message }, attempts: 1, duration: 0 }
}
