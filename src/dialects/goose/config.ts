/** A plugin of ours for Goose: hooks.json and the plugin.json beside it. */

import { join } from 'node:path'
import type { NativeEntry, Source } from '../../spec/dialect.ts'
import type { Loaded } from '../../spec/hook.ts'
import type { Installer } from '../../spec/installer.ts'
import { readCommandHooks } from '../lib/command-hooks.ts'
import { entryPerEvent, hooksFile } from '../lib/hooks-file.ts'
import { eventNames } from '../lib/payload.ts'
import { pluginManifest } from '../lib/plugin-manifest.ts'
import { anchoredNames, nestedSettings, wholeSeconds } from '../lib/write-hooks.ts'
import { capabilities, INSTALLED } from './capabilities.ts'
import { events, ID } from './events.ts'
import { tools } from './tools.ts'

const SHAPE = { agent: ID }

/** Long, so that the time limits of the engine apply first. */
const TIMEOUT_SECONDS = 600

export const installer: Installer = {
  detect: { programs: ['goose'], folders: ['.config/goose'] },
  files: ({ home, project, level }) => {
    const folder = join(level === 'user' ? home : project, '.agents', 'plugins', 'crosshook')
    return [
      hooksFile({
        path: join(folder, 'hooks', 'hooks.json'),
        shape: SHAPE,
        entries: (command) =>
          entryPerEvent(INSTALLED, (event) => ({
            hooks: [
              {
                type: 'command',
                command: command.line(event),
                timeout: TIMEOUT_SECONDS,
                ...(command.refuses?.(event) ? { on_failure: 'block' } : {}),
              },
            ],
          })),
      }),
      pluginManifest({
        path: join(folder, 'plugin.json'),
        members: {
          name: 'crosshook',
          version: '1.0.0',
          description: 'Hooks of every format, by crosshook.',
        },
        event: 'SessionStart',
      }),
    ]
  },
}

export function read(source: Source): Loaded {
  return readCommandHooks(source, {
    words: { id: ID, tools },
    events: eventNames(ID, events),
    capabilities,
    shapes: () => [SHAPE],
    matcher: 'search',
    timeout: ({ timeout }) => (typeof timeout === 'number' ? timeout : 30) * 1000,
    more: ({ on_failure }) => (on_failure === 'block' ? { on_failure: 'closed' } : {}),
  })
}

export function write(entries: readonly NativeEntry[]): string {
  return nestedSettings(entries, { matcher: anchoredNames, timeout: wholeSeconds })
}
