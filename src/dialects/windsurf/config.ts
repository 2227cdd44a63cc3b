/** Windsurf's hooks.json: adds and removes crosshook's entries, and reads its hooks. */

import { join } from 'node:path'
import type { Source } from '../../spec/dialect.ts'
import type { Loaded } from '../../spec/hook.ts'
import type { Installer, SettingsFile } from '../../spec/installer.ts'
import type { Matcher } from '../../spec/matcher.ts'
import { readCommandHooks } from '../lib/command-hooks.ts'
import { entryPerEvent, hooksFile } from '../lib/hooks-file.ts'
import type { Shape } from '../lib/nested-hooks.ts'
import { eventNames } from '../lib/payload.ts'
import { capabilities, INSTALLED } from './capabilities.ts'
import { events, ID } from './events.ts'
import { MCP, toolOf, tools } from './tools.ts'

const SHAPE: Shape = { agent: ID, flat: true }

/** Nothing is documented; other formats settle on this. */
const TIMEOUT_MS = 60_000

export const installer: Installer = {
  waitSeconds: () => TIMEOUT_MS / 1000,
  detect: { programs: ['windsurf'], folders: ['.codeium/windsurf'] },
  files: ({ home, project, level }) => [
    settingsFile(
      level === 'user'
        ? join(home, '.codeium', 'windsurf', 'hooks.json')
        : join(project, '.windsurf', 'hooks.json'),
    ),
  ],
  managed: () => [settingsFile('/etc/windsurf/hooks.json')],
}

function settingsFile(path: string): SettingsFile {
  return hooksFile({
    path,
    shape: SHAPE,
    entries: (command) =>
      entryPerEvent(INSTALLED, (event) => ({ command: command.line(event), show_output: false })),
  })
}

export function read(source: Source): Loaded {
  return readCommandHooks(source, {
    words: { id: ID, tools },
    events: eventNames(ID, events),
    capabilities,
    shapes: () => [SHAPE],
    matcher: 'none',
    special,
    timeout: () => TIMEOUT_MS,
  })
}

const KINDS: Readonly<Record<string, Matcher>> = {
  run_command: { tool_names: ['Shell', 'run_command'] },
  read_code: { tool_names: ['ReadFile', 'read_code'] },
  write_code: { tool_names: ['EditFile', 'WriteFile', 'write_code'] },
  [MCP]: { tool: '^mcp' },
}

/** The event is the kind of tool. */
function special(event: string): Matcher | undefined {
  return KINDS[toolOf(event) ?? '']
}
