/**
 * Time limits for in-process functions without a timer or a clock reading for each: one slow tick looks at what
 * waits. It notices progress by itself, so that a function which is done at once costs nothing here.
 */

import { now } from '../spec/clock.ts'

export interface Watched {
  /** Which function it waits for. */
  index: number
  /** Its time limit. */
  limit(index: number): number
  expired(): void
  /** Kept by the watchdog: what it saw last, and when. */
  seen: number
  since: number
  slot: number
}

const TICK = 10
const QUIET_TICKS = 5
const watched: Watched[] = []
let timer: NodeJS.Timeout | undefined
let quiet = 0

export function watch(item: Watched): void {
  item.slot = watched.push(item) - 1
  if (timer === undefined) timer = setInterval(tick, TICK)
}

export function unwatch(item: Watched): void {
  const last = watched.pop()!
  if (last === item) return
  watched[item.slot] = last
  last.slot = item.slot
}

function tick(): void {
  if (watched.length === 0) {
    // A few quiet ticks before stopping, so that a busy caller does not start a timer for each event.
    if (++quiet < QUIET_TICKS) return void timer?.unref()
    clearInterval(timer)
    timer = undefined
    quiet = 0
    return
  }
  quiet = 0
  timer?.ref()
  const time = now()
  for (const item of [...watched]) {
    if (item.index !== item.seen) {
      item.seen = item.index
      item.since = time
    } else if (time - item.since >= item.limit(item.index)) item.expired()
  }
}
