/** Kimi Code's config.toml: adds and removes crosshook's entries, and reads its hooks. */

import { join } from 'node:path'
import type { NativeEntry, Source } from '../../spec/dialect.ts'
import { CrosshookError } from '../../spec/errors.ts'
import { eventRow } from '../../spec/event.ts'
import type { Loaded } from '../../spec/hook.ts'
import type { CommandLine, Entry, EntryProblem, Installer } from '../../spec/installer.ts'
import type { Matcher } from '../../spec/matcher.ts'
import { wanted } from '../lib/entry-events.ts'
import { isLinear, searchFor, subjectPattern, toolPattern } from '../lib/foreign-matchers.ts'
import { type Found, isOurs } from '../lib/nested-hooks.ts'
import { eventNames, isRecord, string } from '../lib/payload.ts'
import { type HookParts, type Refusal, readHooks } from '../lib/read-hooks.ts'
import { addBlock, parseTomlSettings, removeBlock, removeTables, tomlString } from '../lib/toml-settings.ts'
import { anchoredNames, wholeSeconds } from '../lib/write-hooks.ts'
import { capabilities, NEVER_INSTALLED } from './capabilities.ts'
import { events, ID } from './events.ts'
import { tools } from './tools.ts'

/** Seconds; the most that it allows, so that the engine's own limits decide. */
const OUR_TIMEOUT_SECONDS = 600
const DEFAULT_TIMEOUT_SECONDS = 30

export const installer: Installer = {
  detect: { programs: ['kimi'], folders: ['.kimi-code'] },
  // A project's config.toml is not read.
  files: ({ home, env, level }) =>
    level === 'project'
      ? []
      : [
          {
            path: join(env.KIMI_CODE_HOME || join(home, '.kimi-code'), 'config.toml'),
            add,
            remove,
            find,
            problems,
          },
        ],
  activity: ({ home, env }) => [join(env.KIMI_CODE_HOME || join(home, '.kimi-code'), 'sessions')],
}

function add(text: string | undefined, command: CommandLine): string {
  const installed = Object.keys(events).filter((event) => !NEVER_INSTALLED.includes(event))
  const lines = wanted(installed, command).flatMap((event) => [
    '[[hooks]]',
    `event = "${event}"`,
    `command = ${tomlString(command.line(event))}`,
    `timeout = ${OUR_TIMEOUT_SECONDS}`,
  ])
  const clean = text === undefined ? undefined : remove(text)
  checkOthers(clean ?? '')
  return addBlock(clean, lines)
}

function remove(text: string): string | undefined {
  const left = removeBlock(text)
  if (left === undefined) return undefined
  if (!list(left).some(({ entry }) => isOurs(entry, { agent: ID }))) return left
  return removeTables(left, (table) => {
    const [entry] = Array.isArray(table.hooks) ? table.hooks : []
    return isRecord(entry) && isOurs(entry, { agent: ID })
  })
}

function find(text: string): Entry[] {
  return list(text).map(({ event, entry }) => ({
    event,
    command: String(entry.command ?? ''),
    ours: isOurs(entry, { agent: ID }),
    ...(typeof entry.matcher === 'string' ? { matcher: entry.matcher } : {}),
  }))
}

/** Kimi Code silently drops our entries too when it rejects another entry. */
function checkOthers(text: string): void {
  const [what] = badEntries(text)
  if (what === undefined) return
  throw new CrosshookError(
    'bad_settings',
    `Kimi Code ${what}, and over one bad entry it drops every hook. Nothing was changed.`,
    { fix: 'Correct or take out that [[hooks]] entry, then install again.' },
  )
}

function badEntries(text: string): string[] {
  return list(text).flatMap(({ event, entry }) => {
    const odd = Object.keys(entry).find((key) => !['event', 'matcher', 'command', 'timeout'].includes(key))
    if (!Object.hasOwn(events, event)) return [`knows no event "${event}"`]
    if (odd !== undefined) return [`knows no key "${odd}" in [[hooks]]`]
    if (string(entry.command) === undefined) return [`needs a command for "${event}"`]
    return isAllowedTimeout(entry.timeout) ? [] : [`takes no timeout = ${String(entry.timeout)}`]
  })
}

