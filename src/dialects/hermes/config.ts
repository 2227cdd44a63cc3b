/** Hermes Agent's config.yaml: adds and removes crosshook's entries, and reads its hooks. */

import { join } from 'node:path'
import { dump } from 'js-yaml'
import type { NativeEntry, Source } from '../../spec/dialect.ts'
import type { Loaded } from '../../spec/hook.ts'
import type { CommandLine, Entry, EntryProblem, Installer, Place } from '../../spec/installer.ts'
import { wanted } from '../lib/entry-events.ts'
import { toolNames, toolPattern } from '../lib/foreign-matchers.ts'
import { type Found, isOurs, listEntries } from '../lib/nested-hooks.ts'
import { eventNames, isRecord, record, string } from '../lib/payload.ts'
import { type HookParts, type Refusal, readHooks } from '../lib/read-hooks.ts'
import { nameList, wholeSeconds } from '../lib/write-hooks.ts'
import { addYamlHooks, parseYaml, removeYamlHooks } from '../lib/yaml-hooks.ts'
import { approvalsFile } from './approvals.ts'
import { capabilities, INSTALLED } from './capabilities.ts'
import { events, ID } from './events.ts'
import { tools } from './tools.ts'
import { shellCommand, wordsOf } from './words.ts'

const SHAPE = { agent: ID, flat: true }

/** Seconds; the most that it allows. */
const MAX_SECONDS = 300
const DEFAULT_SECONDS = 60

export const installer: Installer = {
  detect: { programs: ['hermes'], folders: ['.hermes'] },
  // Hermes Agent reads no project settings.
  files: (place) =>
    place.level === 'project'
      ? []
      : [
          { path: settingsFile(place), add, remove, find, problems },
          approvalsFile(folderOf(place), INSTALLED),
        ],
  waitSeconds: () => MAX_SECONDS,
  activity: (place) => [join(folderOf(place), 'state.db')],
}

function folderOf({ home, env }: Place): string {
  return env.HERMES_HOME || join(home, '.hermes')
}

function settingsFile(place: Place): string {
  return join(folderOf(place), 'config.yaml')
}

function add(text: string | undefined, command: CommandLine): string {
  const clean = text === undefined ? undefined : remove(text)
  return addYamlHooks(
    clean,
    Object.fromEntries(
      wanted(INSTALLED, command).map((event) => [
        event,
        [`command: ${JSON.stringify(shellCommand(command.line(event)))}`, `timeout: ${MAX_SECONDS}`],
      ]),
    ),
  )
}

/** Hermes Agent rewrites the file without comments when it changes a setting: our entries then have no markers. */
function remove(text: string): string | undefined {
  const rest = removeYamlHooks(text)
  if (rest === undefined) return undefined
  const root = parseYaml(rest)
  if (!listEntries(root, SHAPE).some(({ entry }) => isOurs(entry, SHAPE))) return rest
  const hooks = Object.entries(record(root.hooks)).flatMap(([event, list]) => {
    if (!Array.isArray(list)) return [[event, list]]
    const others = list.filter((entry) => !isRecord(entry) || !isOurs(entry, SHAPE))
    return others.length > 0 ? [[event, others]] : []
  })
  return dump({ ...root, hooks: Object.fromEntries(hooks) }, { lineWidth: -1, noRefs: true })
}

function find(text: string): Entry[] {
  return listEntries(parseYaml(text), SHAPE).map(({ event, entry }) => ({
    event,
    command: String(entry.command ?? ''),
    ours: isOurs(entry, SHAPE),
    ...(typeof entry.matcher === 'string' ? { matcher: entry.matcher } : {}),
  }))
}

/** Settings that keep our entries from running. */
function problems(_text: string | undefined, { env }: Place): EntryProblem[] {
  return /^(?:1|true|yes|on)$/i.test(env.HERMES_SAFE_MODE ?? '')
    ? [{ level: 'error', message: 'HERMES_SAFE_MODE is set: Hermes Agent runs no hook.', fix: 'Unset it.' }]
    : []
}

export function read(source: Source): Loaded {
  return readHooks(source, {
    format: ID,
    events: eventNames(ID, events),
    entries: (text) => ({ found: listEntries(parseYaml(text), SHAPE), line: () => undefined }),
    blocks: (event) => capabilities[event]?.deny ?? false,
    isOurs: ({ entry }) => isOurs(entry, SHAPE),
    hook: toHook,
  })
}

function toHook({ event, entry }: Found): HookParts | Refusal {
  const argv = wordsOf(string(entry.command) ?? '')
  if (argv === undefined || argv.length === 0)
    return { field: 'command', message: 'The hook has no command that can be run.', fix: 'Add command: "…".' }
  const pattern = event.endsWith('_tool_call') ? string(entry.matcher)?.trim() : undefined
  const words = { id: ID, tools }
  const matcher =
    pattern === undefined
      ? {}
      : /^[\w|]+$/.test(pattern)
        ? toolNames(words, pattern.split('|'))
        : toolPattern(words, `^(?:${pattern})$`)
  if (matcher === undefined)
    return {
      field: 'matcher',
      message: `The matcher ${JSON.stringify(pattern)} is no pattern that can be used here.`,
      fix: 'Write a regular expression without look-around.',
    }
  const seconds = typeof entry.timeout === 'number' && entry.timeout >= 1 ? entry.timeout : DEFAULT_SECONDS
  return {
    run: { type: 'command', argv },
    matcher,
    timeout: Math.min(seconds, MAX_SECONDS) * 1000,
    on_failure: entry.fail_closed === true ? 'closed' : 'open',
  }
}

export function write(entries: readonly NativeEntry[]): string {
  const hooks: Record<string, object[]> = {}
  for (const { event, tools: names, command, timeout } of entries) {
    const matcher = names && names.length > 0 ? { matcher: nameList(names) } : {}
    const entry = { ...matcher, command, timeout: Math.min(MAX_SECONDS, wholeSeconds(timeout)) }
    hooks[event] = [...(hooks[event] ?? []), entry]
  }
  return dump({ hooks }, { lineWidth: -1 })
}
