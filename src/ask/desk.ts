/** All that is needed to look at questions and to answer them. */

import { type Paths, settingsFiles } from '../config/paths.ts'
import { readSettingsBy } from '../config/settings.ts'
import { parseSettings } from '../config/settings-schema.ts'
import type { Journal, JournalEntry } from '../journal/port.ts'
import type { Desk } from './answer.ts'
import { openGrants } from './grants.ts'
import { openQuestions } from './questions.ts'

export function openDesk({
  where,
  ...parts
}: {
  where: Paths
  journal: () => Journal
  source: JournalEntry['source']
  trouble: (sentence: string) => void
}): Desk {
  return {
    ...parts,
    stateDir: where.state,
    questions: openQuestions(where.state),
    grants: openGrants(where.state),
    approvers: () =>
      readSettingsBy(parseSettings, settingsFiles(where), where.home).settings.approvals.approvers ?? [],
  }
}
