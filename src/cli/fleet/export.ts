/** `crosshook fleet export`: every record as a line of JSON, for other stores. */

import type { FleetCall } from '../fleet.ts'
import { writeAll } from '../output.ts'
import { momentOf } from '../since.ts'

interface Page {
  lines: string[]
  next: string | null
}

export async function exportRecords({ args, admin }: FleetCall): Promise<number> {
  const hub = admin()
  const since = args.value('since')
  let cursor: string | null = since === undefined ? '0' : String(momentOf(since).getTime())
  while (cursor !== null) {
    const page: Page = await hub.get<Page>(`/v1/fleet/export?after=${encodeURIComponent(cursor)}`)
    if (page.lines.length > 0 && !writeAll(1, `${page.lines.join('\n')}\n`)) return 0
    cursor = page.next
  }
  return 0
}
