/** Durations, counted in slots that grow by a tenth: percentiles of many hours from few numbers. */

/** How many durations fell into which slot. */
export type Times = Record<string, number>

const GROWTH = Math.log(1.1)
/** Shorter ones are counted as this, in milliseconds. */
const SHORTEST = 0.01
/** Longer ones are counted as this, in milliseconds: a day. */
const LONGEST = 86_400_000

export function timeOf(ms: number): number {
  return Math.round(Math.log(Math.min(Math.max(ms, SHORTEST), LONGEST)) / GROWTH)
}

const FIRST = timeOf(SHORTEST)
const SLOTS = timeOf(LONGEST) - FIRST + 1

/** The sum of many `Times`, of which most are equal texts. */
export interface Histogram {
  /** `text` is JSON of `Times`. */
  add(text: string): void
  /** In milliseconds, to two digits. Null when there is none. */
  percentile(part: number): number | null
  /** How many took at most this many milliseconds. */
  upTo(ms: number): number
}

export function createHistogram(): Histogram {
  const counts = new Float64Array(SLOTS)
  let total = 0
  return {
    add(text) {
      const pairs = pairsOf(text)
      for (let i = 0; i < pairs.length; i += 2) {
        counts[pairs[i]!]! += pairs[i + 1]!
        total += pairs[i + 1]!
      }
    },
    percentile(part) {
      if (total === 0) return null
      let seen = 0
      for (let slot = 0; slot < SLOTS; slot++) {
        seen += counts[slot]!
        if (seen >= total * part) return Number(Math.exp((slot + FIRST) * GROWTH).toPrecision(2))
      }
      return null
    },
    upTo(ms) {
      const last = timeOf(ms) - FIRST
      let seen = 0
      for (let slot = 0; slot <= last; slot++) seen += counts[slot]!
      return seen
    },
  }
}

/** Slot, count, slot, count… Kept, since short texts such as `{"12":1}` come again and again. */
function pairsOf(text: string): readonly number[] {
  const known = parsed.get(text)
  if (known) return known
  const pairs: number[] = []
  for (const [slot, count] of Object.entries(JSON.parse(text) as Times)) {
    const place = Number(slot) - FIRST
    if (place >= 0 && place < SLOTS) pairs.push(place, count)
  }
  if (parsed.size >= MOST_KEPT) parsed.clear()
  if (text.length <= LONGEST_KEPT) parsed.set(text, pairs)
  return pairs
}

const parsed = new Map<string, readonly number[]>()
const MOST_KEPT = 20_000
/** In characters. */
const LONGEST_KEPT = 64
