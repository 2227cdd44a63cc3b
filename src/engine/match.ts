/** Which hooks apply to an event. Names of tools are judged once and remembered; the rest is asked each time. */

import { messageOf } from '../spec/errors.ts'
import type { HookEvent } from '../spec/event.ts'
import type { Hook, Matcher } from '../spec/hook.ts'
import { type Check, every, HEAVY, quickCheck, toolCheck, toolNames } from './checks.ts'

export interface CompiledMatcher {
  /** The part that depends on the tool's names alone (canonical first; null: the event has no tool). */
  tool(names: readonly string[] | null): boolean
  /** The other conditions; null when there are none. */
  readonly rest: ((event: HookEvent) => boolean) | null
  explain(event: HookEvent): Explained
  /** Loads the libraries that `tool` needs, and for an event those of `rest`; null when there is nothing to wait for. */
  load(event?: HookEvent): Promise<void> | null
}

export interface Explained {
  matched: boolean
  /** A sentence for people. */
  because: string
}

/** Ready to use: everything that any event could need is loaded. Never throws: see `checkMatcher`. */
export async function compileMatcher(matcher: Matcher): Promise<CompiledMatcher> {
  const compiled = createMatcher(matcher)
  await compiled.load()
  await compiled.load(ANY_EVENT)
  return compiled
}

/** What is wrong with a matcher's texts, by field; a hook with such a problem never matches. */
export async function checkMatcher(
  matcher: Matcher,
  prefix = 'matcher',
): Promise<{ field: string; message: string }[]> {
  const problems: { field: string; message: string }[] = []
  const note = (field: string) => (thrown: unknown) => {
    problems.push({ field: `${prefix}.${field}`, message: messageOf(thrown) })
  }
  await Promise.resolve(toolCheck(matcher)).catch(note('tool'))
  for (const field of Object.keys(HEAVY) as (keyof Matcher)[])
    await compileField(matcher, field).catch(note(field))
  for (const [at, choice] of (matcher.any ?? []).entries())
    problems.push(...(await checkMatcher(choice, `${prefix}.any[${at}]`)))
  if (matcher.not) problems.push(...(await checkMatcher(matcher.not, `${prefix}.not`)))
  return problems
}

/** The matcher of a hook; its libraries are loaded by `load`, before the first event that needs them. */
export function createMatcher(matcher: Matcher): CompiledMatcher {
  const names = lazy(() => toolCheck(matcher) ?? holds)
  const hasTool = TOOL_FIELDS.some((field) => matcher[field] !== undefined)
  const hasRest = Object.entries(matcher).some(([field, value]) => value !== undefined && !isToolField(field))
  const quick = quickCheck(matcher)
  const isHeavy = hasRest && HEAVY_FIELDS.some((field) => matcher[field] !== undefined)
  const heavy = lazy(() => (isHeavy ? heavyCheck(matcher) : holds))
  const restCheck: Check = (event) => quick(event) ?? heavy.get(event)
  return {
    tool: (given) => !hasTool || names.get(given) === null,
    rest: hasRest ? (event) => restCheck(event) === null : null,
    explain(event) {
      const because = (hasTool ? names.get(toolNames(event)) : null) ?? (hasRest ? restCheck(event) : null)
      return { matched: because === null, because: because ?? 'every condition holds' }
    },
    load(event) {
      const tool = hasTool ? names.load() : null
      if (event === undefined || heavy.isReady() || (event !== ANY_EVENT && quick(event) !== null))
        return tool
      const rest = heavy.load()
      return tool && rest ? Promise.all([tool, rest]).then(() => undefined) : (tool ?? rest)
    },
  }
}

const TOOL_FIELDS = ['tool', 'tool_names', 'tool_globs'] as const
const HEAVY_FIELDS = [...Object.keys(HEAVY), 'any', 'not'] as (keyof Matcher)[]
const isToolField = (field: string) => (TOOL_FIELDS as readonly string[]).includes(field)
const holds = () => null
const ANY_EVENT = {} as HookEvent

