/** Auggie's settings.json: adds and removes crosshook's entries, and reads its hooks. */

import { join } from 'node:path'
import type { NativeEntry, Source } from '../../spec/dialect.ts'
import type { Loaded } from '../../spec/hook.ts'
import type { Installer, SettingsFile } from '../../spec/installer.ts'
import { readCommandHooks } from '../lib/command-hooks.ts'
import { entryPerEvent, hooksFile } from '../lib/hooks-file.ts'
import { eventNames } from '../lib/payload.ts'
import { nameList, nestedSettings } from '../lib/write-hooks.ts'
import { capabilities } from './capabilities.ts'
import { events, ID } from './events.ts'
import { tools } from './tools.ts'

const SHAPE = { agent: ID }

/** Milliseconds by its documentation; long, so that the engine's own limits decide. */
const OUR_TIMEOUT_MS = 600_000
const DEFAULT_TIMEOUT_MS = 60_000

export const installer: Installer = {
  detect: { programs: ['auggie'], folders: ['.augment'] },
  portable: {},
  files: ({ home, project, level }) => [
    settingsFile(join(level === 'user' ? home : project, '.augment', 'settings.json')),
  ],
  managed: () => [settingsFile('/etc/augment/settings.json')],
}

function settingsFile(path: string): SettingsFile {
  return hooksFile({
    path,
    shape: SHAPE,
    entries: (command) =>
      entryPerEvent(Object.keys(events), (event) => ({
        ...(event.endsWith('ToolUse') ? { matcher: '.*' } : {}),
        hooks: [{ type: 'command', command: command.line(event), timeout: OUR_TIMEOUT_MS }],
      })),
  })
}

export function read(source: Source): Loaded {
  return readCommandHooks(source, {
    words: { id: ID, tools },
    events: eventNames(ID, events),
    capabilities,
    shapes: () => [SHAPE],
    matcher: 'names or search',
    timeout: ({ timeout }) => (typeof timeout === 'number' && timeout > 0 ? timeout : DEFAULT_TIMEOUT_MS),
  })
}

export function write(entries: readonly NativeEntry[]): string {
  return nestedSettings(entries, { matcher: nameList, timeout: (milliseconds) => milliseconds })
}
