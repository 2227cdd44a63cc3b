/**
 * Finds the hooks that apply to an event. Verdicts on tool names are cached; the other conditions are checked for each
 * event.
 */

import { messageOf } from '../spec/errors.ts'
import type { HookEvent } from '../spec/event.ts'
import type { Hook } from '../spec/hook.ts'
import { MATCHER_FIELDS, type Matcher, type MatcherRows, NESTED, NESTED_LIST } from '../spec/matcher.ts'
import {
  CHECKS,
  type Check,
  type Checks,
  type EventCheck,
  every,
  judgeNames,
  type Later,
  type NameCheck,
  toolNames,
  Unjudged,
  type Verdict,
} from './checks.ts'

export interface CompiledMatcher {
  /** Checks the tool's names (canonical first; null: the event has no tool). True when it cannot be judged. */
  tool(names: readonly string[] | null): boolean
  /** Why the names cannot be judged at the moment; undefined when they can. */
  unjudged(): Unjudged | undefined
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
      unjudged: () => names?.failed,
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
        if (!hasRest || event === undefined) return tool
        const { quick, heavy } = restOf()
        if (heavy.check) return tool
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

/** A check that may have to load a library first. */
interface Lazy<Input> {
  compile(): Later<(input: Input) => Verdict>
  check: ((input: Input) => Verdict) | undefined
  loading: Promise<void> | undefined
  /** Why compiling failed; tried again at the next event. */
  failed: Unjudged | undefined
}

/** Data and no functions: a new process makes one or two for every hook. */
function lazy<Input>(compile: () => Later<(input: Input) => Verdict>): Lazy<Input> {
  return { compile, check: undefined, loading: undefined, failed: undefined }
}

function load<Input>(given: Lazy<Input>): Promise<void> | null {
  if (given.check) return null
  if (given.loading) return given.loading
  const refuse = (thrown: unknown) => {
    given.failed = new Unjudged(`its matcher cannot be used: ${messageOf(thrown)}`)
    given.loading = undefined
  }
  try {
    const started = given.compile()
    if (started instanceof Promise)
      return (given.loading = started.then((check) => ready(given, check), refuse))
    ready(given, started)
  } catch (thrown) {
    refuse(thrown)
  }
  return null
}

function ready<Input>(given: Lazy<Input>, check: (input: Input) => Verdict): void {
  given.check = check
  given.failed = undefined
}

function judge<Input>(given: Lazy<Input>, input: Input): Verdict {
  if (!given.check && !given.failed) void load(given)
  // Not loaded yet: an earlier hook rewrote the input into another kind of call. The hook is not ruled out.
  return given.check ? given.check(input) : (given.failed ?? null)
}

export interface Index<Item> {
  /**
   * Hooks for this event and tool, in the given order, with `rest` loaded unless they are `unless_refused`.
   * Returns a promise only when a library has to be loaded: awaiting each time makes `fire` 1.3 × slower
   * (bench/in-process.ts).
   */
  candidates(event: HookEvent): readonly Item[] | Promise<readonly Item[]>
  /** Every hook of the event, whether it can match or not. */
  all(eventType: string): readonly Item[]
}

/** Most tool names per event for which the matching hooks are cached. */
const MAX_REMEMBERED = 500

interface Indexed<Item> {
  all: readonly Item[]
  byTool: Map<string, Selected<Item>>
}

interface Selected<Item> {
  items: readonly Item[]
  /** Hooks whose other conditions are checked whatever earlier hooks answer. */
  asks: readonly Item[]
}

/** Indexed by event and tool name, so that hooks that cannot match cost nothing. `hooksOf` is asked once for each event. */
export function createIndex<Item extends { hook: Hook; matcher: CompiledMatcher }>(
  hooksOf: (eventType: string) => readonly Item[],
): Index<Item> {
  const byEvent = new Map<string, Indexed<Item>>()
  const none: Selected<Item> = { items: [], asks: [] }

  function indexed(eventType: string): Indexed<Item> {
    let found = byEvent.get(eventType)
    if (!found) byEvent.set(eventType, (found = { all: hooksOf(eventType), byTool: new Map() }))
    return found
  }

  function selected(event: HookEvent): Selected<Item> | Promise<Selected<Item>> {
    const { all, byTool } = indexed(event.event_type)
    if (all.length === 0) return none
    // Plain strings as keys, because this runs at every event.
    const { tool_name: name, native_tool_name: native } = event
    const key = native === undefined ? String(name) : `${name}\0${native}`
    const found = byTool.get(key)
    if (found) return found
    const select = () => {
      const names = toolNames(event)
      const items = all.filter(({ matcher }) => matcher.tool(names))
      const asks = items.filter(({ hook, matcher }) => matcher.rest !== null && !hook.unless_refused)
      const selected = { items, asks }
      if (all.some(({ matcher }) => matcher.unjudged())) return selected
      if (byTool.size >= MAX_REMEMBERED) byTool.clear()
      byTool.set(key, selected)
      return selected
    }
    const waits = all.map(({ matcher }) => matcher.load()).filter((wait) => wait !== null)
    return waits.length === 0 ? select() : Promise.all(waits).then(select)
  }

  /** One after another: once the first has loaded a library, the others that need it have nothing to wait for. */
  function readyFor(
    event: HookEvent,
    selected: Selected<Item>,
    from = 0,
  ): readonly Item[] | Promise<readonly Item[]> {
    const { items, asks } = selected
    for (let i = from; i < asks.length; i++) {
      const wait = asks[i]!.matcher.load(event)
      if (wait) return wait.then(() => readyFor(event, selected, i + 1))
    }
    return items
  }

  return {
    all: (eventType) => indexed(eventType).all,
    candidates(event) {
      const found = selected(event)
      return found instanceof Promise ? found.then((ready) => readyFor(event, ready)) : readyFor(event, found)
    },
  }
}
