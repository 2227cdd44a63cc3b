/** Durations counted in buckets that grow by a tenth: percentiles over many hours from few numbers. */

/** Number of durations per bucket. */
export type Times = Record<string, number>

const GROWTH = Math.log(1.1)
/** Shorter durations count as this. */
const MIN_MS = 0.01
/** Longer durations count as this: a day. */
const MAX_MS = 86_400_000

export function timeOf(ms: number): number {
  return Math.round(Math.log(Math.min(Math.max(ms, MIN_MS), MAX_MS)) / GROWTH)
}

const FIRST = timeOf(MIN_MS)
const SLOTS = timeOf(MAX_MS) - FIRST + 1

/** The sum of many `Times`, most of which are equal texts. */
export interface Histogram {
  /** `text` is JSON of `Times`. */
  add(text: string): void
  /** In milliseconds, to two digits. Null when there are none. */
  percentile(part: number): number | null
  /** Number of durations up to this many milliseconds. */
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

/** Bucket, count, bucket, count… Cached, since short texts such as `{"12":1}` recur. */
function pairsOf(text: string): readonly number[] {
  const known = parsed.get(text)
  if (known) return known
  const pairs: number[] = []
  for (const [slot, count] of Object.entries(JSON.parse(text) as Times)) {
    const place = Number(slot) - FIRST
    if (place >= 0 && place < SLOTS) pairs.push(place, count)
  }
  if (parsed.size >= MAX_KEPT) parsed.clear()
  if (text.length <= MAX_CACHED_CHARS) parsed.set(text, pairs)
  return pairs
}

const parsed = new Map<string, readonly number[]>()
const MAX_KEPT = 20_000
const MAX_CACHED_CHARS = 64
