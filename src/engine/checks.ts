/** One check for each field of the matcher table (spec/matcher.ts); a field without one does not compile. */

import type { CommandReader } from '../acts/commands.ts'
import { isPlainCall } from '../acts/plain.ts'
import type { SimpleCommand } from '../acts/word.ts'
import type { HookEvent } from '../spec/event.ts'
import { environmentOf, eventRow } from '../spec/event.ts'
import type { MATCHER_FIELDS, Matcher, MatcherField, MatcherValue } from '../spec/matcher.ts'
import { isCommand, kindOf, touchedPaths } from '../spec/tool.ts'
import type { ActField } from './act-checks.ts'
import { compileGlob, compilePathGlob, compileSuffixGlob } from './glob.ts'
import { compilePattern, plainPattern } from './pattern.ts'
import { unreadCall } from './unread.ts'

/** Null when the condition holds, else the reason why it does not or why it cannot be judged. */
export type Verdict = string | null | Unjudged
export type Check = (event: HookEvent) => Verdict

/** A condition that could not be judged. The hook has failed, whatever the other conditions say. */
export class Unjudged {
  readonly because: string
  /** Checking the text, which may come from a model, ran out of time. */
  readonly isLate: boolean

  constructor(because: string, isLate = false) {
    this.because = because
    this.isLate = isLate
  }
}
export type Later<T> = T | Promise<T>

/** Check for a condition on the tool's name: does one name satisfy it? */
export interface NameCheck<Value = never> {
  compile(value: Value): Later<(name: string) => boolean>
  /** What the hook asks for, in words. */
  wants(value: Value): string
}

/** Check for every other condition; has `quick`, `compile` or both. */
export interface EventCheck<Value = never> {
  /** The condition, or the part of it that needs no library. Runs first; `compile` is called only when it holds. */
  quick?(value: Value, matcher: Matcher): Check
  /**
   * Throws what is wrong with the value. `matcher` is the whole matcher, for fields that are judged together; `nested`
   * compiles a matcher inside this one.
   */
  compile?(value: Value, matcher: Matcher, nested: Nested): Later<Check>
}

/** Compiles a matcher inside another one; throws when that fails. */
export type Nested = (matcher: Matcher) => Promise<Check>

type CheckOf<Field extends MatcherField> = (typeof MATCHER_FIELDS)[Field]['of'] extends 'tool name'
  ? NameCheck<MatcherValue<Field>>
  : EventCheck<MatcherValue<Field>>

export type Checks = Readonly<Record<string, NameCheck | EventCheck>>

type PlainReader = (line: string) => string[] | undefined
let plainReader: PlainReader | undefined

/** See plain-lines.ts. */
export function readPlainLinesBy(reader: PlainReader): void {
  plainReader = reader
}

