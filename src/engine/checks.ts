/** One row for each condition of a matcher: how it is compiled, and what to tell people when it does not hold. */

import type { Shell, SimpleCommand } from '../acts/shell/shell.ts'
import type { HookEvent } from '../spec/event.ts'
import { eventRow } from '../spec/event.ts'
import type { Matcher } from '../spec/hook.ts'
import { touchedPaths } from '../spec/tool.ts'
import { compileGlob, compilePathGlob, compileSuffixGlob } from './glob.ts'
import { compilePattern, type Pattern, plainPattern } from './pattern.ts'

/** Null when the condition holds, else why it does not. */
export type Check = (event: HookEvent) => string | null
/** The names of the tool, canonical first; null when the event has no tool. */
export type ToolCheck = (names: readonly string[] | null) => string | null

type Later<T> = T | Promise<T>

/** Conditions on the tool's name alone: their answer can be remembered. Without a library where possible. */
export function toolCheck(matcher: Matcher): Later<ToolCheck> | null {
  const { tool, tool_names: exact, tool_globs: globs } = matcher
  const checks: ToolCheck[] = []
  if (exact) checks.push(toolIs(exact.join(' or '), (name) => exact.includes(name)))
  if (globs) {
    const compiled = globs.map(compileGlob)
    checks.push(toolIs(globs.join(' or '), (name) => compiled.some((glob) => glob(name))))
  }
  if (tool === undefined) return checks.length === 0 ? null : every(checks)
  const wants = (pattern: Pattern) => every([...checks, toolIs(tool, (name) => pattern.test(name))])
  const plain = plainPattern(tool)
  return plain ? wants(plain) : compilePattern(tool).then(wants)
}

/** Conditions that need no library, and what the others ask for at least. Tried first. */
export function quickCheck(matcher: Matcher): Check {
  const { agents, session, subject } = matcher
  const checks: Check[] = []
  if (agents)
    checks.push(({ agent }) =>
      agents.includes(agent ?? '')
        ? null
        : `the agent is ${agent ?? 'unknown'}, the hook wants ${agents.join(' or ')}`,
    )
  if (session !== undefined)
    checks.push((event) =>
      event.session_id === session ? null : `the session is ${event.session_id}, the hook wants ${session}`,
    )
  if (subject !== undefined) {
    const glob = compileGlob(subject)
    checks.push((event) => {
      const found = subjectOf(event)
      return glob(found) ? null : `the subject is ${quote(found)}, the hook wants ${subject}`
    })
  }
  if (TOOL_FIELDS.some((field) => matcher[field] !== undefined))
    checks.push((event) => (eventRow(event.event_type).tool ? null : NO_TOOL))
  if (matcher.command !== undefined || matcher.command_text !== undefined)
    checks.push((event) => (commandLines(event).length > 0 ? null : 'the tool has no command line'))
  if (matcher.path !== undefined || matcher.path_suffix !== undefined)
    checks.push((event) => (paths(event).length > 0 ? null : 'the tool touches no path'))
  return every(checks)
}

const TOOL_FIELDS = ['pattern', 'path', 'path_suffix', 'command', 'command_text'] as const
const NO_TOOL = 'the event has no tool, the hook wants one'

/** The conditions that `quickCheck` leaves open, each compiled with what it needs. */
export const HEAVY: { [Field in keyof Matcher]?: (value: NonNullable<Matcher[Field]>) => Later<Check> } = {
  async pattern(text) {
    const pattern = await compilePattern(text)
    return (event) =>
      leaves(event).some((leaf) => pattern.test(leaf)) || pattern.test(jsonText(event))
        ? null
        : `nothing in the tool's input matches ${quote(text)}`
  },
  async path(text) {
    const glob = await compilePathGlob(text)
    return (event) =>
      paths(event).some((path) => glob(path, event.work_dir ?? ''))
        ? null
        : `path ${paths(event).join(', ')} does not match ${text}`
  },
  path_suffix(text) {
    const glob = compileSuffixGlob(text)
    return (event) =>
      paths(event).some(glob) ? null : `path ${paths(event).join(', ')} does not match ${text}`
  },
  async command(text) {
    const [pattern, { loadShell }] = await Promise.all([
      compilePattern(text),
      import('../acts/shell/shell.ts'),
    ])
    const shell = await loadShell()
    return (event) =>
      shellCommands(event, shell).some((command) => pattern.test(command.text))
        ? null
        : `no command of the line matches ${quote(text)}`
  },
  async command_text(text) {
    const pattern = await compilePattern(text).catch(() => ({ test: (line: string) => line.includes(text) }))
    return (event) =>
      rawCommands(event).some((line) => pattern.test(line))
        ? null
        : `the command line does not match ${quote(text)}`
  },
  async subject_pattern(text) {
    const pattern = await compilePattern(text)
    return (event) => {
      const found = subjectOf(event)
      return pattern.test(found) ? null : `the subject is ${quote(found)}, the hook wants ${quote(text)}`
    }
  },
  async when(text) {
    const { compileCondition } = await import('./condition.ts')
    const condition = await compileCondition(text)
    return (event) => {
      const { holds, error } = condition(event)
      if (holds) return null
      return error === undefined
        ? `the condition ${quote(text)} does not hold`
        : `the condition ${quote(text)} could not be evaluated: ${error}`
    }
  },
}

