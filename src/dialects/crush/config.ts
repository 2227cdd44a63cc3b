/** Crush's crush.json: adds and removes crosshook's entry, and reads its hooks. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { NativeEntry, Source } from '../../spec/dialect.ts'
import type { Loaded } from '../../spec/hook.ts'
import type { Installer } from '../../spec/installer.ts'
import { readCommandHooks } from '../lib/command-hooks.ts'
import { entryPerEvent, hooksFile } from '../lib/hooks-file.ts'
import type { Shape } from '../lib/nested-hooks.ts'
import { eventNames } from '../lib/payload.ts'
import { anchoredNames, flatSettings, wholeSeconds } from '../lib/write-hooks.ts'
import { capabilities } from './capabilities.ts'
import { events, ID } from './events.ts'
import { tools } from './tools.ts'

const SHAPE: Shape = { agent: ID, flat: true }

/** Long, so that the time limits of the engine apply first. */
const TIMEOUT_SECONDS = 600

export const installer: Installer = {
  detect: { programs: ['crush'], folders: ['.config/crush'] },
  files: ({ home, project, env, level }) => [
    hooksFile({
      path:
        level === 'user'
          ? join(env.XDG_CONFIG_HOME || join(home, '.config'), 'crush', 'crush.json')
          : projectFile(project),
      shape: SHAPE,
      entries: (command) =>
        entryPerEvent(Object.keys(events), (event) => ({
          name: 'crosshook',
          command: command.line(event),
          timeout: TIMEOUT_SECONDS,
        })),
    }),
  ],
}

function projectFile(project: string): string {
  const hidden = join(project, '.crush.json')
  return existsSync(hidden) ? hidden : join(project, 'crush.json')
}

export function read(source: Source): Loaded {
  return readCommandHooks(source, {
    words: { id: ID, tools },
    events: eventNames(ID, events),
    capabilities,
    shapes: () => [SHAPE],
    matcher: 'search',
    timeout: ({ timeout }) => (typeof timeout === 'number' ? timeout : 30) * 1000,
    more: () => ({ input_merge: 'shallow' }),
  })
}

export function write(entries: readonly NativeEntry[]): string {
  return flatSettings(entries, {
    matcher: anchoredNames,
    entry: (command, timeout) => ({ command, timeout: wholeSeconds(timeout) }),
  })
}
