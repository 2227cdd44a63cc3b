/** Devin CLI's files of hooks: adds and removes crosshook's entries, and reads its hooks. */

import { join } from 'node:path'
import type { NativeEntry, Source } from '../../spec/dialect.ts'
import type { Loaded } from '../../spec/hook.ts'
import type { Installer } from '../../spec/installer.ts'
import { readCommandHooks } from '../lib/command-hooks.ts'
import { entryPerEvent, hooksFile } from '../lib/hooks-file.ts'
import type { Shape } from '../lib/nested-hooks.ts'
import { eventNames } from '../lib/payload.ts'
import { nameList, nestedSettings, wholeSeconds } from '../lib/write-hooks.ts'
import { capabilities } from './capabilities.ts'
import { events, ID } from './events.ts'
import { tools } from './tools.ts'

/** In hooks.v1.json the events are the keys of the file; in config.json they stand below `hooks`. */
const FILE: Shape = { agent: ID, at: [] }
const SETTINGS: Shape = { agent: ID }

/** Long, so that the time limits of the engine apply first. */
const TIMEOUT_SECONDS = 600

export const installer: Installer = {
  detect: { programs: ['devin'], folders: ['.config/devin'] },
  portable: { hosted: 'Devin', root: 'DEVIN_PROJECT_DIR' },
  files: ({ home, project, level }) => [
    hooksFile({
      path:
        level === 'user' ? join(home, '.config/devin/config.json') : join(project, '.devin/hooks.v1.json'),
      shape: level === 'user' ? SETTINGS : FILE,
      entries: (command) =>
        entryPerEvent(Object.keys(events), (event) => ({
          hooks: [{ type: 'command', command: command.line(event), timeout: TIMEOUT_SECONDS }],
        })),
    }),
  ],
}

export function read(source: Source): Loaded {
  return readCommandHooks(source, {
    words: { id: ID, tools },
    events: eventNames(ID, events),
    capabilities,
    shapes: (_root, path) => [/config[\w.]*\.json$/.test(path) ? SETTINGS : FILE],
    matcher: 'search',
    timeout: ({ timeout }) => (typeof timeout === 'number' ? timeout : 60) * 1000,
  })
}

/** As they stand in config.json. */
export function write(entries: readonly NativeEntry[]): string {
  return nestedSettings(entries, { matcher: nameList, timeout: wholeSeconds })
}
