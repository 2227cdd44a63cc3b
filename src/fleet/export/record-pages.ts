/** Every record of a fleet, in the order in which its hub received them, page by page. */

import type { Admin } from '../admin.ts'
import type { SentRecord } from '../wire/sent-record.ts'

/** A record as its machine sent it, and which machine that was. */
export type ExportedRecord = SentRecord & { edge: string; machine: string; revision: number }

export interface ExportWish {
  /** Where to start: a time in milliseconds, or the end of the last export. */
  after: string
  /** Leaves out the last minute: another hub may still be writing earlier records. */
  isSettled: boolean
}

export interface ExportPage {
  lines: string[]
  /** Where the next page begins; null at the end. */
  next: string | null
}

export async function* pagesOf(admin: Admin, { after, isSettled }: ExportWish): AsyncGenerator<ExportPage> {
  for (let cursor: string | null = after; cursor !== null; ) {
    const page: ExportPage = await admin.get(
      `/v1/fleet/export?after=${encodeURIComponent(cursor)}${isSettled ? '&settled=1' : ''}`,
    )
    if (page.lines.length > 0) yield page
    cursor = page.next
  }
}