async function heavyCheck(matcher: Matcher): Promise<Check> {
  const checks: Check[] = []
  for (const field of Object.keys(HEAVY) as (keyof Matcher)[]) {
    const check = await compileField(matcher, field)
    if (check) checks.push(check)
  }
  if (matcher.any) {
    const choices = await Promise.all(matcher.any.map(compileMatcher))
    checks.push((event) => {
      const explained = choices.map((choice) => choice.explain(event))
      if (explained.some(({ matched }) => matched)) return null
      return `none of its alternatives holds (${explained.map(({ because }) => because).join('; ')})`
    })
  }
  if (matcher.not) {
    const excluded = await compileMatcher(matcher.not)
    checks.push((event) => (excluded.explain(event).matched ? 'what the hook excludes holds' : null))
  }
  return every(checks)
}

async function compileField<Field extends keyof Matcher>(
  matcher: Matcher,
  field: Field,
): Promise<Check | null> {
  const value = matcher[field]
  const compile = HEAVY[field]
  return value === undefined || !compile ? null : compile(value)
}

interface Lazy<Input> {
  isReady(): boolean
  load(): Promise<void> | null
  get(input: Input): string | null
}

/** A check that may have to wait for a library. What does not compile never holds, and says why. */
function lazy<Input>(
  compile: () => ((input: Input) => string | null) | Promise<(input: Input) => string | null>,
): Lazy<Input> {
  let check: ((input: Input) => string | null) | undefined
  let loading: Promise<void> | undefined
  function load(): Promise<void> | null {
    if (check) return null
    if (loading) return loading
    const started = compile()
    if (!(started instanceof Promise)) {
      check = started
      return null
    }
    loading = started.then(
      (ready) => {
        check = ready
      },
      (thrown: unknown) => {
        const because = messageOf(thrown)
        check = () => because
      },
    )
    return loading
  }
  return {
    isReady: () => check !== undefined,
    load,
    get(input) {
      if (!check) load()
      // Still waiting only if an earlier hook rewrote the input into another kind of call: not ruled out.
      return check ? check(input) : null
    },
  }
}

export interface Index<Item> {
  /** Hooks for this event and tool, in the order given; their `rest` is ready to be asked. */
  candidates(event: HookEvent): Item[] | Promise<Item[]>
}

const MOST_REMEMBERED = 500

interface Selected<Item> {
  items: Item[]
  /** Those whose other conditions must be asked. */
  asks: Item[]
}

/** By event and tool name, so that hooks which cannot match cost nothing. */
export function createIndex<Item extends { hook: Hook; matcher: CompiledMatcher }>(
  items: readonly Item[],
): Index<Item> {
  const byEvent = new Map<string, Item[]>()
  for (const item of items)
    for (const event of new Set(item.hook.events)) {
      const list = byEvent.get(event)
      if (list) list.push(item)
      else byEvent.set(event, [item])
    }
  const remembered = new Map<string, Map<string, Selected<Item>>>()
  const none: Item[] = []

  function byTool(event: HookEvent, list: Item[]): Selected<Item> | Promise<Selected<Item>> {
    // Plain strings as keys, since this is asked at every event.
    const { tool_name: name, native_tool_name: native } = event
    const key = native === undefined ? String(name) : `${name}\0${native}`
    let known = remembered.get(event.event_type)
    if (!known) remembered.set(event.event_type, (known = new Map()))
    const found = known.get(key)
    if (found) return found
    const select = () => {
      const names = toolNames(event)
      const items = list.filter(({ matcher }) => matcher.tool(names))
      const selected = { items, asks: items.filter(({ matcher }) => matcher.rest !== null) }
      if (known.size >= MOST_REMEMBERED) known.clear()
      known.set(key, selected)
      return selected
    }
    const waits = list.map(({ matcher }) => matcher.load()).filter((wait) => wait !== null)
    return waits.length === 0 ? select() : Promise.all(waits).then(select)
  }

  function readyFor(event: HookEvent, { items, asks }: Selected<Item>): Item[] | Promise<Item[]> {
    if (asks.length === 0) return items
    const waits = asks.map(({ matcher }) => matcher.load(event)).filter((wait) => wait !== null)
    return waits.length === 0 ? items : Promise.all(waits).then(() => items)
  }

  return {
    candidates(event) {
      const list = byEvent.get(event.event_type)
      if (!list) return none
      const selected = byTool(event, list)
      return selected instanceof Promise
        ? selected.then((ready) => readyFor(event, ready))
        : readyFor(event, selected)
    },
  }
}
