/** The agent's own transcripts against what hooks saw live: every call, with the same tool, input and decision. */

import { paths } from '../../src/config/paths.ts'
import type { PastCall } from '../../src/history/call.ts'
import { readHistory } from '../../src/history/read.ts'
import { journalOf } from '../../src/pipeline/journal.ts'

export interface Compared {
  /** Calls that hooks saw. */
  live: number
  /** Of these, found in a transcript with the same tool and canonical input. */
  found: number
  /** Hooks saw them, and no transcript has them as they were. */
  missing: PastCall[]
  /** In a transcript only: nobody asked a hook, or hooks saw another input. */
  unseen: PastCall[]
}

export async function compare(agent: string, env: NodeJS.ProcessEnv): Promise<Compared> {
  const journal = await journalOf(paths(env))
  try {
    const all: PastCall[] = []
    for await (const call of readHistory({ env, journal, agents: [agent] }).calls) all.push(call)
    const missing = all.filter(({ source }) => source === 'journal')
    const found = all.filter(({ source, became }) => source === 'transcript' && became.isJournaled)
    const unseen = all.filter(({ source, became }) => source === 'transcript' && !became.isJournaled)
    return { live: found.length + missing.length, found: found.length, missing, unseen }
  } finally {
    journal.close()
  }
}

if (import.meta.main) {
  const [agent = '', home = ''] = process.argv.slice(2)
  const { live, found, missing, unseen } = await compare(agent, { HOME: home })
  console.log(`${agent}: ${found} of ${live} calls are in its transcripts`)
  const words = ({ event, became }: PastCall) =>
    `${event.timestamp} ${event.session_id} ${event.tool_name} ${became.decision} ${JSON.stringify(event.tool_input).slice(0, 200)}`
  for (const call of missing) console.log(`  only live: ${words(call)}`)
  for (const call of unseen) console.log(`  only in a transcript: ${words(call)}`)
}
