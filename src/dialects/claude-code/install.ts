/** Claude Code's settings.json: adds and removes crosshook's entries, and finds what keeps them from running. */

import { join } from 'node:path'
import type { CommandLine, EntryProblem, Installer, Place, SettingsFile } from '../../spec/installer.ts'
import { wanted } from '../lib/entry-events.ts'
import { urlProblems } from '../lib/http-urls.ts'
import { parseSettings } from '../lib/json-settings.ts'
import { addEntries, findEntries, listEntries, removeEntries } from '../lib/nested-hooks.ts'
import { record } from '../lib/payload.ts'
import { settingsAt } from '../lib/settings-at.ts'
import { capabilities, http, NEVER_INSTALLED } from './capabilities.ts'
import { events, ID } from './events.ts'

const SHAPE = { agent: ID }

/** Seconds. Long, so that the time limits of the engine apply first; at the end of a session nobody waits that long. */
const TIMEOUT_SECONDS = 600
const END_TIMEOUT_SECONDS = 60

const MANAGED = '/etc/claude-code/managed-settings.json'

export const installer: Installer = {
  detect: { programs: ['claude'], folders: ['.claude'] },
  portable: { hosted: 'Claude Code on the web', root: 'CLAUDE_PROJECT_DIR' },
  files: ({ home, project, env, level }) => [
    {
      ...settingsFile(
        level === 'user'
          ? join(env.CLAUDE_CONFIG_DIR || join(home, '.claude'), 'settings.json')
          : join(project, '.claude', 'settings.json'),
      ),
      problems,
    },
  ],
  managed: () => [{ ...settingsFile(MANAGED), problems: ownProblems }],
  waitSeconds,
  activity: ({ home, env }) => [join(env.CLAUDE_CONFIG_DIR || join(home, '.claude'), 'projects')],
}

function settingsFile(path: string): SettingsFile {
  return {
    path,
    add: (text, command) => addEntries(text, SHAPE, ourEntries(command)),
    remove: (text) => removeEntries(text, SHAPE),
    find: (text) => findEntries(text, SHAPE),
  }
}

function ourEntries(command: CommandLine): Record<string, object> {
  const installed = Object.keys(events).filter((event) => !NEVER_INSTALLED.includes(event))
  return Object.fromEntries(
    wanted(installed, command).map((event) => {
      const call = httpEntry(event, command) ?? commandEntry(event, command)
      return [event, { hooks: [{ ...call, timeout: waitSeconds(event) }] }]
    }),
  )
}

function waitSeconds(event: string): number {
  return event === 'SessionEnd' ? END_TIMEOUT_SECONDS : TIMEOUT_SECONDS
}

/** With arguments, so that no shell is started for it. */
function commandEntry(event: string, command: CommandLine): object {
  const call = command.program?.(event) ?? { command: command.line(event) }
  const mustAnswer = command.refuses?.(event) && !MAY_FAIL.includes(event)
  return { type: 'command', ...call, ...(mustAnswer ? { onFailure: 'block' } : {}) }
}

function httpEntry(event: string, command: CommandLine): object | undefined {
  if (!command.http || Object.hasOwn(http.except, event)) return undefined
  const { url, headers, variables } = command.http(event)
  const mustAnswer = capabilities[event]?.deny && !MAY_FAIL.includes(event)
  return {
    type: 'http',
    url,
    headers,
    allowedEnvVars: variables,
    ...(mustAnswer ? { onFailure: 'block' } : {}),
  }
}

/**
 * When crosshook cannot answer, a block would silently end the turn (PostToolBatch) or keep broken settings from being
 * fixed (ConfigChange); on the other events Claude Code ignores a block.
 */
const MAY_FAIL = ['PostToolBatch', 'ConfigChange', 'Stop', 'SubagentStop', 'TaskCompleted']

/** Settings that keep our entries from running. */
function problems(text: string | undefined, { project }: Place): EntryProblem[] {
  const root = record(parseSettings(text ?? ''))
  const found = ownProblems(text)
  for (const file of [MANAGED, join(project, '.claude', 'settings.local.json')]) {
    const { disableAllHooks, allowManagedHooksOnly } = settingsAt(file)
    if (disableAllHooks === true || allowManagedHooksOnly === true)
      found.push({
        level: 'error',
        message: `${file} switches our entries off with "${disableAllHooks === true ? 'disableAllHooks' : 'allowManagedHooksOnly'}".`,
        fix: 'Take it out, or ask the one who put it there.',
      })
  }
  found.push(...urlProblems(text ?? '', SHAPE, 'allowedHttpHookUrls', allowedUrls(root, project)))
  return found
}

/** By this file alone. */
function ownProblems(text: string | undefined): EntryProblem[] {
  const root = record(parseSettings(text ?? ''))
  const found: EntryProblem[] = []
  if (root.disableAllHooks === true)
    found.push({
      level: 'error',
      message: '"disableAllHooks" is on: Claude Code runs no hook at all.',
      fix: 'Take "disableAllHooks" out of the settings.',
    })
  for (const { event, group, entry } of listEntries(root, SHAPE))
    if (FRAGILE.includes(event) && !isWellFormed(group, entry))
      found.push({
        level: 'error',
        message: `An entry below ${event} is malformed, for which Claude Code drops the whole file without a word.`,
        fix: `Correct this entry: ${JSON.stringify(entry)}`,
      })
  return found
}

/** The lists of all files are merged. */
function allowedUrls(root: Record<string, unknown>, project: string): unknown[] | undefined {
  const files = [
    MANAGED,
    ...['settings.json', 'settings.local.json'].map((name) => join(project, '.claude', name)),
  ]
  const lists = [root, ...files.map(settingsAt)]
    .map(({ allowedHttpHookUrls: list }) => list)
    .filter(Array.isArray)
  return lists.length === 0 ? undefined : lists.flat()
}

/** Claude Code drops all hooks of a file that has one invalid entry here. */
const FRAGILE = ['PreToolUse', 'PermissionRequest']
const TYPES = ['command', 'http', 'prompt', 'agent', 'mcp_tool']

function isWellFormed(group: Record<string, unknown>, entry: Record<string, unknown>): boolean {
  return (
    TYPES.includes(String(entry.type)) &&
    ['undefined', 'string'].includes(typeof group.matcher) &&
    ['undefined', 'number'].includes(typeof entry.timeout)
  )
}
