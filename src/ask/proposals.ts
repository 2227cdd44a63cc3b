/** Suggested grants: what a person has repeatedly allowed for single calls. */

import type { Journal } from '../journal/port.ts'
import { APPROVAL } from './note.ts'

export interface Proposal {
  /** The newest question of its kind, which a grant can be given for. */
  question: string
  digest: string
  summary: string
  count: number
}

/** Fewest times in the records that are searched. */
const MIN_REPEATS = 3
const RECORDS = 2000

export function proposals(journal: Journal): Proposal[] {
  const found = new Map<string, Proposal>()
  for (const record of journal.list({ event: APPROVAL, decision: 'allow', limit: RECORDS })) {
    const { digest, scope } = record.approval ?? {}
    if (typeof digest !== 'string' || scope !== 'once' || record.subject === undefined) continue
    const count = (found.get(digest)?.count ?? 0) + 1
    found.set(digest, { question: record.subject, digest, summary: record.detail ?? '', count })
  }
  return [...found.values()].filter(({ count }) => count >= MIN_REPEATS).sort((a, b) => b.count - a.count)
}
