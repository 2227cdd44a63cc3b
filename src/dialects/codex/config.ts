/** Codex's hooks.json and config.toml: adds and removes crosshook's entries, and reads its hooks. */

import { join } from 'node:path'
import type { NativeEntry, Source } from '../../spec/dialect.ts'
import { type Loaded, USER_SHELL } from '../../spec/hook.ts'
import type { CommandLine, Installer, SettingsFile } from '../../spec/installer.ts'
import type { Matcher } from '../../spec/matcher.ts'
import { wanted } from '../lib/entry-events.ts'
import { isLinear, subjectPattern, subjectWords, toolNames, toolPattern } from '../lib/foreign-matchers.ts'
import { lineOf, parseSettings } from '../lib/json-settings.ts'
import {
  addEntries,
  type Found,
  findEntries,
  isOurs,
  listEntries,
  removeEntries,
} from '../lib/nested-hooks.ts'
import { eventNames, string } from '../lib/payload.ts'
import { type HookParts, type Refusal, readHooks } from '../lib/read-hooks.ts'
import { parseTomlSettings } from '../lib/toml-settings.ts'
import { nameList, nestedSettings, wholeSeconds } from '../lib/write-hooks.ts'
import { capabilities } from './capabilities.ts'
import { events, ID } from './events.ts'
import { requirementsFile } from './requirements.ts'
import { aliases, tools } from './tools.ts'
import { trustFile, trustProblems } from './trust.ts'

const SHAPE = { agent: ID }
const NAMES = Object.keys(events)

/** Seconds; the last two are cut off at 3 by Codex itself. */
export function timeoutSeconds(event: string): number {
  return event === 'SessionEnd' || event === 'Interrupt' ? 3 : 600
}

export const installer: Installer = {
  detect: { programs: ['codex'], folders: ['.codex'] },
  portable: {
    hosted: 'Codex cloud',
    note: 'Codex runs hooks of a project that were reviewed: in its /hooks dialog, or by an option of whoever starts it.',
  },
  files: ({ home, project, env, level }) => {
    const userFolder = env.CODEX_HOME || join(home, '.codex')
    const hooksFile = join(level === 'user' ? userFolder : join(project, '.codex'), 'hooks.json')
    return [
      {
        ...settingsFile(hooksFile),
        problems: (text) => trustProblems(text, hooksFile, join(userFolder, 'config.toml')),
      },
      trustFile({ path: join(userFolder, 'config.toml'), hooksFile, names: NAMES, entries: ourEntries }),
    ]
  },
  managed: () => [settingsFile('/etc/codex/hooks.json'), requirementsFile('/etc/codex/requirements.toml')],
  waitSeconds: timeoutSeconds,
  activity: ({ home, env }) => [join(env.CODEX_HOME || join(home, '.codex'), 'sessions')],
}

function settingsFile(path: string): SettingsFile {
  return {
    path,
    add: (text, command) => addEntries(text, SHAPE, ourEntries(command)),
    remove: (text) => removeEntries(text, SHAPE),
    find: (text) => findEntries(text, SHAPE),
  }
}

function ourEntries(command: CommandLine): Record<string, { hooks: [OurEntry] }> {
  return Object.fromEntries(
    wanted(NAMES, command).map((event) => [
      event,
      { hooks: [{ type: 'command', command: command.line(event), timeout: timeoutSeconds(event) }] },
    ]),
  )
}

export interface OurEntry {
  type: 'command'
  command: string
  timeout: number
}

export function write(entries: readonly NativeEntry[]): string {
  return nestedSettings(entries, { matcher: nameList, timeout: wholeSeconds })
}

export function read(source: Source): Loaded {
  return readHooks(source, {
    format: ID,
    events: eventNames(ID, events),
    entries(text) {
      if (!source.path.endsWith('.toml'))
        return { found: listEntries(parseSettings(text), SHAPE), line: (path) => lineOf(text, path) }
      return { found: listEntries(parseTomlSettings(text), SHAPE), line: () => undefined }
    },
    blocks: (event) => capabilities[event]?.deny ?? false,
    isOurs: ({ entry }) => isOurs(entry, SHAPE),
    hook: toHook,
  })
}

function toHook({ event, group, entry }: Found): HookParts | Refusal {
  const command = string(entry.command)
  if (entry.type !== 'command' || command === undefined)
    return {
      field: 'type',
      message: `A hook of type ${JSON.stringify(entry.type)} cannot be run here.`,
      fix: 'Use "type": "command" with a "command".',
    }
  const matcher = matcherOf(group.matcher, event)
  if ('message' in matcher) return matcher
  const seconds =
    typeof entry.timeout === 'number'
      ? entry.timeout
      : event === 'SessionEnd' || event === 'Interrupt'
        ? 1
        : 600
  return {
    run: { type: 'command', command, shell: USER_SHELL, args: ['-c'] },
    matcher,
    timeout: seconds * 1000,
    ...(entry.async === true && event !== 'SessionEnd' ? { mode: 'background' as const } : {}),
  }
}

const NO_MATCHER = new Set(['UserPromptSubmit', 'Stop', 'PreModelRequest', 'PostModelRequest', 'Interrupt'])
const TOOL_EVENTS = new Set(['PreToolUse', 'PermissionRequest', 'PostToolUse'])

function matcherOf(value: unknown, event: string): Matcher | Refusal {
  const text = typeof value === 'string' ? value : ''
  if (text === '' || text === '*' || NO_MATCHER.has(event)) return {}
  const isTool = TOOL_EVENTS.has(event)
  const words = { id: ID, tools, aliases }
  if (/^[\w|]+$/.test(text)) {
    const names = text.split('|')
    return isTool ? withWrites(toolNames(words, names)) : subjectWords(names)
  }
  const matcher = isLinear(text) ? (isTool ? toolPattern(words, text) : subjectPattern(text)) : undefined
  if (matcher) return withWrites(matcher)
  return {
    field: 'matcher',
    message: `The matcher ${JSON.stringify(text)} is no pattern that Codex takes, so the hook never runs.`,
    fix: 'Write names separated by | or a regular expression without look-around.',
  }
}

/** A patch also writes and deletes files, which other agents do with separate tools. */
function withWrites(matcher: Matcher): Matcher {
  const names = matcher.tool_names
  if (names?.includes('apply_patch')) return { ...matcher, tool_names: [...names, 'WriteFile', 'DeleteFile'] }
  return matcher.any ? { ...matcher, any: matcher.any.map(withWrites) } : matcher
}
