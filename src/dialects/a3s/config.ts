/** A JSON file with the settings block, a list of declared hooks, or both. A3S itself registers hooks only from programs. */

import { basename } from 'node:path'
import type { Source } from '../../spec/dialect.ts'
import { CrosshookError } from '../../spec/errors.ts'
import type { Hook, Loaded, Problem } from '../../spec/hook.ts'
import { type JsonDocument, parseJson } from '../lib/json-document.ts'
import { checkLimits, compileHook, type Definition } from './register.ts'
import { type Complaint, checkSettings, DEFAULT_SETTINGS, type Settings } from './settings.ts'
import { isObject } from './tools.ts'

type Path = readonly (string | number)[]

export function read(source: Source): Loaded {
  const { settings, problems, document } = readSettings(source.text ?? '', source.path)
  const loaded: Loaded = { hooks: [], problems }
  const root = document.value
  if (!isObject(root)) return loaded
  const at = Array.isArray(root.hooks) ? 'hooks' : 'handlers'
  const list = root[at]
  if (list !== undefined && !Array.isArray(list))
    problems.push(problemOf(document, source.path, [at], { ...NOT_A_LIST, field: at }))
  for (const [index, item] of (Array.isArray(list) ? list : []).entries())
    readItem({ source, document, settings, loaded }, [at, index], item)
  return loaded
}

/** The settings of a text. An invalid value keeps its default and is reported as a problem. */
export function readSettings(
  text: string,
  file: string,
): { settings: Settings; problems: Problem[]; document: JsonDocument } {
  const document = parseJson(text)
  const root = document.value
  if (document.error || !isObject(root)) {
    const message = document.error
      ? `not valid JSON: ${document.error.message}`
      : 'the file holds no JSON object'
    const problem: Problem = {
      level: 'error',
      file,
      line: document.error?.line ?? 1,
      message,
      fix: 'Correct the JSON text.',
    }
    return { settings: { ...DEFAULT_SETTINGS }, problems: [problem], document }
  }
  const outside = settingsOutside(root).map((complaint) =>
    problemOf(document, file, [complaint.field], complaint),
  )
  if (root.hooks === undefined || Array.isArray(root.hooks))
    return { settings: { ...DEFAULT_SETTINGS }, problems: outside, document }
  const { settings, complaints } = checkSettings(root.hooks)
  const problems = complaints.map((complaint) =>
    problemOf(
      document,
      file,
      complaint.field === 'hooks' ? ['hooks'] : ['hooks', complaint.field],
      complaint,
    ),
  )
  return { settings, problems: [...outside, ...problems], document }
}

/** Warns of settings outside the block, which would be silently ignored. */
function settingsOutside(root: Record<string, unknown>): Complaint[] {
  return Object.entries(root)
    .filter(([field]) => Object.hasOwn(DEFAULT_SETTINGS, field))
    .map(([field, value]) => ({
      level: 'warning',
      field,
      message: `\`${field}\` is outside of the \`hooks\` block, where it has no effect`,
      fix: `Put it into the block: {"hooks": {"${field}": ${JSON.stringify(value)}}}.`,
    }))
}

interface Reading {
  source: Source
  document: JsonDocument
  settings: Settings
  loaded: Loaded
}

function readItem({ source, document, settings, loaded }: Reading, path: Path, item: unknown): void {
  const complaints: Complaint[] = []
  const fields = isObject(item) ? item : {}
  const event = fields.event ?? fields.event_type ?? fields.eventType
  const id =
    typeof fields.id === 'string' && fields.id !== '' ? fields.id : `${basename(source.path)}[${path[1]}]`
  let hook: Hook | undefined
  if (!isObject(item)) complaints.push({ ...NOT_AN_OBJECT })
  else if (typeof event !== 'string') complaints.push({ ...NO_EVENT })
  else {
    const origin = { file: source.path, line: document.line(path), scope: source.scope }
    const { matcher, config, response, command } = fields
    const definition: Definition = { id, matcher, config, response, command }
    const compiled = compileHook(event, definition, settings, origin)
    complaints.push(...compiled.complaints)
    hook = compiled.hook && withinLimits(loaded.hooks, compiled.hook, settings, complaints)
  }
  for (const complaint of complaints)
    loaded.problems.push(
      problemOf(document, source.path, [...path, ...complaint.field.split('.')], complaint, id),
    )
  if (!hook) return
  // A later hook with the same id replaces the earlier one.
  loaded.hooks = [...loaded.hooks.filter(({ name }) => name !== id), hook]
}

function withinLimits(
  existing: readonly Hook[],
  hook: Hook,
  settings: Settings,
  complaints: Complaint[],
): Hook | undefined {
  try {
    checkLimits(existing, hook.native_event ?? '', settings, hook.name)
    return hook
  } catch (thrown) {
    if (!(thrown instanceof CrosshookError)) throw thrown
    complaints.push({ level: 'error', field: 'event', message: thrown.message, fix: thrown.fix })
    return undefined
  }
}

const NOT_A_LIST = {
  level: 'error',
  message: 'the hooks are not in a list',
  fix: 'Write [{"id": "…", "event": "…"}].',
} as const
const NOT_AN_OBJECT = {
  level: 'error',
  field: 'hook',
  message: 'the hook is not an object',
  fix: 'Write {"id": "…", "event": "…"}.',
} as const
const NO_EVENT = {
  level: 'error',
  field: 'event',
  message: 'the hook names no event',
  fix: 'Write "event": "PreToolUse".',
} as const

function problemOf(
  document: JsonDocument,
  file: string,
  path: Path,
  complaint: Complaint,
  hook?: string,
): Problem {
  const { level, message, fix, field } = complaint
  return {
    level,
    file,
    line: document.line(path),
    field,
    ...(hook === undefined ? {} : { hook }),
    message,
    fix,
  }
}
