/**
 * Calls functions one after another until one has something to say: no timers, no clock readings and no objects for each
 * call. Firing ten functions takes 1.4 × tapable this way and 40 × through engine/run.ts, the slow twin (bench/in-process.ts).
 */

import { unwatch, type Watched, watch } from './watchdog.ts'

export interface DirectCalls<Event, Result> {
  readonly calls: readonly ((event: Event) => unknown)[]
  /** The time limit of each, in milliseconds. */
  readonly limits: readonly number[]
  /** Called when every function has returned undefined. */
  silent(event: Event): Result
  /** Called when the function at `index` has returned something, thrown, or timed out. */
  interrupted(event: Event, index: number, said: Said): Promise<Result>
}

export type Said = { answer: unknown } | { thrown: unknown } | { late: true }

export function callDirectly<Event, Result>(list: DirectCalls<Event, Result>, event: Event): Promise<Result> {
  return new Promise((resolve) => {
    new Pass(list, event, resolve).drive()
  })
}

class Pass<Event, Result> implements Watched {
  index = 0
  seen = -1
  since = 0
  slot = 0
  isOver = false
  readonly list: DirectCalls<Event, Result>
  readonly event: Event
  readonly resolve: (result: Result | Promise<Result>) => void

  constructor(list: DirectCalls<Event, Result>, event: Event, resolve: Pass<Event, Result>['resolve']) {
    this.list = list
    this.event = event
    this.resolve = resolve
    watch(this)
  }

  /** Not an async function: resuming one costs more than a callback. */
  drive(): void {
    const { calls } = this.list
    while (this.index < calls.length) {
      let answer: unknown
      try {
        answer = calls[this.index]!(this.event)
      } catch (thrown) {
        this.leave({ thrown })
        return
      }
      if (answer !== undefined) {
        if (answer instanceof Promise) answer.then(this.goOn, this.fail)
        else this.judge(answer)
        return
      }
      this.index++
    }
    unwatch(this)
    this.resolve(this.list.silent(this.event))
  }

  /** A promise of another realm or library is awaited, too: as an object it would have nothing to say. */
  private judge(answer: unknown): void {
    try {
      if (typeof (answer as { then?: unknown } | null)?.then !== 'function') this.leave({ answer })
      else Promise.resolve(answer).then(this.goOn, this.fail)
    } catch (thrown) {
      this.leave({ thrown })
    }
  }

  private readonly goOn = (answer: unknown): void => {
    if (this.isOver) return
    if (answer !== undefined) this.leave({ answer })
    else {
      this.index++
      this.drive()
    }
  }

  private readonly fail = (thrown: unknown): void => {
    this.leave({ thrown })
  }

  limit(index: number): number {
    return this.list.limits[index]!
  }

  /** A function cannot be stopped: its later answer is ignored. */
  expired(): void {
    this.leave({ late: true })
  }

  private leave(said: Said): void {
    if (this.isOver) return
    this.isOver = true
    unwatch(this)
    this.resolve(this.list.interrupted(this.event, this.index, said))
  }
}
