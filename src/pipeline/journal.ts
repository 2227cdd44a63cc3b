/** Opens the journal of a state folder with the limits of the settings, sealed with the folder's key. */

import { type Paths, settingsFiles } from '../config/paths.ts'
import { readSettings, type Settings } from '../config/settings.ts'
import { stateKey } from '../config/state-key.ts'
import { textMacs } from '../fast/digest.ts'
import type { Journal, JournalOptions } from '../journal/port.ts'
import { openJournal } from '../journal/sqlite/open.ts'
import { durationMs } from '../spec/duration.ts'

/** For callers that learn the settings only with an event: see `journalOptions`. */
export function journalAt(stateDir: string): Journal {
  return openJournal(stateDir, { seal: textMacs('journal', () => keyOrNone(stateDir), UNSEALED) })
}

/** For commands. Needs the settings' limits, since reading a journal also removes what exceeds them. */
export async function journalOf(where: Paths): Promise<Journal> {
  const { settings } = await readSettings(settingsFiles(where), where.home)
  const journal = journalAt(where.state)
  journal.use(journalOptions(settings.journal))
  return journal
}

/** In place of a seal that could not be made. */
const UNSEALED = '-'.repeat(64)

/** An unusable key must not prevent a record. */
function keyOrNone(stateDir: string): Buffer | undefined {
  try {
    return stateKey(stateDir)
  } catch {
    return undefined
  }
}

export function journalOptions(settings: Settings['journal']): JournalOptions {
  const { max_records, max_bytes, max_age, stats_age, durability } = settings
  // The schema has checked the lengths of time.
  return {
    limits: {
      ...(max_records === undefined ? {} : { records: max_records }),
      ...(max_bytes === undefined ? {} : { bytes: max_bytes }),
      ...(max_age === undefined ? {} : { age: durationMs(max_age)! }),
      ...(stats_age === undefined ? {} : { statsAge: durationMs(stats_age)! }),
    },
    ...(durability === undefined ? {} : { durability }),
  }
}
