/** Letta Code's settings.json: adds and removes crosshook's entries, and reads its hooks. */

import { join } from 'node:path'
import type { NativeEntry, Source } from '../../spec/dialect.ts'
import type { Loaded } from '../../spec/hook.ts'
import type { Installer } from '../../spec/installer.ts'
import { readCommandHooks } from '../lib/command-hooks.ts'
import { entryPerEvent, hooksFile } from '../lib/hooks-file.ts'
import { eventNames, record } from '../lib/payload.ts'
import { nameList, nestedSettings } from '../lib/write-hooks.ts'
import { capabilities } from './capabilities.ts'
import { events, ID } from './events.ts'
import { tools } from './tools.ts'

const SHAPE = { agent: ID }

/** Long, so that the time limits of the engine apply first. */
const OUR_TIMEOUT_MS = 600_000
const TOOL_EVENTS = new Set(['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PermissionRequest'])

export const installer: Installer = {
  detect: { programs: ['letta'], folders: ['.letta'] },
  files: ({ home, project, level }) => [
    hooksFile({
      path: join(level === 'user' ? home : project, '.letta', 'settings.json'),
      shape: SHAPE,
      entries: (command) =>
        entryPerEvent(Object.keys(events), (event) => ({
          ...(TOOL_EVENTS.has(event) ? { matcher: '*' } : {}),
          hooks: [{ type: 'command', command: command.line(event), timeout: OUR_TIMEOUT_MS }],
        })),
    }),
  ],
}

export function read(source: Source): Loaded {
  return readCommandHooks(source, {
    words: { id: ID, tools },
    events: eventNames(ID, events),
    capabilities,
    shapes: (root) => (record(root.hooks).disabled === true ? [] : [SHAPE]),
    matcher: 'whole',
    timeout: ({ timeout }) => (typeof timeout === 'number' ? timeout : 60_000),
    more: (_entry, event) => (capabilities[event]?.deny ? { mode: 'sequence' } : {}),
  })
}

export function write(entries: readonly NativeEntry[]): string {
  return nestedSettings(entries, { matcher: nameList, timeout: (milliseconds) => milliseconds })
}
