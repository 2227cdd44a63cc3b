/** Past calls: from the agents' own transcripts, and those only in the journal. */

import { paths } from '../config/paths.ts'
import { mac, stateKey } from '../config/state-key.ts'
import type { Journal } from '../journal/port.ts'
import { useMarkKey } from '../redact/mark.ts'
import { learnSecrets } from '../redact/redact.ts'
import type { PastCall } from './call.ts'
import { indexJournal } from './journaled.ts'
import { createTally, type Reading } from './reading.ts'
import { transcriptCalls } from './transcripts.ts'

export interface HistoryOptions {
  env: NodeJS.ProcessEnv
  journal: Journal
  since?: Date
  /** Only these agents. */
  agents?: readonly string[]
  /** Only these transcripts, and the journal's records of their calls. */
  transcripts?: readonly string[]
  onFile?(path: string): void
}

export interface PastCalls {
  /** Can be iterated once. */
  calls: AsyncIterable<PastCall>
  /** Complete after the calls have been iterated. */
  reading: Reading
}

export function readHistory(options: HistoryOptions): PastCalls {
  const { env, journal, since, agents, transcripts, onFile } = options
  const { home, state } = paths(env)
  learnSecrets(env)
  useMarkKey(() => mac(stateKey(state), 'mark', ''))
  const tally = createTally()
  const only = { ...(since ? { since } : {}), ...(agents ? { agents } : {}) }

  async function* calls(): AsyncGenerator<PastCall> {
    const index = indexJournal(journal, only)
    const found = transcriptCalls({
      ...only,
      home,
      env,
      tally,
      ...(transcripts ? { paths: transcripts } : {}),
      ...(onFile ? { onFile } : {}),
    })
    for await (const call of found) {
      const known = index.take(call.event)
      if (known) call.became = { ...known, ...(call.became.ended ? { ended: call.became.ended } : {}) }
      yield call
    }
    if (!transcripts) yield* index.rest()
  }
  return { calls: calls(), reading: tally }
}
