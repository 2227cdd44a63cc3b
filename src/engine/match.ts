/** Compiles a matcher from the table of its fields: a check of the tool's name, and one of the other conditions. */

import { messageOf } from '../spec/errors.ts'
import type { HookEvent } from '../spec/event.ts'
import { MATCHER_FIELDS, type Matcher, type MatcherRows, NESTED, NESTED_LIST } from '../spec/matcher.ts'
import { CHECKS, type Checks, type EventCheck, judgeNames, type NameCheck, toolNames } from './checks.ts'
import { judge, type Lazy, lazy, load } from './lazy-check.ts'
import { type Check, every, type Later, Unjudged, type Verdict } from './verdict.ts'

export interface CompiledMatcher {
  /** Checks the tool's names (canonical first; null: the event has no tool). True when it cannot be judged. */
  tool(names: readonly string[] | null): boolean
  /** The check behind `tool`; null when every name matches. `failed`: why the names cannot be judged at the moment. */
  readonly names: { readonly failed: Unjudged | undefined } | null
  /** The other conditions; null when there are none. Never throws. */
  readonly rest: ((event: HookEvent) => boolean | Unjudged) | null
  explain(event: HookEvent): Explained
  /** Loads the libraries that `tool` needs, and for an event those of `rest`; null when there is nothing to wait for. */
  load(event?: HookEvent): Promise<void> | null
}

export interface Explained {
  matched: boolean
  /** A sentence for people. */
  because: string
  /** Set when it cannot be judged whether the hook matches: the hook fails. */
  unjudged?: Unjudged
}

export interface MatcherProblem {
  field: string
  message: string
}

export interface Matching {
  /** The matcher of a hook; its libraries are loaded by `load`, before the first event that needs them. */
  createMatcher(matcher: Matcher): CompiledMatcher
  /** Ready to use: everything that any event could need is loaded. Never throws: see `checkMatcher`. */
  compileMatcher(matcher: Matcher): Promise<CompiledMatcher>
  /** What is wrong with a matcher, by field; a hook with such a problem never matches. */
  checkMatcher(matcher: Matcher): Promise<MatcherProblem[]>
}

/** Matchers as described by a table of fields and the checks of these fields. */
export function matching(rows: MatcherRows, checks: Checks): Matching {
  const isNameField = (field: string) => rows[field]?.of === 'tool name'
  const ordered = Object.keys(checks)
  const fieldsOf = {
    names: ordered.filter(isNameField),
    others: ordered.filter((field) => !isNameField(field)),
  }

  /** Most hooks are ruled out by the tool's name, so the other conditions are compiled only when needed. */
  function createMatcher(matcher: Matcher): CompiledMatcher {
    const byName = conditions(matcher, fieldsOf.names)
    const hasRest = hasOthers(matcher)
    const names = byName.length === 0 ? null : lazy(() => nameCheck(byName))
    let rest: Rest | undefined
    let needsNothing = false
    const restOf = () => (rest ??= makeRest(matcher))
    const restCheck: Check = (event) => {
      try {
        const { quick, heavy } = restOf()
        return both(quick(event), () => judge(heavy, event))
      } catch (thrown) {
        return new Unjudged(`its matcher failed: ${messageOf(thrown)}`)
      }
    }
    return {
      tool: (given) => names === null || (given !== null && typeof judge(names, given) !== 'string'),
      names,
      rest: hasRest
        ? (event) => {
            const verdict = restCheck(event)
            return verdict instanceof Unjudged ? verdict : verdict === null
          }
        : null,
      explain(event) {
        const verdict = both(names && judge(names, toolNames(event)), () =>
          hasRest ? restCheck(event) : null,
        )
        if (verdict instanceof Unjudged)
          return { matched: false, because: verdict.because, unjudged: verdict }
        return { matched: verdict === null, because: verdict ?? 'every condition holds' }
      },
      load(event) {
        const tool = names && load(names)
        if (!hasRest || event === undefined || rest?.heavy.check) return tool
        if ((needsNothing ||= isAtOnce(matcher))) return tool
        const { quick, heavy } = restOf()
        if (event !== ANY_EVENT && isRuledOut(quick, event)) return tool
        const loading = load(heavy)
        return tool && loading ? Promise.all([tool, loading]).then(() => undefined) : (tool ?? loading)
      },
    }
  }

  function makeRest(matcher: Matcher): Rest {
    const byEvent = conditions(matcher, fieldsOf.others)
    const unknown = unknownFields(matcher).map((field) => new Unjudged(unknownWords(field)))
    const isHeavy = byEvent.some(({ check }) => (check as EventCheck).compile !== undefined)
    return {
      quick: every([quickCheck(byEvent, matcher), ...unknown.map((verdict) => () => verdict)]),
      heavy: lazy(() => (isHeavy ? eventCheck(byEvent, matcher) : holds)),
    }
  }

  /** Can its conditions be compiled without waiting, when its turn comes? */
  function isAtOnce(matcher: Matcher): boolean {
    for (const field in matcher) {
      const check = Object.hasOwn(checks, field) ? (checks[field] as EventCheck) : undefined
      if (!check) return false
      if (!isNameField(field) && check.compile && !check.isAtOnce?.(matcher)) return false
    }
    return true
  }

  /** Does it have conditions beside the tool's name, known or unknown ones? */
  function hasOthers(matcher: Matcher): boolean {
    for (const field in matcher)
      if ((matcher as Record<string, unknown>)[field] !== undefined && !fieldsOf.names.includes(field))
        return true
    return false
  }

  /** The given conditions, in the order of the checks. */
  function conditions(matcher: Matcher, fields: readonly string[] = ordered): Condition[] {
    const found: Condition[] = []
    // By index: an iterator makes an object for each field, and a new process does this for every hook.
    for (let i = 0; i < fields.length; i++) {
      const field = fields[i]!
      const value = (matcher as Record<string, unknown>)[field]
      if (value !== undefined) found.push({ field, value: value as never, check: checks[field]! })
    }
    return found
  }

  function unknownFields(matcher: Matcher): string[] {
    const unknown: string[] = []
    for (const field in matcher)
      if ((matcher as Record<string, unknown>)[field] !== undefined && !Object.hasOwn(checks, field))
        unknown.push(field)
    return unknown
  }

  /** Returns a promise only when a condition needs a library. */
  function eventCheck(given: readonly Condition[], matcher: Matcher): Later<Check> {
    const compiled: Later<Check>[] = []
    for (const { value, check } of given) {
      const { compile } = check as EventCheck
      if (compile) compiled.push(compile(value, matcher, nested))
    }
    return allReady(compiled)
  }

  async function nested(matcher: Matcher): Promise<Check> {
    const [problem] = await checkMatcher(matcher)
    if (problem) throw new Error(problem.message)
    const compiled = await compileMatcher(matcher)
    return (event) => {
      const { matched, because, unjudged } = compiled.explain(event)
      return matched ? null : (unjudged ?? because)
    }
  }

  async function compileMatcher(matcher: Matcher): Promise<CompiledMatcher> {
    const compiled = createMatcher(matcher)
    await compiled.load()
    await compiled.load(ANY_EVENT)
    return compiled
  }

  async function checkMatcher(matcher: Matcher, prefix = 'matcher'): Promise<MatcherProblem[]> {
    const problems = unknownFields(matcher).map((field) => ({
      field: `${prefix}.${field}`,
      message: unknownWords(field),
    }))
    for (const { field, value, check } of conditions(matcher)) {
      const at = `${prefix}.${field}`
      const { schema } = rows[field]!
      try {
        if (schema === NESTED) problems.push(...(await checkMatcher(value, at)))
        else if (schema === NESTED_LIST)
          for (const [index, choice] of (value as Matcher[]).entries())
            problems.push(...(await checkMatcher(choice, `${at}[${index}]`)))
        else if (isNameField(field)) await (check as NameCheck).compile(value)
        else {
          const { quick, compile } = check as EventCheck
          quick?.(value, matcher)
          await compile?.(value, matcher, nested)
        }
      } catch (thrown) {
        problems.push({ field: at, message: messageOf(thrown) })
      }
    }
    return problems
  }

  return { createMatcher, compileMatcher, checkMatcher: (matcher) => checkMatcher(matcher) }
}

