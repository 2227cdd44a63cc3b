/** Records of the journal, newest first, page by page, so that a long journal is never in memory. */

import type { Journal, JournalFilter, JournalRecord } from '../journal/port.ts'

const PAGE = 1000

export function* newestFirst(
  journal: Journal,
  filter: Omit<JournalFilter, 'limit' | 'before' | 'after'>,
): Generator<JournalRecord> {
  for (let before: number | undefined; ; ) {
    const page = journal.list({ ...filter, limit: PAGE, ...(before === undefined ? {} : { before }) })
    yield* page.reverse()
    if (page.length < PAGE) return
    before = page.at(-1)!.seq
  }
}