function isAllowedTimeout(value: unknown): boolean {
  return value === undefined || (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 600)
}

function list(text: string): Found[] {
  const { hooks } = parseTomlSettings(text)
  return (Array.isArray(hooks) ? hooks : [])
    .filter(isRecord)
    .map((entry, i) => ({ event: String(entry.event), group: entry, entry, path: ['hooks', i] }))
}

/** Settings that keep our entries from running. */
function problems(text: string | undefined): EntryProblem[] {
  return badEntries(text ?? '').map((what) => ({
    level: 'error',
    message: `Kimi Code ${what}, and over one bad entry it drops every hook.`,
    fix: 'Correct or take out that [[hooks]] entry.',
  }))
}

export function write(entries: readonly NativeEntry[]): string {
  return entries
    .map(({ event, tools: names, command, timeout }) =>
      [
        '[[hooks]]',
        `event = ${tomlString(event)}`,
        ...(names && names.length > 0 ? [`matcher = ${tomlString(anchoredNames(names))}`] : []),
        `command = ${tomlString(command)}`,
        `timeout = ${Math.min(OUR_TIMEOUT_SECONDS, wholeSeconds(timeout))}`,
        '',
      ].join('\n'),
    )
    .join('\n')
}

export function read(source: Source): Loaded {
  return readHooks(source, {
    format: ID,
    events: eventNames(ID, events),
    entries: (text) => ({ found: list(text), line: ([, index]) => headerLine(text, index as number) }),
    blocks: (event) => capabilities[event]?.deny ?? false,
    isOurs: ({ entry }) => isOurs(entry, { agent: ID }),
    hook: toHook,
  })
}

function toHook({ event, entry }: Found): HookParts | Refusal {
  const command = string(entry.command)
  if (command === undefined)
    return { field: 'command', message: 'The hook has no command.', fix: 'Add command = "…".' }
  const seconds = typeof entry.timeout === 'number' ? entry.timeout : DEFAULT_TIMEOUT_SECONDS
  if (!isAllowedTimeout(seconds))
    return {
      field: 'timeout',
      message: `timeout = ${seconds} is out of range, for which Kimi Code drops every hook of the file.`,
      fix: 'Give whole seconds from 1 to 600.',
    }
  const matcher = matcherOf(entry.matcher, event)
  if ('message' in matcher) return matcher
  return {
    run: { type: 'command', command, shell: '/bin/sh', args: ['-c'] },
    matcher,
    timeout: seconds * 1000,
  }
}

/** An unanchored, case-sensitive pattern on the tool, the prompt, or the subject; a stop has an empty one. */
function matcherOf(value: unknown, event: string): Matcher | Refusal {
  const text = typeof value === 'string' ? value : ''
  if (text === '') return {}
  const never = (why: string): Refusal => ({
    field: 'matcher',
    message: `The matcher ${JSON.stringify(text)} ${why}, so the hook never runs.`,
    fix: 'Write a regular expression without look-around, or leave the matcher out.',
  })
  const row = eventRow(events[event]?.event ?? '')
  const words = { id: ID, tools }
  const matcher = row.tool
    ? toolPattern(words, text)
    : events[event]?.event === 'before_agent' && isLinear(text)
      ? { when: `prompt.matches(${JSON.stringify(text)})` }
      : subjectPattern(text)
  if (!matcher) return never('is no pattern that can be used')
  if (event !== 'Stop') return matcher
  return searchFor(text)?.('') ? {} : never('is compared with nothing at a stop')
}

function headerLine(text: string, index: number): number | undefined {
  const headers = text.split('\n').flatMap((line, i) => (/^\s*\[\[hooks\]\]/.test(line) ? [i + 1] : []))
  return headers[index]
}
