/** Routes for people, used by the command line and the page: one table. */

import type { PersonRoute } from './route.ts'
import { ASK_ROUTES } from './routes/asks.ts'
import { JOURNAL_ROUTES } from './routes/journal.ts'
import { MACHINE_ROUTES } from './routes/machines.ts'
import { PEOPLE_ROUTES } from './routes/people.ts'
import { REVISION_ROUTES } from './routes/revisions.ts'

export const PERSON_ROUTES: readonly PersonRoute[] = [
  ...MACHINE_ROUTES,
  ...REVISION_ROUTES,
  ...JOURNAL_ROUTES,
  ...ASK_ROUTES,
  ...PEOPLE_ROUTES,
]
