/** All that is needed to look at questions and to answer them. */

import type { Journal, JournalEntry } from '../journal/port.ts'
import type { Desk } from './answer.ts'
import { openGrants } from './grants.ts'
import { openQuestions } from './questions.ts'

export function openDesk(options: {
  stateDir: string
  journal: () => Journal
  source: JournalEntry['source']
  trouble: (sentence: string) => void
}): Desk {
  const { stateDir } = options
  return { ...options, questions: openQuestions(stateDir), grants: openGrants(stateDir) }
}
