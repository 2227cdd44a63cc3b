/** Finds an agent that is wired and used but does not call. */

import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { EntryProblem } from '../spec/installer.ts'
import type { Circumstances } from './checkup.ts'
import type { KnownAgent } from './known.ts'

/** Used since it was wired, and after its last call. */
export function silence(
  agent: KnownAgent,
  { places, lastCalled, installedAt }: Pick<Circumstances, 'places' | 'lastCalled' | 'installedAt'>,
): EntryProblem[] {
  const marks = agent.installer.activity?.(places[0]!) ?? []
  const used = Math.max(0, ...marks.map((path) => newest(path)))
  const since = [lastCalled(agent.id), installedAt(agent.id)].map((at) => (at ? Date.parse(at) : 0))
  if (used <= Math.max(...since) + SLACK_MS || installedAt(agent.id) === undefined) return []
  return [
    {
      level: 'warning',
      message: `${agent.title} was used at ${new Date(used).toISOString()} without calling crosshook`,
      fix: 'Start it anew: agents read their settings when they start. Was it started with its hooks switched off?',
    },
  ]
}

/** An agent writes its session a little after it called us. */
const SLACK_MS = 10 * 60_000
const MAX_LOOKED_AT = 5000

/** Time of the last change in it. */
function newest(path: string, depth = 5, budget = { left: MAX_LOOKED_AT }): number {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat || budget.left-- <= 0) return 0
  if (!stat.isDirectory() || depth === 0) return stat.mtimeMs
  // The last name first: folders of sessions are named by date.
  const names = readdirSync(path).sort().reverse()
  return Math.max(stat.mtimeMs, ...names.map((name) => newest(join(path, name), depth - 1, budget)))
}
