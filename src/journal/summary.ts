/** What records count, and how many they are. */

export const COUNTERS = [
  'executions',
  'failures',
  'retries',
  'dead_letters',
  'dead_letter_persist_failures',
] as const

export type Counts = Record<(typeof COUNTERS)[number], number>

export interface Summary {
  records: number
  counts: Partial<Counts>
}

/** `times` as often as it says. */
export function addUp(sum: Summary, { records, counts }: Summary, times = 1): void {
  sum.records += times * records
  for (const name of COUNTERS)
    if (counts[name]) sum.counts[name] = (sum.counts[name] ?? 0) + times * counts[name]
}
