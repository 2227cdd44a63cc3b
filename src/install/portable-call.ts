/** A call by a repository's wiring, on a machine where crosshook may also be installed. */

import { realpathSync } from 'node:fs'
import { sep } from 'node:path'
import { repositoryRoot } from '../config/repository.ts'
import type { Reply } from '../spec/dialect.ts'
import type { Place } from '../spec/installer.ts'
import { settingsFiles } from './install.ts'
import { agentNamed, type KnownAgent, placeOf } from './known.ts'
import { isPortableEntry } from './portable.ts'
import { sampleCall } from './sample-call.ts'
import { readBytes, targetOf, toText } from './settings-bytes.ts'

/** An empty reply in the agent's format, if an entry of the person or the machine answers the same call. */
export async function answeredElsewhere(
  id: string,
  event: string,
  { env, cwd }: { env: NodeJS.ProcessEnv; cwd: string },
): Promise<Reply | undefined> {
  const agent = await agentNamed(id)
  const levels = ['managed', 'user'] as const
  if (!levels.some((level) => isWired(agent, event, placeOf(env, cwd, level)))) return undefined
  return agent.agent.encode({}, sampleCall(agent, event, cwd))
}

function isWired(agent: KnownAgent, event: string, place: Place): boolean {
  return settingsFiles(agent, place).some((file) => {
    try {
      const target = targetOf(file.path)
      // A variable may have led us into the repository: what is there is not the person's.
      if (isBelow(target, repositoryRoot(place.project) ?? place.project)) return false
      const bytes = readBytes(target)
      const found = bytes === undefined ? [] : file.find(toText(bytes, file.path))
      return found.some((entry) => entry.ours && entry.event === event && !isPortableEntry(entry.command))
    } catch {
      return false // unreadable settings call nobody
    }
  })
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(realpathSync(folder) + sep)
}
