/**
 * Time limits for in-process functions without a timer for each: one slow tick looks at all that wait.
 * The tick runs only while something waits.
 */

export interface Watched {
  /** On the clock of `performance.now()`; infinite while nothing is waited for. */
  deadline: number
  timedOut(watched: Watched): void
}

const TICK = 10
const watched = new Set<Watched>()
let timer: NodeJS.Timeout | undefined
let idleTicks = 0

export function watch(item: Watched): void {
  watched.add(item)
  if (timer === undefined) timer = setInterval(tick, TICK)
}

export function unwatch(item: Watched): void {
  watched.delete(item)
}

function tick(): void {
  if (watched.size === 0) {
    // A few quiet ticks before stopping, so that a busy caller does not start a timer for each event.
    if (++idleTicks < 5) return void timer?.unref()
    clearInterval(timer)
    timer = undefined
    idleTicks = 0
    return
  }
  idleTicks = 0
  timer?.ref()
  const now = performance.now()
  for (const item of watched) if (now >= item.deadline) item.timedOut(item)
}
