/** Sums of the records that this process writes to a file, so that the file of records that are only counted is not read. */

import { eventRow } from '../../spec/event.ts'
import type { JournalEntry } from '../port.ts'
import { addRecord, newSums, type RecordSums } from './record-sums.ts'

export interface OwnSums extends RecordSums {
  /** Some records are the end of a tool call: without effect on the sums only while no question to a person is open. */
  endsTools: boolean
}

/** More distinct rows than this take too much memory. */
const MAX_OWN_ROWS = 200

/**
 * With more records of the file that this process writes. Undefined when the file must be read. Of a flood, most records are
 * removed at once because enough newer ones exist: with their sums at hand, their file is not read.
 */
export function withOwn(
  sums: OwnSums = { ...newSums(), endsTools: false },
  records: readonly { at: number; entry: JournalEntry }[],
): OwnSums | undefined {
  for (const { at, entry } of records) {
    if (entry.hooks.some(({ asked }) => asked)) return undefined
    const { block, tool } = eventRow(entry.event)
    sums.endsTools ||= tool && block === 'feedback'
    addRecord(sums, at, entry)
    if (sums.events.size + sums.hooks.size > MAX_OWN_ROWS) return undefined
  }
  return sums
}
