/**
 * Time limits for in-process functions without a timer or clock reading per call: one tick for all of them compares
 * what each waits for with what it saw last. Only for fast/direct.ts, whose bench shows the gain; the slow twin is a
 * `setTimeout` per call, as in engine/attempt.ts.
 */

import { now } from './clock.ts'

export interface Watched {
  /** Which function it waits for. */
  index: number
  /** Its time limit. */
  limit(index: number): number
  expired(): void
  /** Written by the watchdog: what it saw last, and when. */
  seen: number
  since: number
  slot: number
}

/** Milliseconds between two checks; a time limit may be exceeded by this much. */
const TICK_MS = 10
/** Idle ticks before the timer is stopped. */
const IDLE_TICKS = 5
const watched: Watched[] = []
let timer: NodeJS.Timeout | undefined
let quiet = 0

export function watch(item: Watched): void {
  item.slot = watched.push(item) - 1
  if (timer === undefined) timer = setInterval(tick, TICK_MS)
}

export function unwatch(item: Watched): void {
  const last = watched.pop()!
  if (last === item) return
  watched[item.slot] = last
  last.slot = item.slot
}

function tick(): void {
  if (watched.length === 0) {
    // Not stopped at once, so that a busy caller does not start a timer per event.
    if (++quiet < IDLE_TICKS) return void timer?.unref()
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
