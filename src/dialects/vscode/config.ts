/** Hook files of VS Code's agent mode: adds and removes crosshook's entries, and reads its hooks. */

import { join } from 'node:path'
import type { NativeEntry, Source } from '../../spec/dialect.ts'
import type { Loaded } from '../../spec/hook.ts'
import type { Installer } from '../../spec/installer.ts'
import { readCommandHooks } from '../lib/command-hooks.ts'
import { entryPerEvent, hooksFile } from '../lib/hooks-file.ts'
import { listEntries, type Shape } from '../lib/nested-hooks.ts'
import { eventNames, isRecord, string } from '../lib/payload.ts'
import { flatSettings, nameList, wholeSeconds } from '../lib/write-hooks.ts'
import { capabilities } from './capabilities.ts'
import { events, ID } from './events.ts'
import { tools } from './tools.ts'

const SHAPE: Shape = { agent: ID, flat: true }

/** Long, so that the time limits of the engine apply first. */
const TIMEOUT_SECONDS = 600

export const installer: Installer = {
  detect: { programs: ['code'], folders: ['.vscode', '.config/Code'] },
  files: ({ home, project, level }) => [
    hooksFile({
      path: join(
        level === 'user' ? join(home, '.copilot') : join(project, '.github'),
        'hooks',
        'crosshook-vscode.json',
      ),
      shape: SHAPE,
      head: { version: 1 },
      entries: (command) =>
        entryPerEvent(Object.keys(events), (event) => ({
          type: 'command',
          command: command.line(event),
          timeout: TIMEOUT_SECONDS,
        })),
    }),
  ],
}

export function read(source: Source): Loaded {
  return readCommandHooks(source, {
    words: { id: ID, tools },
    events: eventNames(ID, events),
    capabilities,
    // Groups, as another agent writes them, are accepted too.
    shapes: (root) => [listEntries(root, { agent: ID }).length > 0 ? { agent: ID } : SHAPE],
    matcher: 'none',
    command: (entry) => string(entry[process.platform === 'darwin' ? 'osx' : 'linux']),
    timeout: ({ timeout }) => (typeof timeout === 'number' ? timeout : 30) * 1000,
    more: (entry) => (isRecord(entry.env) ? { env: entry.env as Record<string, string> } : {}),
  })
}

export function write(entries: readonly NativeEntry[]): string {
  return flatSettings(entries, {
    head: { version: 1 },
    matcher: nameList,
    entry: (command, timeout) => ({ type: 'command', command, timeout: wholeSeconds(timeout) }),
  })
}
