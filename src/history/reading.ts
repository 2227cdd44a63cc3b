/** What was read of the history, and what was not: the first part of every report. */

export interface Reading {
  /** Transcripts that were read. */
  files: number
  bytes: number
  /** Records that could not be read: broken lines, documents that are no JSON, lines that are too long. */
  unreadable: number
  /** Files and records that were skipped, by reason. */
  left_out: { reason: string; count: number; example: string }[]
}

export interface Tally extends Reading {
  leaveOut(reason: string, example: string): void
}

export function createTally(): Tally {
  const byReason = new Map<string, Reading['left_out'][number]>()
  return {
    files: 0,
    bytes: 0,
    unreadable: 0,
    get left_out() {
      return [...byReason.values()]
    },
    leaveOut(reason, example) {
      const known = byReason.get(reason)
      if (known) known.count++
      else byReason.set(reason, { reason, count: 1, example })
    },
  }
}
