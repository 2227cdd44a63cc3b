/** The fields of one HOOK.md → a hook, checked. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { canonicalEvent, EVENT_NAMES, eventRow } from '../../spec/event.ts'
import { HOOK_DEFAULTS, type Hook, type Problem, type Scope } from '../../spec/hook.ts'
import { MATCHER_FIELDS, type Matcher, type MatcherRows } from '../../spec/matcher.ts'
import { didYouMean } from '../../spec/nearest.ts'
import { readText } from '../../spec/read-file.ts'
import { EVENT_WORDS } from '../lib/gen/words.ts'
import { inEveryAgent } from '../lib/tool-words.ts'
import { ENTRY_POINTS, toRun } from './entry.ts'
import { LATER_NAMES } from './events.ts'
import type { Frontmatter } from './frontmatter.ts'
import { lint, lintScript } from './lint.ts'
import { type FrontmatterFields, frontmatterSchema } from './schema.ts'
import { issueProblem } from './wording.ts'

export interface Origin {
  file: string
  dir: string
  scope: Scope
  /** Characters in the whole file. */
  size: number
}

/** The events of the specification; the table has more. */
const SPECIFIED = [
  'session_start',
  'session_end',
  'before_agent',
  'after_agent',
  'before_stop',
  'before_tool',
  'after_tool',
  'after_tool_failure',
  'subagent_start',
  'subagent_stop',
  'pre_compact',
]

export function toHook(front: Frontmatter, origin: Origin): { hook?: Hook; problems: Problem[] } {
  const problems: Problem[] = []
  const name = nameOf(front.value)
  const add = (level: Problem['level'], field: string, message: string, fix: string): void => {
    const line = lineOf(front, field)
    problems.push({
      level,
      file: origin.file,
      ...(line === undefined ? {} : { line }),
      field,
      ...(name === undefined ? {} : { hook: name }),
      message,
      fix,
    })
  }
  const parsed = frontmatterSchema.safeParse(front.value)
  for (const issue of parsed.error?.issues ?? []) {
    const { field, message, fix } = issueProblem(issue, front.value)
    add('error', field, message, fix)
  }
  const trigger = (front.value as { trigger?: unknown }).trigger
  const event = typeof trigger === 'string' ? eventOf(trigger) : undefined
  if (typeof trigger === 'string' && event === undefined)
    add('error', 'trigger', unknownTrigger(trigger), `Use one of: ${SPECIFIED.join(', ')}.`)
  const fields = parsed.data
  const run = fields
    ? toRun(fields, origin.dir, (field, message, fix) => add('error', field, message, fix))
    : undefined
  if (!fields || !event || !run) return { problems }

  if (
    run.type === 'command' &&
    'entry' in run &&
    !ENTRY_POINTS.some((entry) => existsSync(join(run.entry, entry)))
  )
    add(
      'warning',
      'run',
      `No entry point found (${listed(ENTRY_POINTS)}).`,
      'Add one of them, or say what to run in `run`.',
    )
  if (run.type === 'module' && !existsSync(run.file))
    add('warning', 'run.module', 'The module does not exist.', 'Add the file, or correct its name.')
  const matcher = matcherOf(fields, eventRow(event).tool)
  if (matcher.ignored.length > 0)
    add(
      'warning',
      'matcher',
      `\`${event}\` is not a tool event, so ${matcher.ignored.join(', ')} is ignored.`,
      'Remove the matcher, or use `when`.',
    )
  for (const field of conditionsWithout(event, matcher.matcher))
    add(
      'warning',
      `matcher.${field}`,
      `\`${event}\` has no ${field}, so that this condition never holds.`,
      'Remove it, or use `context_warning` as the trigger.',
    )
  const script = run.type === 'command' && 'entry' in run ? scriptOf(run.entry) : undefined
  const advice = [
    ...lint(fields, origin.size),
    ...(script ? lintScript(script.name, script.text, fields) : []),
  ]
  for (const { field, message, fix } of advice) add('warning', field, message, fix)
  return {
    hook: assemble({ fields, event, run, matcher: matcher.matcher, origin, line: lineOf(front, 'name') }),
    problems,
  }
}

/** Conditions that are compared with the event's field of the same name. */
const ON_FIELDS = ['usage_percent', 'token_count'] as const

function conditionsWithout(event: string, matcher: Matcher): string[] {
  const { fields } = eventRow(event)
  return ON_FIELDS.filter((name) => matcher[name] !== undefined && !Object.hasOwn(fields, name))
}

/** The beginning of the script that would run. */
function scriptOf(dir: string): { name: string; text: string } | undefined {
  const name = ENTRY_POINTS.find((entry) => existsSync(join(dir, entry)))
  if (name === undefined) return undefined
  try {
    const text = readText(join(dir, name)).slice(0, MAX_SCRIPT)
    return { name, text }
  } catch {
    return undefined // starting it later reports the error
  }
}

/** Characters that are looked at. */
const MAX_SCRIPT = 64 * 1024

interface Parts {
  fields: FrontmatterFields
  event: string
  run: Hook['run']
  matcher: Matcher
  origin: Origin
  line: number | undefined
}

