/** Antigravity's hooks.json, whose keys are names of hooks: adds and removes crosshook's hook, and reads the others. */

import { join } from 'node:path'
import type { NativeEntry, Source } from '../../spec/dialect.ts'
import type { Loaded } from '../../spec/hook.ts'
import type { CommandLine, Entry, Installer } from '../../spec/installer.ts'
import { wanted } from '../lib/entry-events.ts'
import { toolNames, toolPattern } from '../lib/foreign-matchers.ts'
import { lineOf, parseSettings, removeEach, setNew } from '../lib/json-settings.ts'
import { type Found, isOurs, listEntries } from '../lib/nested-hooks.ts'
import { eventNames, isRecord, record, string } from '../lib/payload.ts'
import { type HookParts, type Refusal, readHooks } from '../lib/read-hooks.ts'
import { nameList, nestedSettings, wholeSeconds } from '../lib/write-hooks.ts'
import { capabilities, INSTALLED } from './capabilities.ts'
import { events, ID } from './events.ts'
import { tools } from './tools.ts'

const NAME = 'crosshook'

/** Only these have groups with a matcher; the others are plain lists. */
const GROUPED = ['PreToolUse', 'PostToolUse']

/** Seconds. Long, so that the time limits of the engine apply first. */
const TIMEOUT_SECONDS = 600
const DEFAULT_SECONDS = 30

export const installer: Installer = {
  detect: { programs: ['agy'], folders: ['.gemini/antigravity-cli', '.gemini/config'] },
  files: ({ home, project, level }) => [
    {
      path: join(level === 'user' ? join(home, '.gemini/config') : join(project, '.agents'), 'hooks.json'),
      add: (text, command) => setNew(text === undefined ? undefined : remove(text), [NAME], ourHook(command)),
      remove,
      find,
    },
  ],
}

function ourHook(command: CommandLine): object {
  return Object.fromEntries(
    wanted(INSTALLED, command).map((event) => {
      const entry = { type: 'command', command: command.line(event), timeout: TIMEOUT_SECONDS }
      return [event, [GROUPED.includes(event) ? { matcher: '*', hooks: [entry] } : entry]]
    }),
  )
}

function remove(text: string): string | undefined {
  return removeEach(text, (root) => {
    const ours = all(root).find(({ entry }) => isOurs(entry, { agent: ID }))
    return ours ? [ours.path[0]!] : undefined
  })
}

function find(text: string): Entry[] {
  return all(parseSettings(text)).map(({ event, group, entry }) => ({
    event,
    command: String(entry.command ?? ''),
    ours: isOurs(entry, { agent: ID }),
    ...(typeof group.matcher === 'string' ? { matcher: group.matcher } : {}),
  }))
}

function all(root: unknown): Found[] {
  return Object.entries(record(root)).flatMap(([name, hook]) => {
    if (!isRecord(hook)) return []
    const at = (shape: { flat: boolean }) => listEntries(root, { agent: ID, at: [name], ...shape })
    return [
      ...at({ flat: false }).filter(({ event }) => GROUPED.includes(event)),
      ...at({ flat: true }).filter(({ event }) => !GROUPED.includes(event)),
    ]
  })
}

export function read(source: Source): Loaded {
  return readHooks(source, {
    format: ID,
    events: eventNames(ID, events),
    entries(text) {
      const root = record(parseSettings(text))
      const isOn = ({ path }: Found) => record(root[String(path[0])]).enabled !== false
      return { found: all(root).filter(isOn), line: (path) => lineOf(text, path) }
    },
    blocks: (event) => capabilities[event]?.deny ?? false,
    isOurs: ({ entry }) => isOurs(entry, { agent: ID }),
    hook: toHook,
  })
}

function toHook({ event, group, entry }: Found): HookParts | Refusal {
  const command = string(entry.command)
  if (command === undefined)
    return { field: 'command', message: 'Only commands can be run here.', fix: 'Write "command".' }
  const text = GROUPED.includes(event) ? (string(group.matcher) ?? '*') : '*'
  const words = { id: ID, tools }
  const matcher =
    text === '*' ? {} : /^[\w|]+$/.test(text) ? toolNames(words, text.split('|')) : toolPattern(words, text)
  if (matcher === undefined)
    return {
      field: 'matcher',
      message: `The matcher ${JSON.stringify(text)} is no pattern that can be used here.`,
      fix: 'Write names separated by | or a regular expression without look-around.',
    }
  const seconds = typeof entry.timeout === 'number' && entry.timeout > 0 ? entry.timeout : DEFAULT_SECONDS
  return {
    run: { type: 'command', command, shell: '/bin/sh', args: ['-c'] },
    matcher,
    timeout: seconds * 1000,
  }
}

/** All entries are below one name; the other events have no groups. */
export function write(entries: readonly NativeEntry[]): string {
  const { hooks } = JSON.parse(nestedSettings(entries, { matcher: nameList, timeout: wholeSeconds })) as {
    hooks: Record<string, { hooks: object[] }[]>
  }
  const exported = Object.fromEntries(
    Object.entries(hooks).map(([event, groups]) => [
      event,
      GROUPED.includes(event) ? groups : groups.flatMap((group) => group.hooks),
    ]),
  )
  return `${JSON.stringify({ exported }, null, 2)}\n`
}
