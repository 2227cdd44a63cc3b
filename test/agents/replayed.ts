/** The agent's own transcripts against what hooks saw live: every call, with the same tool, input and decision. */

import { paths } from '../../src/config/paths.ts'
import type { PastCall } from '../../src/history/call.ts'
import { createJudge } from '../../src/history/judge-call.ts'
import { readHistory } from '../../src/history/read.ts'
import { type Change, replay } from '../../src/history/replay.ts'
import { journalOf } from '../../src/pipeline/journal.ts'
import type { Verdict } from './scenarios.ts'

export interface Compared {
  /** Calls that hooks saw. */
  live: number
  /** Of these, found in a transcript with the same tool and canonical input. */
  found: number
  /** Hooks saw them, and no transcript has them as they were. */
  missing: PastCall[]
  /** The same guard decides otherwise when it is asked again. */
  otherwise: Change[]
}

export async function compare(agent: string, env: NodeJS.ProcessEnv): Promise<Compared> {
  const journal = await journalOf(paths(env))
  try {
    const calls: PastCall[] = []
    for await (const call of readHistory({ env, journal, agents: [agent] }).calls) calls.push(call)
    const live = calls.filter(({ became }) => became.isJournaled)
    const judge = createJudge({ env })
    const { changed } = await replay({ calls: live }, { judge })
    // Some guards were there for one conversation only.
    const names = new Set([...judge.hooks()].map(({ name }) => name))
    return {
      live: live.length,
      found: live.filter(({ source }) => source === 'transcript').length,
      missing: live.filter(({ source }) => source === 'journal'),
      otherwise: changed.filter(({ hook }) => hook !== null && names.has(hook)),
    }
  } finally {
    journal.close()
  }
}

/** For the table of results. */
export async function replayed(agent: string, env: NodeJS.ProcessEnv, cutsOff = false): Promise<Verdict> {
  const compared = await compare(agent, env)
  const { live, found, otherwise } = compared
  // What reached hooks cut off has no input that could be compared.
  const missing = compared.missing.filter(
    ({ event }) => !cutsOff || Object.keys(event.tool_input ?? {}).length > 0,
  )
  if (live === 0) return { status: 'fail', seen: 'no hook saw a call' }
  const words = [
    ...missing.map(
      ({ event }) => `${event.tool_name} is in no transcript: ${JSON.stringify(event.tool_input)}`,
    ),
    ...otherwise.map((each) => `${each.hook} said ${each.before}, and now ${each.after}: ${each.summary}`),
  ]
  return words.length > 0
    ? { status: 'fail', seen: words.join('; ').slice(0, 1000) }
    : { status: 'pass', seen: `${found} of ${live} calls are in its transcripts, each decided as it was` }
}

if (import.meta.main) {
  const [agent = '', home = ''] = process.argv.slice(2)
  const { status, seen } = await replayed(agent, { HOME: home })
  console.log(`${agent}: ${status}: ${seen}`)
}