function assemble({ fields, event, run, matcher, origin, line }: Parts): Hook {
  const isBackground = fields.async === true
  return {
    ...HOOK_DEFAULTS,
    name: fields.name,
    format: 'agenthooks',
    scope: origin.scope,
    unique_name: true,
    description: fields.description,
    events: [event],
    ...(Object.hasOwn(LATER_NAMES, fields.trigger) ? { native_event: fields.trigger } : {}),
    matcher,
    run,
    order: 100 - (fields.priority ?? 100),
    mode: isBackground ? 'background' : 'sequence',
    timeout: fields.timeout ?? HOOK_DEFAULTS.timeout,
    budget: 'total',
    on_failure: fields.on_failure ?? 'open',
    ...(origin.scope === 'managed' && fields.on_failure === undefined ? { on_failure_unsaid: true } : {}),
    retries: fields.retries ?? 0,
    blocks: !isBackground,
    // The exit code decides, however much a test run prints.
    on_overflow: 'truncate',
    ...(fields.enabled === false ? { disabled: true } : {}),
    ...(fields.mode === 'shadow' ? { shadow: true } : {}),
    ...(fields.facts === true || wantsFacts(matcher) ? { facts: true } : {}),
    ...(fields.cache === undefined ? {} : { cache: { seconds: fields.cache, key: 'input' as const } }),
    ...(fields.after === undefined ? {} : { after: fields.after }),
    ...(fields.approvers === undefined ? {} : { approvers: fields.approvers }),
    ...(fields.approvals === undefined ? {} : { approvals: fields.approvals }),
    ...(fields.replaceable === false ? { replaceable: false } : {}),
    ...(fields.sandbox === undefined ? {} : { sandbox: withoutUndefined(fields.sandbox) }),
    origin: { file: origin.file, dir: origin.dir, ...(line === undefined ? {} : { line }) },
    ...(fields.metadata === undefined ? {} : { metadata: fields.metadata }),
  }
}

/** Whether a condition uses a field that comes only from the transcript. */
function wantsFacts({ when, any = [], not }: Matcher): boolean {
  return (
    /\b(?:usage|model|recent_tools)\b/.test(when ?? '') || [...any, ...(not ? [not] : [])].some(wantsFacts)
  )
}

/** An event of one agent is named with the agent, as `agent/Event`. */
export function eventOf(trigger: string): string | undefined {
  if (trigger.includes('/') && !/^[a-z0-9][a-z0-9-]*\/[^\s/]+$/.test(trigger)) return undefined
  if (Object.hasOwn(LATER_NAMES, trigger)) return LATER_NAMES[trigger]
  const words = Object.hasOwn(EVENT_WORDS, trigger) ? EVENT_WORDS[trigger]! : []
  return canonicalEvent(trigger) ?? (words.length === 1 ? words[0] : undefined)
}

function unknownTrigger(trigger: string): string {
  const known = `The events of the specification are ${SPECIFIED.join(', ')}; there are ${EVENT_NAMES.length} in all, and aliases such as pre-tool-call.`
  return `Unknown trigger "${trigger.slice(0, 80)}".${didYouMean(trigger.slice(0, 80), [...EVENT_NAMES, ...Object.keys(EVENT_WORDS)])} ${known}`
}

/** The conditions by the matcher table. Conditions on tools are ignored on events without a tool. */
export function matcherOf(
  fields: Pick<FrontmatterFields, 'matcher'>,
  isTool: boolean,
  rows: MatcherRows = MATCHER_FIELDS,
): { matcher: Matcher; ignored: string[] } {
  const given: Record<string, unknown> = { matcher: {}, ...fields }
  const matcher: Record<string, unknown> = {}
  const ignored: string[] = []
  const nested = (value: unknown): Matcher => {
    const inner = matcherOf({ matcher: value } as Pick<FrontmatterFields, 'matcher'>, isTool, rows)
    ignored.push(...inner.ignored)
    return inner.matcher
  }
  for (const [field, { written, of, schema }] of Object.entries(rows)) {
    if (written === null) continue
    const value = written
      .split('.')
      .reduce((from, key) => (from as Record<string, unknown>)[key], given as unknown)
    if (value === undefined) continue
    if ('nested' in schema) matcher[field] = Array.isArray(value) ? value.map(nested) : nested(value)
    else if (isTool || of === 'event')
      matcher[field] = field === 'tool' && typeof value === 'string' ? inEveryAgent(value) : value
    else ignored.push(written)
  }
  return { matcher, ignored }
}

function nameOf(value: unknown): string | undefined {
  const name = (value as { name?: unknown }).name
  return typeof name === 'string' && name !== '' ? name : undefined
}

/** The line of a field, or of the nearest field around it. */
export function lineOf(front: Frontmatter, field: string): number | undefined {
  for (let path = field; ; path = path.slice(0, path.lastIndexOf('.'))) {
    const line = front.lines.get(path)
    if (line !== undefined || !path.includes('.')) return line
  }
}

function listed(names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')}, or ${names.at(-1)}`
}

function withoutUndefined(sandbox: NonNullable<FrontmatterFields['sandbox']>): NonNullable<Hook['sandbox']> {
  if (typeof sandbox === 'boolean') return sandbox
  return {
    ...(sandbox.read ? { read: sandbox.read } : {}),
    ...(sandbox.write ? { write: sandbox.write } : {}),
    ...(sandbox.connect || sandbox.net
      ? { connect: [...(sandbox.connect ?? []), ...(sandbox.net ?? [])] }
      : {}),
    ...(sandbox.env ? { env: sandbox.env } : {}),
    ...(sandbox.memory_mb ? { memory_mb: sandbox.memory_mb } : {}),
  }
}
