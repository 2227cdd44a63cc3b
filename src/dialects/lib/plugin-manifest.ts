/** The manifest beside a plugin of ours: without it the agent does not find the plugin. */

import type { SettingsFile } from '../../spec/installer.ts'
import { parseSettings, removeEach, setNew } from './json-settings.ts'
import { record } from './payload.ts'

const MARK = 'x-crosshook'

interface Options {
  path: string
  members: Readonly<Record<string, unknown>>
  /** The native event that it is listed under. */
  event: string
}

export function pluginManifest({ path, members, event }: Options): SettingsFile {
  const manifest = Object.entries(members).reduce<string | undefined>(
    (text, [key, value]) => setNew(text, [key], value),
    undefined,
  )!
  const isMarked = (root: unknown) => Object.hasOwn(record(root), MARK)
  return {
    path,
    add: (text = manifest) => (isMarked(parseSettings(text)) ? text : setNew(text, [MARK], true)),
    remove(text) {
      const rest = removeEach(text, (root) => (isMarked(root) ? [MARK] : undefined))
      return rest === manifest && rest !== text ? undefined : rest
    },
    find: (text) =>
      isMarked(parseSettings(text)) ? [{ event, command: path.split(/[\\/]/).at(-1)!, ours: true }] : [],
  }
}
