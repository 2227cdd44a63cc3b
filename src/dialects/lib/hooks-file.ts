/** A settings file that holds our entries below its events. Loaded only while installing. */

import type { CommandLine, SettingsFile } from '../../spec/installer.ts'
import { wanted } from './entry-events.ts'
import { setNew } from './json-settings.ts'
import { addEntries, findEntries, removeEntries, type Shape } from './nested-hooks.ts'

interface Options {
  path: string
  shape: Shape
  entries(command: CommandLine): Record<string, object>
  /** Members that the agent wants in a file of hooks; written only into a file that we make. */
  head?: Readonly<Record<string, unknown>>
}

export function hooksFile({ path, shape, entries, head = {} }: Options): SettingsFile {
  const fresh = Object.entries(head).reduce<string | undefined>(
    (text, [key, value]) => setNew(text, [key], value),
    undefined,
  )
  return {
    path,
    add: (text, command) => addEntries(text ?? fresh, shape, onlyWanted(entries(command), command)),
    remove(text) {
      const rest = removeEntries(text, shape)
      // A file that holds nothing but the head is ours only if our entries were in it.
      return rest === fresh && rest !== text ? undefined : rest
    },
    find: (text) => findEntries(text, shape),
  }
}

function onlyWanted(entries: Record<string, object>, command: CommandLine): Record<string, object> {
  return Object.fromEntries(wanted(Object.keys(entries), command).map((event) => [event, entries[event]!]))
}

/** The same entry for each of these events. */
export function entryPerEvent(
  events: readonly string[],
  entry: (event: string) => object,
): Record<string, object> {
  return Object.fromEntries(events.map((event) => [event, entry(event)]))
}
