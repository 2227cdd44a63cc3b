/** The events of an agent for which entries can be written. */

import type { CommandLine, SettingsFile } from '../spec/installer.ts'

export function possibleEvents(files: readonly SettingsFile[], command: CommandLine): Set<string> {
  const all: CommandLine = { ...command, wants: () => true }
  return new Set(
    files
      .filter(({ consent }) => consent === undefined)
      .flatMap((file) => file.find(file.add(undefined, all)))
      .map(({ event }) => event),
  )
}
