/** Totals since this process started, for status and metrics. */

import type { Observer } from '../pipeline/run/observe.ts'
import type { Decision } from '../spec/outcome.ts'

export interface Tally {
  readonly decisions: Readonly<Record<Decision, number>>
  /** Upper bounds in seconds; each count includes those of the bounds before it. */
  readonly durations: { readonly bounds: readonly number[]; readonly counts: readonly number[] }
  readonly totalSeconds: number
  readonly observer: Observer
}

const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

export function createTally(): Tally {
  const decisions: Record<Decision, number> = { allow: 0, ask: 0, deny: 0 }
  const counts = BOUNDS.map(() => 0)
  let totalSeconds = 0
  return {
    decisions,
    durations: { bounds: BOUNDS, counts },
    get totalSeconds() {
      return totalSeconds
    },
    observer: {
      over(_, { decision }, duration) {
        const seconds = duration / 1000
        decisions[decision]++
        totalSeconds += seconds
        for (let i = BOUNDS.length - 1; i >= 0 && seconds <= BOUNDS[i]!; i--) counts[i]!++
      },
    },
  }
}
