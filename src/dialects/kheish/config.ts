/** The settings file → hooks, and settings → file. A file is valid or inactive as a whole. */

import type { Source } from '../../spec/dialect.ts'
import type { Loaded } from '../../spec/hook.ts'
import { toHook } from './hook.ts'
import { errorsOf, type Issue, toProblem, versionIssue, warningsOf } from './issues.ts'
import { EVENT_NAMES, isEvent } from './names.ts'
import {
  type Definition,
  definitionSchema,
  definitions,
  type Placed,
  SCHEMA_VERSION,
  type Settings,
  settingsSchema,
} from './schema.ts'

export { redactedView } from './redacted.ts'

export async function read(source: Source): Promise<Loaded> {
  const text = source.text ?? ''
  const { settings, sound = [], issues } = parseSettings(text)
  const line = (await import('./line-of-field.ts')).lineFinder(text)
  const problems = issues.map((issue) => toProblem(issue, source.path, line(issue)))
  const found = settings === undefined ? sound : definitions(settings)
  const hooks = found.map(([event, each, index]) =>
    toHook(event, each, source, line({ path: ['hooks', event, index] })),
  )
  return settings === undefined ? { hooks: [], refused: hooks, problems } : { hooks, problems }
}

export interface Checked {
  /** Absent when there is any error: none of the hooks may run. */
  settings?: Settings
  /** The valid part of settings that are refused. */
  sound?: Placed[]
  issues: Issue[]
}

export function parseSettings(text: string): Checked {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // The parser's own message quotes the file, which may hold secrets; the line is found for the problem.
    const fix = 'Correct it at that line; JSON takes no comments and no trailing commas.'
    return { issues: [{ level: 'error', path: [], message: 'the file is not valid JSON', fix }] }
  }
  return checkSettings(value)
}

/** Settings as they come from a file or a request: the envelope, or the older form without a version. */
export function checkSettings(value: unknown): Checked {
  const version = versionIssue(value)
  if (version !== undefined) return { issues: [version] }
  const parsed = settingsSchema.safeParse(value)
  if (!parsed.success) return { sound: soundOf(value), issues: errorsOf(parsed.error.issues, value) }
  const settings: Settings = { hooks: parsed.data.hooks }
  return { settings, issues: warningsOf(settings) }
}

function soundOf(value: unknown): Placed[] {
  const { hooks } = value as { hooks?: unknown }
  if (typeof hooks !== 'object' || hooks === null) return []
  return Object.entries(hooks).flatMap(([event, list]) =>
    isEvent(event) && Array.isArray(list)
      ? list.flatMap((item, index): Placed[] => {
          const { data } = definitionSchema.safeParse(item)
          return data === undefined ? [] : [[event, data, index]]
        })
      : [],
  )
}

/** Always the versioned envelope; events in Kheish's order, defaults left out. */
export function write(settings: Settings): string {
  const written = EVENT_NAMES.filter((event) => settings.hooks[event] !== undefined)
  const hooks = Object.fromEntries(written.map((event) => [event, settings.hooks[event]!.map(compact)]))
  return `${JSON.stringify({ schema_version: SCHEMA_VERSION, hooks }, null, 2)}\n`
}

function compact({ failure_policy, executor, ...rest }: Definition): Record<string, unknown> {
  const { mode, max_retries } = failure_policy
  const isDefault = mode === 'open' && max_retries === 0
  return {
    ...withoutEmpty(rest),
    ...(!isDefault && { failure_policy: { mode, ...(max_retries > 0 && { max_retries }) } }),
    executor: withoutEmpty(executor),
  }
}

function withoutEmpty(value: object): object {
  return Object.fromEntries(
    Object.entries(value).filter(([, field]) => field !== null && field !== undefined),
  )
}
