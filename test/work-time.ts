/** How long work takes, so that the figure says something about the work, and little about the machine or what else it does. */

const TRIES = 5
/** CPU milliseconds of the yardstick on the machine for which the limits were chosen. */
const YARDSTICK_MS = 14

/**
 * CPU milliseconds of this thread that `work` needs, as on the machine for which the limits were chosen: on a slower one a
 * fixed piece of work is slower too. What others do on the machine only adds: work that took too long is done again, and
 * the shortest time counts.
 */
export function workTime(limit: number, work: () => void): number {
  let shortest = cpuOf(work)
  let slowness = 1
  let yard = Number.POSITIVE_INFINITY
  for (let tries = 1; tries < TRIES && shortest / slowness >= limit; tries++) {
    shortest = Math.min(shortest, cpuOf(work))
    yard = Math.min(yard, cpuOf(yardstick))
    slowness = Math.max(1, yard / YARDSTICK_MS)
  }
  return shortest / slowness
}

function cpuOf(work: () => void): number {
  const start = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(start)
  return (user + system) / 1000
}

/** Letters, strings, a map and a pattern: what the measured work is made of. */
function yardstick(): number {
  const words = new Map<string, number>()
  let sum = 0
  for (let round = 0; round < 100_000; round++) {
    const word = `word${round % 997} ${round}`
    for (let at = 0; at < word.length; at++) sum += word.charCodeAt(at)
    words.set(word.slice(0, 7), sum)
    if (/\d{3} \d+$/.test(word)) sum++
  }
  return sum + words.size
}

/** As on a machine on which it takes no CPU time: what stops by such a time does not, what counts steps does. */
export function inNoTime<T>(work: () => T): T {
  const measured = process.threadCpuUsage
  process.threadCpuUsage = () => ({ user: 0, system: 0 })
  try {
    return work()
  } finally {
    process.threadCpuUsage = measured
  }
}
