/** Copilot CLI's hook files: adds and removes crosshook's entries, and reads its hooks. */

import { join } from 'node:path'
import type { NativeEntry, Source } from '../../spec/dialect.ts'
import type { Loaded } from '../../spec/hook.ts'
import type { Installer, SettingsFile } from '../../spec/installer.ts'
import { readCommandHooks } from '../lib/command-hooks.ts'
import { entryPerEvent, hooksFile } from '../lib/hooks-file.ts'
import { isOurs, listEntries, type Shape } from '../lib/nested-hooks.ts'
import { eventNames, isRecord, string } from '../lib/payload.ts'
import { flatSettings, nameList, wholeSeconds } from '../lib/write-hooks.ts'
import { capabilities, INSTALLED } from './capabilities.ts'
import { events, ID } from './events.ts'
import { tools } from './tools.ts'

const SHAPE: Shape = { agent: ID, flat: true }

/** Long, so that the time limits of the engine apply first. */
const TIMEOUT_SECONDS = 600

export const installer: Installer = {
  detect: { programs: ['copilot'], folders: ['.copilot'] },
  portable: { hosted: 'the Copilot coding agent, which reads the default branch' },
  files: ({ home, project, env, level }) => [
    settingsFile(
      level === 'user'
        ? join(env.COPILOT_HOME || join(home, '.copilot'), 'hooks', 'crosshook.json')
        : join(project, '.github', 'hooks', 'crosshook.json'),
    ),
  ],
  managed: () => [settingsFile('/etc/github-copilot/policy.d/crosshook.json')],
  activity: ({ home, env }) => [join(env.COPILOT_HOME || join(home, '.copilot'), 'session-state')],
}

function settingsFile(path: string): SettingsFile {
  return hooksFile({
    path,
    shape: SHAPE,
    head: { version: 1 },
    entries: (command) =>
      entryPerEvent(INSTALLED, (event) => ({
        type: 'command',
        command: command.line(event),
        timeoutSec: TIMEOUT_SECONDS,
      })),
  })
}

export function read(source: Source): Loaded {
  return readCommandHooks(source, {
    words: { id: ID, tools },
    events: eventNames(ID, events),
    capabilities,
    // Events in PascalCase may also be written as in other agents, with groups.
    shapes: (root) => {
      const nested = listEntries(root, { agent: ID }).some(({ entry }) => !isOurs(entry, SHAPE))
      return nested ? [{ agent: ID }] : [SHAPE]
    },
    matcher: 'whole',
    mode: 'sequence',
    command: (entry) => string(entry.bash) ?? string(entry.command),
    timeout: (entry) => Number(entry.timeoutSec ?? entry.timeout ?? 30) * 1000,
    more: (entry) => (isRecord(entry.env) ? { env: entry.env as Record<string, string> } : {}),
  })
}

export function write(entries: readonly NativeEntry[]): string {
  return flatSettings(entries, {
    head: { version: 1 },
    matcher: nameList,
    entry: (command, timeout) => ({ type: 'command', command, timeoutSec: wholeSeconds(timeout) }),
  })
}
