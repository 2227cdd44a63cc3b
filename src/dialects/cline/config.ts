/** Cline's hook files: the name of the file is the event. */

import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import type { Source } from '../../spec/dialect.ts'
import { CrosshookError } from '../../spec/errors.ts'
import { HOOK_DEFAULTS, type Loaded, type Run } from '../../spec/hook.ts'
import type { Installer, SettingsFile } from '../../spec/installer.ts'
import { capabilities } from './capabilities.ts'
import { events, ID } from './events.ts'

const MARK = '# Made by `crosshook install`, deleted by `crosshook uninstall`: changes are lost.'
const HEAD = `#!/bin/sh\n${MARK}\n`

export const installer: Installer = {
  detect: { programs: ['cline'], folders: ['.cline'] },
  files: ({ home, project, level }) => {
    const folder = join(level === 'user' ? home : project, '.cline', 'hooks')
    return Object.keys(events).map((event) => hookFile(join(folder, `${event}.sh`), event))
  },
}

function hookFile(path: string, event: string): SettingsFile {
  return {
    path,
    mode: 0o755,
    isWanted: ({ wants }) => wants?.(event) ?? true,
    add(text, command) {
      const other = text !== undefined && !text.startsWith(HEAD) ? basename(path) : rival(path, event)
      if (other !== undefined)
        throw new CrosshookError(
          'exists',
          `${dirname(path)} has a hook of its own for ${event}: ${other}. Cline runs one file for each event.`,
          {
            fix: `Move it to a HOOK.md of yours, or out of the folder, then install again.`,
          },
        )
      return `${HEAD}${command.line(event)}\n`
    },
    remove: (text) => (text.startsWith(HEAD) ? undefined : text),
    find: (text) => [
      {
        event,
        command: text.startsWith(HEAD) ? text.slice(HEAD.length).trim() : path,
        ours: text.startsWith(HEAD),
      },
    ],
  }
}

/** Another file for the same event. */
function rival(path: string, event: string): string | undefined {
  const folder = dirname(path)
  if (!existsSync(folder)) return undefined
  return readdirSync(folder).find((name) => name !== basename(path) && eventOf(name) === event)
}

/** `pretooluse.py` → `PreToolUse`. */
export function eventOf(file: string): string | undefined {
  const stem = basename(file, extname(file)).toLowerCase()
  return Object.keys(events).find((event) => event.toLowerCase() === stem)
}

const PROGRAMS: Readonly<Record<string, string>> = {
  '.sh': 'sh',
  '.bash': 'bash',
  '.py': 'python3',
  '.js': 'node',
  '.mjs': 'node',
  '.cjs': 'node',
  '.ts': 'node',
  '.ps1': 'pwsh',
}

export function read({ path, text, scope }: Source): Loaded {
  const event = eventOf(path)
  if (text === undefined || event === undefined || text.startsWith(HEAD)) return { hooks: [], problems: [] }
  const names = events[event]!
  const program = PROGRAMS[extname(path).toLowerCase()]
  const run: Run = { type: 'command', argv: program === undefined ? [path] : [program, path] }
  return {
    hooks: [
      {
        ...HOOK_DEFAULTS,
        name: `${scope === 'user' ? '~/' : ''}${basename(dirname(path))}/${basename(path)}`,
        format: ID,
        scope,
        events: [names.event!, ...(names.also ?? [])],
        native_event: event,
        run,
        // Cline itself waits for ever.
        timeout: 600_000,
        blocks: capabilities[event]?.deny ?? false,
        origin: { file: path },
      },
    ],
    problems: [],
  }
}
