/** Hooks that were added from the gallery or elsewhere and differ from what was added. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Paths, projectHooks } from '../config/paths.ts'
import { finishChange } from '../packs/change.ts'
import { folderDigest, readLock } from '../packs/lock-file.ts'
import { messageOf } from '../spec/errors.ts'
import type { EntryProblem } from '../spec/installer.ts'

export async function drift({ userHooks }: Paths, projects: readonly string[]): Promise<EntryProblem[]> {
  const found: EntryProblem[] = []
  for (const base of [userHooks, ...projects.map(projectHooks)]) found.push(...(await driftIn(base)))
  return found
}

async function driftIn(base: string): Promise<EntryProblem[]> {
  try {
    // Finish another process's interrupted change first: it is not drift.
    await finishChange(base)
    return Object.entries(readLock(base).hooks).flatMap(([name, { source, digest }]) => {
      const dir = join(base, name)
      if (!existsSync(dir))
        return [
          warning(`${dir} was added from ${source} and is gone`, `Add it again: crosshook add ${source}`),
        ]
      if (folderDigest(dir) === digest) return []
      return [
        warning(
          `${dir} is not what was added from ${source}: it was edited since`,
          `If that was not you, look at it, then: crosshook remove ${name} && crosshook add ${source}`,
        ),
      ]
    })
  } catch (error) {
    return [warning(messageOf(error), 'Until then nobody can tell whether hooks in that folder were edited.')]
  }
}

function warning(message: string, fix: string): EntryProblem {
  return { level: 'warning', message, fix, kind: 'drift' }
}
