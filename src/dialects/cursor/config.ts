/** Cursor's hooks.json: adds and removes crosshook's entries, and reads its hooks. */

import { join } from 'node:path'
import type { NativeEntry, Source } from '../../spec/dialect.ts'
import type { Loaded } from '../../spec/hook.ts'
import type { Installer, SettingsFile } from '../../spec/installer.ts'
import type { Matcher } from '../../spec/matcher.ts'
import { readCommandHooks } from '../lib/command-hooks.ts'
import { entryPerEvent, hooksFile } from '../lib/hooks-file.ts'
import type { Shape } from '../lib/nested-hooks.ts'
import { eventNames } from '../lib/payload.ts'
import { anchoredNames, flatSettings, wholeSeconds } from '../lib/write-hooks.ts'
import { capabilities, INSTALLED } from './capabilities.ts'
import { events, ID } from './events.ts'
import { tools } from './tools.ts'

const SHAPE: Shape = { agent: ID, flat: true }

/** Long, so that the time limits of the engine apply first. */
const TIMEOUT_SECONDS = 600

export const installer: Installer = {
  detect: { programs: ['cursor', 'cursor-agent'], folders: ['.cursor'] },
  portable: { hosted: 'cloud agents of Cursor' },
  files: ({ home, project, level }) => [
    settingsFile(join(level === 'user' ? home : project, '.cursor', 'hooks.json')),
  ],
  managed: () => [settingsFile('/etc/cursor/hooks.json')],
}

function settingsFile(path: string): SettingsFile {
  return hooksFile({
    path,
    shape: SHAPE,
    head: { version: 1 },
    entries: (command) =>
      entryPerEvent(INSTALLED, (event) => ({
        command: command.line(event),
        timeout: TIMEOUT_SECONDS,
        ...(command.refuses?.(event) ? { failClosed: true } : {}),
      })),
  })
}

export function read(source: Source): Loaded {
  return readCommandHooks(source, {
    words: { id: ID, tools },
    events: eventNames(ID, events),
    capabilities,
    shapes: () => [SHAPE],
    matcher: 'search',
    special,
    timeout: ({ timeout }) => (typeof timeout === 'number' ? timeout : 60) * 1000,
    more: ({ failClosed }) => (failClosed === true ? { on_failure: 'closed' } : {}),
  })
}

/** Events of one kind of tool: what their matcher is compared with. */
function special(event: string, matcher: string): Matcher | undefined {
  if (event.endsWith('ShellExecution'))
    return { tool_names: ['Shell'], ...(matcher === '' ? {} : { command_text: matcher }) }
  if (event === 'beforeReadFile') return { tool_names: ['ReadFile', 'Read'] }
  if (event.endsWith('MCPExecution')) return { tool: '^(?:MCP:|mcp__)' }
  return undefined
}

export function write(entries: readonly NativeEntry[]): string {
  return flatSettings(entries, {
    head: { version: 1 },
    matcher: anchoredNames,
    entry: (command, timeout) => ({ command, timeout: wholeSeconds(timeout) }),
  })
}