/** In the order in which they are compiled: cheap conditions first. */
export const CHECKS: { readonly [Field in MatcherField]: CheckOf<Field> } = {
  tool_names: {
    compile: (names) => (name) => names.includes(name),
    wants: (names) => names.join(' or '),
  },
  tool_globs: {
    compile(globs) {
      const compiled = globs.map(compileGlob)
      return (name) => compiled.some((glob) => glob(name))
    },
    wants: (globs) => globs.join(' or '),
  },
  tool: {
    // Most patterns are plain words, which need no library.
    compile: (text) =>
      plainPattern(text)?.test ?? compilePattern(text).then((pattern) => (name) => pattern.test(name)),
    wants: (text) => text,
  },
  agents: {
    quick:
      (agents) =>
      ({ agent }) =>
        agents.includes(agent ?? '')
          ? null
          : `the agent is ${agent ?? 'unknown'}, the hook wants ${agents.join(' or ')}`,
  },
  session: {
    quick:
      (session) =>
      ({ session_id: id }) =>
        id === session ? null : `the session is ${id}, the hook wants ${session}`,
  },
  subject: {
    quick(text) {
      const glob = compileGlob(text)
      return (event) => {
        const found = subjectOf(event)
        return glob(found) ? null : `the subject is ${quote(found)}, the hook wants ${text}`
      }
    },
  },
  not_plain: {
    quick: () => (event) => {
      const input = inputOf(event)
      if (Object.keys(input).length === 0) return 'it has no input'
      return isPlainCall(event.tool_name, input) ? 'the call only looks at things' : null
    },
  },
  pattern: {
    quick: () => hasTool,
    async compile(text) {
      const pattern = await compilePattern(text)
      return (event) =>
        leaves(event).some((leaf) => pattern.test(leaf)) || pattern.test(jsonText(event))
          ? null
          : `nothing in the tool's input matches ${quote(text)}`
    },
  },
  does: { quick: () => hasTool, compile: acts('does') },
  place: { quick: () => hasTool, compile: acts('place') },
  host: { quick: () => hasTool, compile: acts('host') },
  program: { quick: () => hasTool, compile: acts('program') },
  certain: { quick: () => hasTool, compile: acts('certain') },
  path: {
    quick: (_, matcher) => (isPathOfAct(matcher) ? hasTool : hasPath),
    async compile(text, matcher) {
      if (isPathOfAct(matcher)) return () => null
      const glob = await compilePathGlob(text)
      return (event) =>
        paths(event).some((path) => glob(path, event.work_dir ?? '', environmentOf(event)?.HOME))
          ? null
          : otherPath(event, text)
    },
  },
  path_suffix: {
    quick: () => hasPath,
    compile(text) {
      const glob = compileSuffixGlob(text)
      return (event) => (paths(event).some(glob) ? null : otherPath(event, text))
    },
  },
  command: {
    quick(text) {
      const pattern = plainPattern(text)
      if (!pattern) return hasCommand
      return (event) => {
        const missing = hasCommand(event)
        if (missing !== null) return missing
        const { command } = inputOf(event)
        const plain = typeof command === 'string' ? plainReader?.(command) : undefined
        return plain?.every((each) => !pattern.test(each)) ? noCommand(text) : null
      }
    },
    async compile(text) {
      const [pattern, { loadCommands }] = await Promise.all([compilePattern(text), import('../acts/acts.ts')])
      const reader = loadCommands()
      return (event) =>
        shellCommands(event, reader).some((command) => pattern.test(command))
          ? null
          : unlessUnreadCommand(event, noCommand(text))
    },
  },
  command_text: {
    quick: () => hasCommand,
    async compile(text) {
      const pattern = await compilePattern(text).catch(() => ({
        test: (line: string) => line.includes(text),
      }))
      return (event) =>
        rawCommands(event).some((line) => pattern.test(line))
          ? null
          : unlessUnreadCommand(event, `the command line does not match ${quote(text)}`)
    },
  },
  usage_percent: atLeast('usage_percent'),
  token_count: atLeast('token_count'),
  subject_pattern: {
    async compile(text) {
      const pattern = await compilePattern(text)
      return (event) => {
        const found = subjectOf(event)
        return pattern.test(found) ? null : `the subject is ${quote(found)}, the hook wants ${quote(text)}`
      }
    },
  },
  when: {
    async compile(text) {
      const { compileCondition } = await import('./condition.ts')
      const condition = await compileCondition(text)
      return (event) => {
        const { holds, error, isLate } = condition(event)
        if (error !== undefined)
          return new Unjudged(`the condition ${quote(text)} could not be evaluated: ${error}`, isLate)
        return holds ? null : `the condition ${quote(text)} does not hold`
      }
    },
  },
  any: {
    async compile(choices, _matcher, nested) {
      const checks = await Promise.all(choices.map(nested))
      return (event) => {
        const verdicts = checks.map((check) => check(event))
        if (verdicts.includes(null)) return null
        const unjudged = verdicts.find((verdict) => verdict instanceof Unjudged)
        return unjudged ?? `none of its alternatives holds (${verdicts.join('; ')})`
      }
    },
  },
  not: {
    async compile(matcher, _matcher, nested) {
      const excluded = await nested(matcher)
      return (event) => {
        const verdict = excluded(event)
        if (verdict instanceof Unjudged) return verdict
        return verdict === null ? 'what the hook excludes holds' : null
      }
    },
  },
}

function noCommand(text: string): string {
  return `no command of the line matches ${quote(text)}`
}

const NO_TOOL = 'the event has no tool, the hook wants one'

const hasTool: Check = (event) => (eventRow(event.event_type).tool ? null : NO_TOOL)
const hasCommand: Check = (event) =>
  hasTool(event) ??
  (commandLines(event).length > 0 ? null : unlessUnreadCommand(event, 'the tool has no command line'))
