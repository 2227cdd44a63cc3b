/** Durations, counted in slots that grow by a tenth: percentiles of many hours from few numbers. */

/** How many durations fell into which slot. */
export type Times = Record<string, number>

const GROWTH = Math.log(1.1)
/** Shorter ones are counted as this, in milliseconds. */
const SHORTEST = 0.01

export function timeOf(ms: number): number {
  return Math.round(Math.log(Math.max(ms, SHORTEST)) / GROWTH)
}

/** In milliseconds, to two digits. Null when there is none. */
export function percentile(times: Times, part: number): number | null {
  const slots = Object.keys(times)
    .map(Number)
    .sort((a, b) => a - b)
  const total = slots.reduce((sum, slot) => sum + times[slot]!, 0)
  if (total === 0) return null
  let seen = 0
  for (const slot of slots) {
    seen += times[slot]!
    if (seen >= total * part) return Number(Math.exp(slot * GROWTH).toPrecision(2))
  }
  return null
}
