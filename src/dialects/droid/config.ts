/** Droid's hooks.json: adds and removes crosshook's entries, and reads its hooks. */

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

/** In hooks.json the events are the keys of the file; in settings.json they stand below `hooks`. */
const FILE: Shape = { agent: ID, at: [] }
const SETTINGS: Shape = { agent: ID }

/** Long, so that the time limits of the engine apply first. */
const TIMEOUT_SECONDS = 600

export const installer: Installer = {
  detect: { programs: ['droid'], folders: ['.factory'] },
  portable: { root: 'FACTORY_PROJECT_DIR' },
  files: ({ home, project, level }) => [
    hooksFile({
      path: join(level === 'user' ? home : project, '.factory', 'hooks.json'),
      shape: FILE,
      entries: (command) =>
        entryPerEvent(Object.keys(events), (event) => ({
          ...(event.endsWith('ToolUse') ? { matcher: '*' } : {}),
          hooks: [{ type: 'command', command: command.line(event), timeout: TIMEOUT_SECONDS }],
        })),
    }),
  ],
  activity: ({ home }) => [join(home, '.factory', 'sessions')],
}

export function read(source: Source): Loaded {
  return readCommandHooks(source, {
    words: { id: ID, tools },
    events: eventNames(ID, events),
    capabilities,
    shapes: (_root, path) => [/settings[\w.-]*\.json$/.test(path) ? SETTINGS : FILE],
    matcher: 'names or whole',
    timeout: ({ timeout }) => (typeof timeout === 'number' ? timeout : 60) * 1000,
  })
}

/** In a file of its own, where the events are the keys. */
export function write(entries: readonly NativeEntry[]): string {
  const { hooks } = JSON.parse(nestedSettings(entries, { matcher: nameList, timeout: wholeSeconds }))
  return `${JSON.stringify(hooks, null, 2)}\n`
}