const hasPath: Check = (event) =>
  hasTool(event) ?? (paths(event).length > 0 ? null : unlessUnread(event, 'the tool touches no path'))

/** A condition does not hold; in a call that cannot be read, nobody knows. */
function unlessUnread(event: HookEvent, because: string): Verdict {
  const unread = unreadCall(event)
  return unread === undefined ? because : new Unjudged(unread)
}

function otherPath(event: HookEvent, wanted: string): Verdict {
  return unlessUnread(event, `path ${paths(event).join(', ')} does not match ${wanted}`)
}

/** Also of tools that have no canonical name. */
function unlessUnreadCommand(event: HookEvent, because: string): Verdict {
  const { command = null } = inputOf(event)
  return command === null || isCommand(command)
    ? unlessUnread(event, because)
    : new Unjudged(`\`command\` is ${kindOf(command)}`)
}

/** The first reason that a check gives. A condition that does not hold counts before one that cannot be judged. */
export function every<Input>(checks: readonly ((input: Input) => Verdict)[]): (input: Input) => Verdict {
  if (checks.length === 1) return checks[0]!
  return (input) => {
    let unjudged: Unjudged | null = null
    for (const check of checks) {
      const verdict = check(input)
      if (typeof verdict === 'string') return verdict
      unjudged ??= verdict
    }
    return unjudged
  }
}

/**
 * The act model is loaded with the first hook that needs it, so that programs that only register functions do not carry
 * it.
 */
function acts(field: ActField): (value: never, matcher: Matcher) => Later<Check> {
  return (_, matcher) =>
    actChecks
      ? actChecks.compileActs(field, matcher)
      : import('./act-checks.ts').then((loaded) => {
          actChecks = loaded
          return loaded.compileActs(field, matcher)
        })
}

let actChecks: typeof import('./act-checks.ts') | undefined

/** With `does`, `path` is about the act's path; without it, about the paths that the tool's input names. */
export function isPathOfAct(matcher: Matcher): boolean {
  return matcher.does !== undefined
}

export function toolNames(event: HookEvent): readonly string[] | null {
  if (!eventRow(event.event_type).tool) return null
  const { tool_name: name, native_tool_name: native } = event
  const names = typeof name === 'string' ? [name] : []
  if (typeof native === 'string' && native !== name) names.push(native)
  return names
}

/** Null when one of the tool's names is accepted; `names` is null when the event has no tool. */
export function judgeNames(
  names: readonly string[] | null,
  wanted: string,
  test: (name: string) => boolean,
): string | null {
  if (names === null) return NO_TOOL
  return names.some(test) ? null : `tool is ${names.join(' / ') || 'unknown'}, the hook wants ${wanted}`
}

function quote(text: string): string {
  return `\`${text}\``
}

/** A warning without a number counts: only a number can say that it is too early. */
function atLeast(field: string): EventCheck<number> {
  return {
    quick: (least) => (event) => {
      const value = event[field] ?? (eventRow(event.event_type).fields[field] && least)
      return Number(value) >= least ? null : `${field} is ${value}, not ${least}`
    },
  }
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

/** Computed once per input for all hooks. A rewritten input is a new object and is computed again. */
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

const parsed = new WeakMap<object, readonly string[]>()

/** The texts of the commands. */
function shellCommands(event: HookEvent, reader: CommandReader): readonly string[] {
  const input = inputOf(event)
  let found = parsed.get(input)
  if (!found) {
    const words = commandLines(event)
    // A list is a program and its arguments, or, when its first item has a space, several lines.
    const isArgv = Array.isArray(input.command) && !words[0]?.includes(' ')
    found = isArgv
      ? textsOf(reader.argv(words))
      : words.flatMap((line) => plainReader?.(line) ?? textsOf(reader.line(line)))
    parsed.set(input, found)
  }
  return found
}

function textsOf(commands: readonly SimpleCommand[]): string[] {
  return commands.map(({ text }) => text)
}

/** Most values of one input that patterns are searched in. */
const MAX_LEAVES = 100_000

const leaves = remembered((input) => {
  const found: string[] = []
  const seen = new Set<object>()
  const open: unknown[] = [input]
  while (open.length > 0 && found.length < MAX_LEAVES) {
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
    // Only events made in process can hold a cycle or a bigint; their leaves were searched already.
    return ''
  }
})
