/** One check for each field of the matcher table (spec/matcher.ts); a field without one does not compile. */

import { isPlainCall } from '../acts/plain.ts'
import { environmentOf } from '../fast/event-environment.ts'
import type { HookEvent } from '../spec/event.ts'
import { eventRow } from '../spec/event.ts'
import type { MATCHER_FIELDS, Matcher, MatcherField, MatcherValue } from '../spec/matcher.ts'
import { isCommand, kindOf } from '../spec/tool.ts'
import type { ActField } from './act-checks.ts'
import { compileGlob, compilePathGlob, compileSuffixGlob } from './glob.ts'
import {
  commandLines,
  inputOf,
  jsonText,
  leaves,
  paths,
  plainCommandsOf,
  rawCommands,
  shellCommands,
} from './input-facts.ts'
import { compilePattern, plainPattern } from './pattern.ts'
import { unreadCall } from './unread.ts'
import { type Check, type Later, Unjudged, type Verdict } from './verdict.ts'

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
  /** Once true, `compile` returns no promise any more: it can wait until the hook's turn, which may never come. */
  isAtOnce?(matcher: Matcher): boolean
}

/** Compiles a matcher inside another one; throws when that fails. */
export type Nested = (matcher: Matcher) => Promise<Check>

type CheckOf<Field extends MatcherField> = (typeof MATCHER_FIELDS)[Field]['of'] extends 'tool name'
  ? NameCheck<MatcherValue<Field>>
  : EventCheck<MatcherValue<Field>>

export type Checks = Readonly<Record<string, NameCheck | EventCheck>>

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
  does: { quick: () => hasTool, compile: acts('does'), isAtOnce: areActsLoaded },
  place: { quick: () => hasTool, compile: acts('place'), isAtOnce: areActsLoaded },
  host: { quick: () => hasTool, compile: acts('host'), isAtOnce: areActsLoaded },
  program: { quick: () => hasTool, compile: acts('program'), isAtOnce: areActsLoaded },
  certain: { quick: () => hasTool, compile: acts('certain'), isAtOnce: areActsLoaded },
  path: {
    quick: (_, matcher) => (isPathOfAct(matcher) ? hasTool : hasPath),
    compile: (text, matcher) => (isPathOfAct(matcher) ? () => null : pathCheck(text)),
    isAtOnce: (matcher) => isPathOfAct(matcher) && areActsLoaded(matcher),
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
        return plainCommandsOf(event)?.every((each) => !pattern.test(each)) ? noCommand(text) : null
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

async function pathCheck(text: string): Promise<Check> {
  const glob = await compilePathGlob(text)
  return (event) =>
    paths(event).some((path) => glob(path, event.work_dir ?? '', environmentOf(event)?.HOME))
      ? null
      : otherPath(event, text)
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

function areActsLoaded(matcher: Matcher): boolean {
  return actChecks?.compilesAtOnce(matcher) ?? false
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
