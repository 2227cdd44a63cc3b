/** Claude Code's settings.json: adds and removes crosshook's entries, and reads its hooks. */

import { join } from 'node:path'
import type {
  CommandLine,
  EntryProblem,
  Installer,
  NativeEntry,
  Place,
  SettingsFile,
  Source,
} from '../../spec/dialect.ts'
import type { Loaded, Run } from '../../spec/hook.ts'
import type { Matcher } from '../../spec/matcher.ts'
import { urlProblems } from '../lib/http-urls.ts'
import { lineOf, parseSettings } from '../lib/json-settings.ts'
import { escapePattern, subjectPattern, subjectWords, toolNames, toolPattern } from '../lib/matcher.ts'
import {
  addEntries,
  type Found,
  findEntries,
  isOurs,
  listEntries,
  removeEntries,
} from '../lib/nested-hooks.ts'
import { eventNames, record, string } from '../lib/payload.ts'
import { type HookParts, type Refusal, readHooks } from '../lib/read-hooks.ts'
import { settingsAt } from '../lib/settings-at.ts'
import { verdictTemplate } from '../lib/verdict.ts'
import { wanted } from '../lib/wanted.ts'
import { nameList, nestedSettings, wholeSeconds } from '../lib/write-hooks.ts'
import { capabilities, http, NEVER_INSTALLED } from './capabilities.ts'
import { events, ID } from './events.ts'
import { ruleMatcher } from './rule.ts'
import { tools } from './tools.ts'

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

export function write(entries: readonly NativeEntry[]): string {
  return nestedSettings(entries, { matcher: nameList, timeout: wholeSeconds })
}

export function read(source: Source): Loaded {
  return readHooks(source, {
    format: ID,
    events: eventNames(ID, events),
    entries(text) {
      const root = record(parseSettings(text))
      const found = root.disableAllHooks === true ? [] : listEntries(root, SHAPE)
      return { found, line: (path) => lineOf(text, path) }
    },
    blocks: (event) => capabilities[event]?.deny ?? false,
    isOurs: ({ entry }) => isOurs(entry, SHAPE),
    hook: toHook,
  })
}

function toHook({ event, group, entry }: Found): HookParts | Refusal {
  const run = runOf(entry)
  if ('message' in run) return run
  const matcher = matcherOf(group.matcher, event)
  if ('message' in matcher) return matcher
  const condition = entry.if === undefined ? {} : ruleMatcher(String(entry.if))
  if (
    condition === undefined ||
    (entry.if !== undefined && !event.includes('Tool') && !event.includes('Permission'))
  )
    return {
      field: 'if',
      message: `"if": ${JSON.stringify(entry.if)} is no rule that could hold here, so the hook never runs.`,
      fix: 'Write a permission rule such as Bash(git *), on an event that has a tool.',
    }
  const seconds = typeof entry.timeout === 'number' ? entry.timeout : defaultSeconds(entry.type, event)
  return {
    run,
    matcher: { ...matcher, ...(Object.keys(condition).length > 0 ? both(matcher, condition) : {}) },
    timeout: seconds * 1000,
    on_failure: entry.onFailure === 'block' ? 'closed' : 'open',
    ...(entry.async === true || entry.asyncRewake === true ? { mode: 'background' as const } : {}),
    ...(run.type === 'http'
      ? { metadata: { headers: record(entry.headers), allowed_env: entry.allowedEnvVars ?? [] } }
      : {}),
  }
}

function defaultSeconds(type: unknown, event: string): number {
  if (type === 'prompt') return 30
  if (type === 'agent') return 60
  if (event === 'SessionEnd') return 1.5
  return event === 'UserPromptSubmit' ? 30 : 600
}

function runOf(entry: Record<string, unknown>): Run | Refusal {
  const command = string(entry.command)
  if (entry.type === 'command' && command !== undefined) {
    if (entry.shell === 'powershell')
      return { type: 'command', command, shell: 'pwsh', args: ['-NoProfile', '-NonInteractive', '-Command'] }
    const line = Array.isArray(entry.args)
      ? [command, ...entry.args.map(String)].map(quote).join(' ')
      : command
    return { type: 'command', command: line, shell: '/bin/sh', args: ['-c'] }
  }
  const url = string(entry.url)
  if (entry.type === 'http' && url !== undefined) return { type: 'http', url }
  const template = string(entry.prompt)
  const model = string(entry.model)
  const choice = model === undefined ? {} : { model: { name: model } }
  if (entry.type === 'prompt' && template !== undefined)
    return { type: 'prompt', template: verdictTemplate(template), ...choice }
  if (entry.type === 'agent' && template !== undefined)
    return { type: 'agent', template: verdictTemplate(template), ...choice }
  return {
    field: 'type',
    message: `A hook of type ${JSON.stringify(entry.type)} cannot be run here${entry.type === 'mcp_tool' ? ': it needs the servers of the agent' : ''}.`,
    fix: 'Use command (with "command"), http ("url"), prompt or agent ("prompt").',
  }
}

/** A command with `args` runs without a shell; only Claude Code's folder variables are replaced in arguments. */
function quote(argument: string): string {
  return argument
    .split(/(\$\{CLAUDE_(?:PROJECT_DIR|PLUGIN_ROOT|PLUGIN_DATA)\})/)
    .filter((part) => part !== '')
    .map((part) => (part.startsWith('${CLAUDE_') ? `"${part}"` : `'${part.replaceAll("'", "'\\''")}'`))
    .join('')
}

/** Events whose matcher Claude Code ignores. */
const NO_MATCHER = new Set([
  'PostToolBatch',
  'UserPromptSubmit',
  'Stop',
  'TeammateIdle',
  'TaskCreated',
  'TaskCompleted',
  'CwdChanged',
  'WorktreeCreate',
  'WorktreeRemove',
  'MessageDisplay',
])
const TOOL_EVENTS = new Set([
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PermissionRequest',
  'PermissionDenied',
])
/** The old name of a tool still matches. */
const ALIASES = { Task: ['Task', 'Agent'] }

function matcherOf(value: unknown, event: string): Matcher | Refusal {
  const text = typeof value === 'string' ? value : ''
  if (text === '' || text === '*' || NO_MATCHER.has(event)) return {}
  const isTool = TOOL_EVENTS.has(event)
  const words = { id: ID, tools, aliases: ALIASES }
  if (event === 'FileChanged')
    return { subject_pattern: `(?:^|/)(?:${text.split('|').map(escapePattern).join('|')})$` }
  if (/^[\w|, ]*$/.test(text)) {
    const names = text.split(/[|,]/).map((name) => name.trim())
    return isTool ? toolNames(words, names) : subjectWords(names)
  }
  return (
    (isTool ? toolPattern(words, text) : subjectPattern(text)) ?? {
      field: 'matcher',
      message: `The matcher ${JSON.stringify(text)} is no pattern that can be used, so the hook never runs.`,
      fix: 'Write names separated by | or a regular expression without look-around.',
    }
  )
}

/** Both conditions must hold: as not(any(not a, not b)), because two fields of the same name cannot be merged. */
function both(a: Matcher, b: Matcher): Matcher {
  return Object.keys(a).length === 0 ? b : { not: { any: [{ not: a }, { not: b }] } }
}
