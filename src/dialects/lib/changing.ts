/**
 * A change of a folder of hooks that was decided but is not finished: its process may have been ended. Until somebody
 * finishes it, whoever reads the folder sees it as it will be. `src/packs/change.ts` makes such changes.
 */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readText } from '../../spec/read-file.ts'

/** The folder appears, with everything in it, in one rename: from then on the change holds. */
export const CHANGING = '.changing'
export const CHANGE_FILE = 'change.json'
/** Below it: folders of hooks that take their place, and those whose place was taken. */
export const NEW = 'new'
export const OLD = 'old'

export interface Change {
  /** Hooks whose folder is put in place. */
  put: string[]
  /** Hooks whose folder goes. */
  take: string[]
}

/** The record as it was written; undefined where no change is under way. Throws where it is not one. */
export function readChange(folder: string): (Change & Record<string, unknown>) | undefined {
  let text: string
  try {
    text = readText(join(folder, CHANGING, CHANGE_FILE))
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
  const change = JSON.parse(text) as Change & Record<string, unknown>
  for (const names of [change?.put, change?.take])
    if (!Array.isArray(names) || !names.every((name) => typeof name === 'string' && HOOK_FOLDER.test(name)))
      throw new SyntaxError('it is no record of a change')
  return change
}

/** What the folder of a hook that is added can be called. */
export const HOOK_FOLDER = /^[A-Za-z0-9][\w.-]{0,127}$/

/** The folders of hooks by name, as they are after the change. */
export function afterChange(folder: string, names: readonly string[]): Map<string, string> {
  const found = new Map(names.filter((name) => name !== CHANGING).map((name) => [name, join(folder, name)]))
  const change = names.includes(CHANGING) ? readChange(folder) : undefined
  for (const name of change?.take ?? []) found.delete(name)
  for (const name of change?.put ?? []) {
    const waiting = join(folder, CHANGING, NEW, name)
    found.set(name, existsSync(waiting) ? waiting : join(folder, name))
  }
  return found
}
