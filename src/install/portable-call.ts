/** A call that came by the wiring of a repository, on a machine where crosshook may be installed as well. */

import { realpathSync } from 'node:fs'
import { sep } from 'node:path'
import { repositoryRoot } from '../config/repository.ts'
import type { Place, Reply } from '../spec/dialect.ts'
import { settingsFiles } from './install.ts'
import { agentNamed, type KnownAgent, placeOf } from './known.ts'
import { isPortableEntry } from './portable.ts'
import { sampleCall } from './sample-call.ts'
import { readBytes, targetOf, toText } from './settings-bytes.ts'

/** Nothing to say, in the agent's words, where an entry of the person or of the machine answers the same call. */
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
      // A variable may have led us into the repository: what lies there is not the person's.
      if (isBelow(target, repositoryRoot(place.project) ?? place.project)) return false
      const bytes = readBytes(target)
      const found = bytes === undefined ? [] : file.find(toText(bytes, file.path))
      return found.some((entry) => entry.ours && entry.event === event && !isPortableEntry(entry.command))
    } catch {
      return false // settings that cannot be read call nobody
    }
  })
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(realpathSync(folder) + sep)
}