/** The first reason among several checks. */
export function every<Input>(
  checks: readonly ((input: Input) => string | null)[],
): (input: Input) => string | null {
  if (checks.length === 1) return checks[0]!
  return (input) => {
    for (const check of checks) {
      const because = check(input)
      if (because !== null) return because
    }
    return null
  }
}

export function toolNames(event: HookEvent): readonly string[] | null {
  if (!eventRow(event.event_type).tool) return null
  const { tool_name: name, native_tool_name: native } = event
  const names = typeof name === 'string' ? [name] : []
  if (typeof native === 'string' && native !== name) names.push(native)
  return names
}

function toolIs(wanted: string, test: (name: string) => boolean): ToolCheck {
  return (names) => {
    if (names === null) return NO_TOOL
    return names.some(test) ? null : `tool is ${names.join(' / ') || 'unknown'}, the hook wants ${wanted}`
  }
}

function quote(text: string): string {
  return `\`${text}\``
}

function subjectOf(event: HookEvent): string {
  const { subject } = eventRow(event.event_type)
  const value = subject === null ? undefined : event[subject]
  return typeof value === 'string' ? value : value === undefined || value === null ? '' : String(value)
}

function inputOf(event: HookEvent): Record<string, unknown> {
  const input = event.tool_input
  return typeof input === 'object' && input !== null ? (input as Record<string, unknown>) : NO_INPUT
}

const NO_INPUT: Record<string, unknown> = Object.freeze({})

/** Computed once for all hooks. A rewritten input is another object, so it is computed again. */
function remembered<T>(compute: (input: Record<string, unknown>) => T): (event: HookEvent) => T {
  const known = new WeakMap<object, T>()
  return (event) => {
    const input = inputOf(event)
    let value = known.get(input)
    if (value === undefined) {
      value = compute(input)
      known.set(input, value)
    }
    return value
  }
}

const paths = remembered(touchedPaths)

const commandLines = remembered((input) => {
  const { command } = input
  if (typeof command === 'string') return [command]
  if (!Array.isArray(command)) return []
  return command.filter((word) => typeof word === 'string')
})

/** The raw text to search: each line, and a list of words also as one line. */
function rawCommands(event: HookEvent): string[] {
  const lines = commandLines(event)
  return lines.length > 1 ? [...lines, lines.join(' ')] : lines
}

const parsed = new WeakMap<object, SimpleCommand[]>()

function shellCommands(event: HookEvent, shell: Shell): SimpleCommand[] {
  const input = inputOf(event)
  let found = parsed.get(input)
  if (!found) {
    const words = commandLines(event)
    // A list is a program and its arguments, or, when its first item has a space, several lines.
    const isArgv = Array.isArray(input.command) && !words[0]?.includes(' ')
    found = isArgv ? shell.argv(words) : words.flatMap((line) => shell.line(line))
    parsed.set(input, found)
  }
  return found
}

const MOST_LEAVES = 100_000

const leaves = remembered((input) => {
  const found: string[] = []
  const seen = new Set<object>()
  const open: unknown[] = [input]
  while (open.length > 0 && found.length < MOST_LEAVES) {
    const value = open.pop()
    if (typeof value === 'string') found.push(value)
    else if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint')
      found.push(String(value))
    else if (typeof value === 'object' && value !== null && !seen.has(value)) {
      seen.add(value)
      for (const item of Object.values(value)) open.push(item)
    }
  }
  return found
})

const jsonText = remembered((input) => {
  try {
    return JSON.stringify(input)
  } catch {
    // Only an event made in process can hold a circle or a bigint; its leaves were searched already.
    return ''
  }
})
