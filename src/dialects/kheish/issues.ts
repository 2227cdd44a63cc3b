/** What is wrong with settings, where, and what to do about it. */

import type { Problem } from '../../spec/hook.ts'
import { didYouMean } from '../../spec/nearest.ts'
import { EVENT_NAMES, eventInfo, isEvent, type KheishEvent } from './names.ts'
import { type Definition, definitions, KNOWN_FIELDS, SCHEMA_VERSION, type Settings } from './schema.ts'

type Path = readonly (string | number)[]

/** Something found in the settings, by its path in the file. */
export interface Issue {
  level: Problem['level']
  path: Path
  message: string
  fix: string
  hook?: string
}

/** What a schema says; `unrecognized_keys` are names of events. */
interface SchemaIssue {
  code?: string | undefined
  path: PropertyKey[]
  message: string
  keys?: string[]
}

export function errorsOf(found: readonly SchemaIssue[], settings: unknown): Issue[] {
  return found.flatMap((issue) => {
    const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)))
    if (issue.code === 'unrecognized_keys') return (issue.keys ?? []).map(unknownEvent)
    const event = path[1]
    if (path.length === 2 && typeof event === 'string' && !isEvent(event)) return [unknownEvent(event)]
    const place = path.filter((part) => typeof part === 'string').slice(2)
    const fix =
      ABOVE[path.length] ??
      FIXES[place.join('.')] ??
      FIXES[place.at(-1) ?? ''] ??
      'Compare it with the hook reference.'
    return [{ level: 'error' as const, path, message: issue.message, fix, ...hookName(settings, path) }]
  })
}

export function versionIssue(settings: unknown): Issue | undefined {
  const version = (settings as { schema_version?: unknown } | null)?.schema_version
  if (version === undefined || version === SCHEMA_VERSION) return undefined
  const isVersion = typeof version === 'number' && Number.isInteger(version) && version >= 0
  const message = isVersion
    ? `unsupported hook settings schema_version ${version}; expected ${SCHEMA_VERSION}`
    : 'hook settings schema_version must be an unsigned integer'
  return { level: 'error', path: ['schema_version'], message, fix: `Set it to ${SCHEMA_VERSION}.` }
}

/** Warnings about settings that load but may not do what the author expects. */
export function warningsOf(settings: Settings): Issue[] {
  return definitions(settings).flatMap(([event, definition, index]) => {
    const path = ['hooks', event, index]
    return [
      ...unknownFields([], definition, 'definition'),
      ...unknownFields(['failure_policy'], definition.failure_policy, 'failure_policy'),
      ...unknownFields(['executor'], definition.executor, definition.executor.type),
      ...unmatchable(event, definition),
    ].map((issue) => ({ ...issue, path: [...path, ...issue.path], hook: definition.name }))
  })
}

export function toProblem(issue: Issue, file: string, line: number | undefined): Problem {
  const { level, path, message, fix, hook } = issue
  return {
    level,
    file,
    ...(line !== undefined && { line }),
    ...(path.length > 0 && { field: fieldName(path) }),
    ...(hook !== undefined && { hook }),
    message,
    fix,
  }
}

function unknownEvent(name: string): Issue {
  const message = `unknown event "${name}".${didYouMean(name, EVENT_NAMES)}`
  return { level: 'error', path: ['hooks', name], message, fix: `Use one of ${EVENT_NAMES.join(', ')}.` }
}

/** By depth: the file, its hooks, the hooks of an event. */
const ABOVE = [
  'Write {"schema_version": 1, "hooks": {…}}.',
  'Write "hooks": {"pre_tool_use": [{"name": "…", "executor": {…}}]}.',
  'Write a list: [{"name": "…", "executor": {"type": "command", "command": "…"}}].',
]

const FIXES: Readonly<Record<string, string>> = {
  '': 'Write {"name": "…", "executor": {"type": "command", "command": "…"}}.',
  name: 'Give the hook a name that people will recognise.',
  matcher: 'Write one glob such as "write_*", or leave it out to match everything.',
  failure_policy: 'Write {"mode": "open"} or {"mode": "closed", "max_retries": 1}.',
  mode: 'Use "open" or "closed".',
  max_retries: 'Use a number from 0 to 3.',
  executor: 'Give it a type: command, http, prompt, agent or callback.',
  type: 'Use command, http, prompt, agent or callback.',
  timeout_ms: 'Use 1 to 30000 milliseconds, or leave it out for the default.',
  'executor.command': 'Write the command line to run.',
  'executor.shell': 'Name a shell such as /bin/bash, or leave it out.',
  'executor.url': 'Use a public http or https address without a user name.',
  'executor.template': 'Write the prompt; {{invocation_json}} stands for the event.',
  'executor.max_turns': 'Use 1 or more, or leave it out for 4.',
  'executor.tool_surface': 'List the tools the agent may use in "allowlist", or leave it out for none.',
  'executor.name': 'Name the callback that the program registers.',
}

function unknownFields(within: Path, value: object, kind: string): Issue[] {
  const known = KNOWN_FIELDS[kind] ?? []
  return Object.keys(value)
    .filter((key) => !known.includes(key))
    .map((key) => ({
      level: 'warning',
      path: [...within, key],
      message: `unknown field "${key}" is ignored.${didYouMean(key, known)}`,
      fix: `Remove it; known here: ${known.join(', ')}.`,
    }))
}

/** A prompt's subject is the id of the person in Kheish, which other agents do not tell. */
function unmatchable(event: KheishEvent, { matcher }: Definition): Issue[] {
  if (eventInfo(event).event !== 'before_agent' || /^\**$/.test(matcher ?? '')) return []
  const message = `matcher "${matcher}" is compared with the id of the person, which most agents do not tell: the hook may never run`
  return [{ level: 'warning', path: ['matcher'], message, fix: 'Leave matcher out.' }]
}

function hookName(settings: unknown, path: Path): { hook?: string } {
  let value = settings
  for (const part of path.slice(0, 3)) value = (value as Record<string, unknown> | undefined)?.[part]
  const name = (value as { name?: unknown } | null | undefined)?.name
  return typeof name === 'string' && name.trim() !== '' ? { hook: name } : {}
}

/** `hooks.pre_tool_use[0].executor.url` */
function fieldName(path: Path): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`))
    .join('')
    .replace(/^\./, '')
}