export const { createMatcher, compileMatcher, checkMatcher } = matching(MATCHER_FIELDS, CHECKS)

interface Rest {
  quick: Check
  heavy: Lazy<HookEvent>
}

interface Condition {
  field: string
  value: never
  check: NameCheck | EventCheck
}

/** A hook with an unknown condition must not run as if it had none. */
function unknownWords(field: string): string {
  return `unknown condition \`${field}\`: this version of crosshook cannot judge it`
}

const holds = () => null
const ANY_EVENT = {} as HookEvent

type NamesCheck = (names: readonly string[] | null) => Verdict

/** A condition that does not hold counts before one that cannot be judged. */
function both(first: Verdict, second: () => Verdict): Verdict {
  if (typeof first === 'string') return first
  const then = second()
  return typeof then === 'string' ? then : (first ?? then)
}

function isRuledOut(quick: Check, event: HookEvent): boolean {
  try {
    return typeof quick(event) === 'string'
  } catch {
    return false // asked again when its turn comes, where it is reported
  }
}

/** Returns a promise only when a condition needs a library. */
function nameCheck(given: readonly Condition[]): NamesCheck | Promise<NamesCheck> {
  const compiled = given.map(({ value, check }) => {
    const { compile, wants } = check as NameCheck
    const test = compile(value)
    const judge =
      (ready: (name: string) => boolean): NamesCheck =>
      (names) =>
        judgeNames(names, wants(value), ready)
    return test instanceof Promise ? test.then(judge) : judge(test)
  })
  return allReady(compiled)
}

function allReady<Input>(
  checks: readonly Later<(input: Input) => Verdict>[],
): Later<(input: Input) => Verdict> {
  for (let i = 0; i < checks.length; i++)
    if (checks[i] instanceof Promise) return Promise.all(checks).then((ready) => every(ready))
  return every(checks as ((input: Input) => Verdict)[])
}

function quickCheck(given: readonly Condition[], matcher: Matcher): Check {
  const checks: Check[] = []
  for (const { value, check } of given) {
    const { quick } = check as EventCheck
    if (!quick) continue
    try {
      checks.push(quick(value, matcher))
    } catch (thrown) {
      const unjudged = new Unjudged(messageOf(thrown))
      checks.push(() => unjudged)
    }
  }
  return every(checks)
}
