/** Gemini CLI's settings.json: adds and removes crosshook's entries, and reads its hooks. */

import { dirname, join } from 'node:path'
import type { NativeEntry, Source } from '../../spec/dialect.ts'
import type { Loaded } from '../../spec/hook.ts'
import type { CommandLine, EntryProblem, Installer, Place, SettingsFile } from '../../spec/installer.ts'
import type { Matcher } from '../../spec/matcher.ts'
import { wanted } from '../lib/entry-events.ts'
import { subjectWords, toolNames, toolPattern } from '../lib/foreign-matchers.ts'
import { lineOf, parseSettings } from '../lib/json-settings.ts'
import { withSetting } from '../lib/kept-setting.ts'
import {
  addEntries,
  type Found,
  findEntries,
  isOurs,
  listEntries,
  removeEntries,
} from '../lib/nested-hooks.ts'
import { eventNames, isRecord, record, string } from '../lib/payload.ts'
import { type HookParts, type Refusal, readHooks } from '../lib/read-hooks.ts'
import { settingsAt } from '../lib/settings-at.ts'
import { anchoredNames, nestedSettings } from '../lib/write-hooks.ts'
import { capabilities, NEVER_INSTALLED } from './capabilities.ts'
import { events, ID } from './events.ts'
import { tools } from './tools.ts'

const SHAPE = { agent: ID }

/** Long, so that the time limits of the engine apply first. */
const OUR_TIMEOUT_MS = 600_000
const DEFAULT_TIMEOUT_MS = 60_000
const OUR_NAME = 'crosshook'

export const installer: Installer = {
  detect: { programs: ['gemini'], folders: ['.gemini'] },
  portable: { note: 'Gemini CLI reads the settings of a folder that it trusts.' },
  files: ({ home, project, level }) => [
    settingsFile(join(level === 'user' ? home : project, '.gemini', 'settings.json')),
  ],
  // These settings count before a user's.
  managed: () => [
    withSetting(settingsFile('/etc/gemini-cli/settings.json'), ['hooksConfig', 'enabled'], true),
  ],
  activity: ({ home }) => [join(home, '.gemini', 'tmp')],
}

function settingsFile(path: string): SettingsFile {
  return {
    path,
    add: (text, command) => addEntries(text, SHAPE, ourEntries(command)),
    remove: (text) => removeEntries(text, SHAPE),
    find: (text) => findEntries(text, SHAPE),
    problems,
  }
}

function ourEntries(command: CommandLine): Record<string, object> {
  const installed = Object.keys(events).filter((event) => !NEVER_INSTALLED.includes(event))
  return Object.fromEntries(
    wanted(installed, command).map((event) => [
      event,
      {
        // An automatic compression fires before every request and usually changes nothing.
        ...(event === 'PreCompress' ? { matcher: 'manual' } : {}),
        hooks: [{ name: OUR_NAME, type: 'command', command: command.line(event), timeout: OUR_TIMEOUT_MS }],
      },
    ]),
  )
}

/** Settings that keep our entries from running. */
function problems(text: string | undefined, place: Place): EntryProblem[] {
  const { enabled, disabled } = record(record(parseSettings(text ?? '')).hooksConfig)
  const found: EntryProblem[] = []
  if (enabled === false)
    found.push({
      level: 'error',
      message: '"hooksConfig.enabled" is false: Gemini CLI runs no hook at all.',
      fix: 'Set "hooksConfig.enabled" to true.',
    })
  if (Array.isArray(disabled) && disabled.includes(OUR_NAME))
    found.push({
      level: 'error',
      message: `"hooksConfig.disabled" names ${OUR_NAME}: our entries do not run.`,
      fix: `Run /hooks enable ${OUR_NAME} in Gemini CLI, or take the name out of the list.`,
    })
  if (isDistrusted(place))
    found.push({
      level: 'error',
      message: `${place.project} is a folder that Gemini CLI was told not to trust: no hook runs there.`,
      fix: 'Run /permissions in Gemini CLI, if you trust the folder.',
    })
  return found
}

/** The nearest folder with a trust decision. For other folders Gemini CLI asks when it starts there. */
function isDistrusted({ home, project, env }: Place): boolean {
  const known = settingsAt(join(home, '.gemini', 'trustedFolders.json'))
  if (env.GEMINI_CLI_TRUST_WORKSPACE === 'true') return false
  for (let folder = project; ; folder = dirname(folder)) {
    if (typeof known[folder] === 'string') return known[folder] === 'DO_NOT_TRUST'
    if (folder === dirname(folder)) return false
  }
}

export function write(entries: readonly NativeEntry[]): string {
  return nestedSettings(entries, { matcher: anchoredNames, timeout: (milliseconds) => milliseconds })
}

export function read(source: Source): Loaded {
  let disabled: readonly unknown[] = []
  return readHooks(source, {
    format: ID,
    events: eventNames(ID, events),
    entries(text) {
      const root = record(parseSettings(text))
      const settings = record(root.hooksConfig)
      if (Array.isArray(settings.disabled)) disabled = settings.disabled
      const found = settings.enabled === false ? [] : listEntries(root, SHAPE)
      return { found, line: (path) => lineOf(text, path) }
    },
    blocks: (event) => capabilities[event]?.deny ?? false,
    isOurs: ({ entry }) => isOurs(entry, SHAPE),
    hook(found, all) {
      const parts = toHook(found)
      if ('message' in parts) return parts
      const { name, command } = found.entry
      // One sequential group makes its whole event sequential.
      const isSequential = all.some(({ event, group }) => event === found.event && group.sequential === true)
      return {
        ...parts,
        ...(isSequential ? { mode: 'sequence' as const } : {}),
        ...(disabled.includes(name) || disabled.includes(command) ? { disabled: true } : {}),
      }
    },
  })
}

function toHook({ event, group, entry }: Found): HookParts | Refusal {
  const command = string(entry.command)
  if (entry.type !== 'command' || command === undefined)
    return {
      field: 'type',
      message: `A hook of type ${JSON.stringify(entry.type)} is discarded by Gemini CLI.`,
      fix: 'Use "type": "command" (in lower case) with a "command".',
    }
  const description = string(entry.description) ?? string(entry.name)
  return {
    run: { type: 'command', command, shell: 'bash', args: ['-c'] },
    matcher: matcherOf(group.matcher, event),
    timeout: typeof entry.timeout === 'number' ? entry.timeout : DEFAULT_TIMEOUT_MS,
    ...(description === undefined ? {} : { description }),
    ...(isRecord(entry.env)
      ? { env: Object.fromEntries(Object.entries(entry.env).map(([key, value]) => [key, String(value)])) }
      : {}),
  }
}

const EXACT = new Set(['SessionStart', 'SessionEnd', 'PreCompress'])

/** For tools an unanchored pattern, or plain text if the pattern is invalid; for sessions the exact word; ignored on other events. */
function matcherOf(value: unknown, event: string): Matcher {
  const text = typeof value === 'string' ? value : ''
  if (text === '' || text === '*') return {}
  if (EXACT.has(event)) return subjectWords([text])
  if (event !== 'BeforeTool' && event !== 'AfterTool') return {}
  const words = { id: ID, tools }
  return toolPattern(words, text) ?? toolNames(words, [text])
}
