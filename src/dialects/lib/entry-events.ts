import type { CommandLine } from '../../spec/installer.ts'

/** The events that entries are written for. */
export function wanted(events: readonly string[], { wants }: CommandLine): readonly string[] {
  return wants ? events.filter((event) => wants(event)) : events
}
