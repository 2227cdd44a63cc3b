/** A hook of an agent's format as a HOOK.md folder, as far as that can say the same. */

import { eventRow } from '../spec/event.ts'
import type { Hook } from '../spec/hook.ts'
import { MATCHER_FIELDS, type Matcher, type MatcherField } from '../spec/matcher.ts'

export interface Copied {
  name: string
  text: string
}

/** A sentence when it cannot be said in a HOOK.md. */
export function copyHook(hook: Hook, name: string): Copied | string {
  const { run, matcher } = hook
  const what =
    run.type === 'command' && 'command' in run
      ? { command: run.command }
      : run.type === 'http'
        ? { http: { url: run.url } }
        : undefined
  if (!what) return `a hook of type ${run.type} has no counterpart`
  const [trigger] = hook.events
  const conditions = toFields(matcher, eventRow(trigger!).subject)
  if (!conditions) return `its matcher cannot be written in a HOOK.md: ${JSON.stringify(matcher)}`
  const lines = {
    name,
    description: hook.description ?? `Copied from ${hook.name}.`,
    trigger,
    ...nest(conditions),
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

/** Paths of HOOK.md's fields (`matcher.tool`, `when`) and their values. */
type Fields = Record<string, unknown>

function toFields(matcher: Matcher, subject: string | null): Fields | undefined {
  const { tool, tool_names, any, subject_pattern, ...rest } = matcher
  const fields: Fields = {}
  const tools = [
    ...(tool === undefined ? [] : [tool]),
    ...(tool_names === undefined ? [] : [exactly(tool_names)]),
    ...(any === undefined ? [] : [alternatives(any)]),
  ]
  if (tools.length > 1 || tools.includes(undefined)) return undefined
  if (tools[0] !== undefined) fields[MATCHER_FIELDS.tool.written] = tools[0]
  for (const [field, value] of Object.entries(rest)) {
    const { written } = MATCHER_FIELDS[field as MatcherField]
    if (written === null) return undefined
    fields[written] = value
  }
  if (subject_pattern !== undefined) {
    const { written } = MATCHER_FIELDS.when
    if (subject === null || fields[written] !== undefined) return undefined
    fields[written] = `${subject}.matches(${JSON.stringify(subject_pattern)})`
  }
  return fields
}

/** `{'matcher.tool': 'x', when: 'y'}` → `{matcher: {tool: 'x'}, when: 'y'}`. */
function nest(fields: Fields): Fields {
  const out: Fields = {}
  for (const [path, value] of Object.entries(fields)) {
    const [first, second] = path.split('.')
    out[first!] = second === undefined ? value : { ...(out[first!] as Fields), [second]: value }
  }
  return out
}

function exactly(names: readonly string[]): string {
  return `^(?:${names.map((name) => name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|')})$`
}

/** Only alternatives of tool names can be one pattern. */
function alternatives(any: readonly Matcher[]): string | undefined {
  const parts = any.map(({ tool, tool_names, ...rest }) =>
    Object.keys(rest).length > 0 || (tool === undefined) === (tool_names === undefined)
      ? undefined
      : (tool ?? exactly(tool_names!)),
  )
  return parts.includes(undefined) ? undefined : parts.map((part) => `(?:${part})`).join('|')
}
