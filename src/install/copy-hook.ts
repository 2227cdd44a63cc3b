/** Converts a hook of an agent's format to a HOOK.md folder, if that can express the same. */

import { RE2JS } from 're2js'
import { eventRow } from '../spec/event.ts'
import type { Hook } from '../spec/hook.ts'
import { MATCHER_FIELDS, type Matcher, type MatcherField } from '../spec/matcher.ts'
import type { ToolTable } from '../spec/tool.ts'

export interface Copied {
  name: string
  text: string
}

/** `tools` are those of the agent it was written for. Returns a sentence when HOOK.md cannot express it. */
export function copyHook(hook: Hook, name: string, tools: ToolTable): Copied | string {
  const { run, matcher } = hook
  const what =
    run.type === 'command' && 'command' in run
      ? { command: run.command }
      : run.type === 'http'
        ? { http: { url: run.url } }
        : undefined
  if (!what) return `a hook of type ${run.type} has no counterpart`
  const [trigger] = hook.events
  const conditions = toFields(matcher, eventRow(trigger!).subject, tools)
  if (!conditions) return `its matcher cannot be written in a HOOK.md: ${JSON.stringify(matcher)}`
  const lines = {
    name,
    description: hook.description ?? `Copied from ${hook.name}.`,
    trigger,
    ...conditions,
    timeout: Math.min(600_000, Math.max(100, hook.timeout)),
    ...(hook.mode === 'background' ? { async: true } : {}),
    ...(hook.on_failure === 'closed' ? { on_failure: 'closed' } : {}),
    run: what,
  }
  const yaml = Object.entries(lines).map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`)
  return {
    name,
    text: `---\n${yaml.join('')}---\n\nCopied from ${hook.origin.file} by \`crosshook import\`.\n`,
  }
}

/** The equivalent HOOK.md fields: `matcher` and `when`. Undefined when a condition has no field. */
function toFields(matcher: Matcher, subject: string | null, tools: ToolTable): object | undefined {
  const { when, subject_pattern, ...rest } = matcher
  if (subject_pattern !== undefined && (subject === null || when !== undefined)) return undefined
  const expression =
    subject_pattern === undefined ? when : `${subject}.matches(${JSON.stringify(subject_pattern)})`
  const written = write(rest, tools)
  return (
    written && {
      ...(Object.keys(written).length > 0 ? { matcher: written } : {}),
      ...(expression === undefined ? {} : { when: expression }),
    }
  )
}

type Written = Record<string, unknown>

function write(matcher: Matcher, tools: ToolTable): Written | undefined {
  const written: Written = {}
  const isNew = (name: string, value: unknown) => {
    if (written[name] !== undefined) return JSON.stringify(written[name]) === JSON.stringify(value)
    written[name] = value
    return true
  }
  for (const part of conjunction(matcher)) {
    const named = namedTools([part], tools)
    if (named) {
      // A second pattern is written as an `any` with one alternative.
      if (!isNew('tool', named.pattern) && !isNew('any', [{ tool: named.pattern }])) return undefined
      if (named.not && !isNew('not', named.not)) return undefined
      continue
    }
    const [field, value] = Object.entries(part)[0] as [MatcherField, unknown]
    const flat =
      field === 'any'
        ? (value as Matcher[]).map((each) => write(each, tools))
        : field === 'not'
          ? write(value as Matcher, tools)
          : value
    const name = MATCHER_FIELDS[field].written?.replace('matcher.', '')
    const isFlat = ![flat].flat().some((each) => each === undefined || isNested(each))
    if (name === undefined || name.includes('.') || !isFlat || !isNew(name, flat)) return undefined
  }
  return written
}

/** HOOK.md has one level of `any` and `not`. */
function isNested(value: unknown): boolean {
  return typeof value === 'object' && value !== null && ('any' in value || 'not' in value)
}

/** Conditions that must all hold, one by one. Some readers express "both" as a double negation. */
function conjunction({ not, ...rest }: Matcher): Matcher[] {
  const parts: Matcher[] = Object.entries(rest).map(([field, value]) => ({ [field]: value }))
  const both = not && isOnly(not, 'any') ? not.any! : undefined
  if (both?.every((each) => isOnly(each, 'not')))
    parts.push(...both.flatMap((each) => conjunction(each.not!)))
  else if (not) parts.push({ not })
  return parts
}

function isOnly(matcher: Matcher, field: MatcherField): boolean {
  return Object.keys(matcher).length === 1 && matcher[field] !== undefined
}

/** One of these tools, as a pattern; `not` lists the agent's tools that it must not match. */
function namedTools(
  alternatives: readonly Matcher[],
  tools: ToolTable,
): { pattern: string; not?: Written } | undefined {
  const patterns: string[] = []
  const found: { agent: string; own: readonly string[]; elsewhere: readonly string[] }[] = []
  for (const each of flattened(alternatives)) {
    const { tool, tool_names: names, agents, not, ...rest } = each
    if (Object.keys(rest).length > 0) return undefined
    const last = found.at(-1)
    if (tool !== undefined && !names && !agents && !not) patterns.push(tool)
    else if (names && !agents && !not && tool === undefined) patterns.push(exactly(names))
    else if (names && agents?.length === 1 && !not)
      found.push({ agent: agents[0]!, own: names, elsewhere: [] })
    else if (names && last && not?.agents?.[0] === last.agent) last.elsewhere = names
    else return undefined
  }
  if (patterns.length === 0 && found.length === 0) return undefined
  const [by] = found
  if (found.length > 1 || (by && by.elsewhere.length === 0)) return undefined
  const all = [...patterns, ...(by ? [exactly(by.elsewhere)] : [])]
  const pattern = all.length === 1 ? all[0]! : all.map((part) => `(?:${part})`).join('|')
  const spared = by
    ? Object.entries(tools)
        .filter(([native, { name }]) => by.elsewhere.includes(name) && !by.own.includes(native))
        .map(([native]) => native)
        .filter((native) => !patterns.some((each) => RE2JS.compile(each).matcher(native).find()))
    : []
  return { pattern, ...(spared.length > 0 ? { not: { agent: [by!.agent], tool: exactly(spared) } } : {}) }
}

function flattened(alternatives: readonly Matcher[]): Matcher[] {
  return alternatives.flatMap((each) => (isOnly(each, 'any') ? flattened(each.any!) : [each]))
}

function exactly(names: readonly string[]): string {
  return `^(?:${names.map((name) => name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|')})$`
}
