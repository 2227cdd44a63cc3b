/** OpenHands' hooks.json: adds and removes crosshook's entries, and reads its hooks. */

import { join } from 'node:path'
import type { NativeEntry, Source } from '../../spec/dialect.ts'
import type { Loaded } from '../../spec/hook.ts'
import type { Installer } from '../../spec/installer.ts'
import { readCommandHooks } from '../lib/command-hooks.ts'
import { entryPerEvent, hooksFile } from '../lib/hooks-file.ts'
import { eventNames, isRecord } from '../lib/payload.ts'
import { nameList, nestedSettings, wholeSeconds } from '../lib/write-hooks.ts'
import { capabilities } from './capabilities.ts'
import { events, ID } from './events.ts'
import { tools } from './tools.ts'

/** Events may stand at the top of the file, or below `hooks`; we write the latter. */
const SHAPE = { agent: ID }

/** Long, so that the time limits of the engine apply first. */
const TIMEOUT_SECONDS = 600

export const installer: Installer = {
  detect: { programs: ['openhands'], folders: ['.openhands'] },
  portable: { hosted: 'OpenHands Cloud' },
  files: ({ home, project, level }) => [
    hooksFile({
      path: join(level === 'user' ? home : project, '.openhands', 'hooks.json'),
      shape: SHAPE,
      entries: (command) =>
        entryPerEvent(Object.keys(events), (event) => ({
          matcher: '*',
          hooks: [{ type: 'command', command: command.line(event), timeout: TIMEOUT_SECONDS }],
        })),
    }),
  ],
}

/** Both spellings of an event. */
const names = Object.fromEntries(
  Object.entries(eventNames(ID, events)).flatMap(([name, event]) => [
    [name, event],
    [name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase(), event],
  ]),
)

export function read(source: Source): Loaded {
  const loaded = readCommandHooks(source, {
    words: { id: ID, tools },
    events: names,
    capabilities,
    shapes: (root) => [isRecord(root.hooks) ? SHAPE : { agent: ID, at: [] }],
    matcher: 'names or whole',
    mode: 'sequence',
    timeout: ({ timeout }) => (typeof timeout === 'number' ? timeout : 60) * 1000,
  })
  for (const hook of loaded.hooks) {
    const name = Object.keys(events).find((event) => capabilities[event]!.event === hook.events[0])!
    hook.native_event = name
    hook.blocks = capabilities[name]!.deny
  }
  return loaded
}

export function write(entries: readonly NativeEntry[]): string {
  return nestedSettings(entries, { matcher: nameList, timeout: wholeSeconds })
}
