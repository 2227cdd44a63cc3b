/** Qwen Code's settings.json: adds and removes crosshook's entries, and reads its hooks. */

import { join } from 'node:path'
import type { NativeEntry, Source } from '../../spec/dialect.ts'
import type { Loaded, Run } from '../../spec/hook.ts'
import type { CommandLine, EntryProblem, Installer, SettingsFile } from '../../spec/installer.ts'
import type { Matcher } from '../../spec/matcher.ts'
import { wanted } from '../lib/entry-events.ts'
import { subjectPattern, subjectWords, toolNames, toolPattern } from '../lib/foreign-matchers.ts'
import { urlProblems } from '../lib/http-urls.ts'
import { lineOf, parseSettings } from '../lib/json-settings.ts'
import { withSetting } from '../lib/kept-setting.ts'
import { verdictTemplate } from '../lib/model-verdict.ts'
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
import { nameList, nestedSettings } from '../lib/write-hooks.ts'
import { capabilities, http, NEVER_INSTALLED } from './capabilities.ts'
import { events, ID } from './events.ts'
import { aliases, tools } from './tools.ts'

const SHAPE = { agent: ID }

/** Long, so that the time limits of the engine apply first; from 1000 on every version reads milliseconds. */
const OUR_TIMEOUT_MS = 600_000

export const installer: Installer = {
  detect: { programs: ['qwen'], folders: ['.qwen'] },
  portable: { note: 'Qwen Code reads the settings of a folder that it trusts.' },
  files: ({ home, project, level }) => [
    settingsFile(join(level === 'user' ? home : project, '.qwen', 'settings.json')),
  ],
  // These settings count before a user's.
  managed: () => [withSetting(settingsFile('/etc/qwen-code/settings.json'), ['disableAllHooks'], false)],
  activity: ({ home }) => [join(home, '.qwen', 'projects')],
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
        hooks: [
          httpEntry(event, command) ?? {
            type: 'command',
            command: command.line(event),
            name: 'crosshook',
            timeout: OUR_TIMEOUT_MS,
          },
        ],
      },
    ]),
  )
}

function httpEntry(event: string, command: CommandLine): object | undefined {
  if (!command.http || Object.hasOwn(http.except, event)) return undefined
  const { url, headers, variables } = command.http(event)
  // For a URL the limit is always in seconds.
  const timeout = OUR_TIMEOUT_MS / 1000
  return { type: 'http', url, headers, allowedEnvVars: variables, name: 'crosshook', timeout }
}

/** Settings that keep our entries from running. */
function problems(text: string | undefined): EntryProblem[] {
  const root = record(parseSettings(text ?? ''))
  const list = record(root.security).allowedHttpHookUrls
  const allowed = Array.isArray(list) && list.length > 0 ? list : undefined
  const found = urlProblems(text ?? '', SHAPE, 'security.allowedHttpHookUrls', allowed)
  if (root.disableAllHooks === true)
    found.push({
      level: 'error',
      message: '"disableAllHooks" is on: Qwen Code runs no hook at all.',
      fix: 'Take "disableAllHooks" out of the settings.',
    })
  return found
}

export function write(entries: readonly NativeEntry[]): string {
  // Below 1000 newer versions would read seconds.
  return nestedSettings(entries, {
    matcher: nameList,
    timeout: (milliseconds) => Math.max(1000, milliseconds),
  })
}

export function read(source: Source): Loaded {
  return readHooks(source, {
    format: ID,
    events: eventNames(ID, events),
    entries(text) {
      const root = record(parseSettings(text))
      return {
        found: root.disableAllHooks === true ? [] : listEntries(root, SHAPE),
        line: (path) => lineOf(text, path),
      }
    },
    blocks: (event) => capabilities[event]?.deny ?? false,
    isOurs: ({ entry }) => isOurs(entry, SHAPE),
    hook: toHook,
  })
}

function toHook({ event, group, entry }: Found, all: readonly Found[]): HookParts | Refusal {
  const run = runOf(entry)
  if ('message' in run) return run
  const matcher = matcherOf(group.matcher, event)
  if ('message' in matcher) return matcher
  // One sequential group makes its whole event sequential.
  const isSequential = all.some((other) => other.event === event && other.group.sequential === true)
  const description = string(entry.description) ?? string(entry.name)
  return {
    run,
    matcher,
    timeout: timeoutOf(entry),
    ...(description === undefined ? {} : { description }),
    ...(entry.async === true
      ? { mode: 'background' as const }
      : isSequential
        ? { mode: 'sequence' as const }
        : {}),
  }
}

/** Below 1000 it is seconds. */
function timeoutOf(entry: Record<string, unknown>): number {
  if (typeof entry.timeout === 'number') return entry.timeout < 1000 ? entry.timeout * 1000 : entry.timeout
  return entry.type === 'http' ? 600_000 : entry.type === 'prompt' ? 30_000 : 60_000
}

function runOf(entry: Record<string, unknown>): Run | Refusal {
  const command = string(entry.command)
  if (entry.type === 'command' && command !== undefined)
    return { type: 'command', command, shell: 'bash', args: ['-c'] }
  const url = string(entry.url)
  if (entry.type === 'http' && url !== undefined) return { type: 'http', url }
  const template = string(entry.prompt)
  const model = string(entry.model)
  if (entry.type === 'prompt' && template !== undefined)
    return {
      type: 'prompt',
      template: verdictTemplate(template),
      ...(model === undefined ? {} : { model: { name: model } }),
    }
  return {
    field: 'type',
    message: `A hook of type ${JSON.stringify(entry.type)} cannot be run here.`,
    fix: 'Use command (with "command"), http ("url") or prompt ("prompt").',
  }
}

const TOOL_EVENTS = new Set([
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PermissionRequest',
  'PermissionDenied',
])
const PATTERN_EVENTS = new Set(['SessionStart', 'SessionEnd', 'SubagentStart', 'SubagentStop'])
const EXACT_EVENTS = new Set(['PreCompact', 'PostCompact', 'StopFailure', 'Notification'])

function matcherOf(value: unknown, event: string): Matcher | Refusal {
  const text = typeof value === 'string' ? value.trim() : ''
  if (text === '' || text === '*') return {}
  if (EXACT_EVENTS.has(event)) return subjectWords([text])
  const words = { id: ID, tools, aliases }
  const names = text.split('|')
  const matcher = TOOL_EVENTS.has(event)
    ? names.every((name) => Object.hasOwn(aliases, name) || Object.hasOwn(tools, name))
      ? toolNames(words, names)
      : toolPattern({ id: ID, tools }, text)
    : PATTERN_EVENTS.has(event)
      ? subjectPattern(text)
      : {}
  return (
    matcher ?? {
      field: 'matcher',
      message: `The matcher ${JSON.stringify(text)} is no pattern that can be used, so the hook never runs.`,
      fix: 'Write tool names separated by | or a regular expression without look-around.',
    }
  )
}
