/** Conditions on what a call does. One single act must satisfy all of them. */

import { environmentOf } from '../fast/event-environment.ts'
import { type Act, matchesOne } from '../spec/act.ts'
import type { HookEvent } from '../spec/event.ts'
import type { Matcher } from '../spec/matcher.ts'
import { isPathOfAct } from './checks.ts'
import { compileGlob, compilePathGlob, type Glob, isPlainPathGlob, type PathGlob } from './glob.ts'
import { unreadCall } from './unread.ts'
import { type Check, type Later, Unjudged } from './verdict.ts'

/** The first of these fields that is given carries the check for all of them. */
const FIELDS = ['does', 'place', 'host', 'program', 'certain'] as const

export function asksForActs(matcher: Matcher): boolean {
  return FIELDS.some((field) => matcher[field] !== undefined)
}

export type ActField = (typeof FIELDS)[number]

/** Returns a promise only when a library has to be loaded. */
export function compileActs(field: ActField, matcher: Matcher): Later<Check> {
  if (FIELDS.find((each) => matcher[each] !== undefined) !== field) return holds
  const { path } = matcher
  const glob = path !== undefined && isPathOfAct(matcher) ? compilePathGlob(path) : undefined
  if (actsOf && !(glob instanceof Promise)) return actCheck(matcher, glob, actsOf)
  return Promise.all([glob, loadActsOf()]).then(([ready, acts]) => actCheck(matcher, ready, acts))
}

/** No library has to be loaded for these conditions any more. */
export function compilesAtOnce({ path }: Matcher): boolean {
  return actsOf !== undefined && (path === undefined || isPlainPathGlob(path))
}

const holds = () => null

function actCheck(matcher: Matcher, glob: PathGlob | undefined, acts: ActsOfEvent): Check {
  const tests: ((act: Act, event: HookEvent) => boolean)[] = []
  const { does, place, host, program, certain } = matcher
  if (does) tests.push((act) => does.includes(act.does))
  if (place) tests.push((act) => matchesOne(place, (each) => act.places?.includes(each as never) ?? false))
  if (host) tests.push(named(host, (act) => act.host))
  if (program) {
    const test = named(program, (act) => act.program)
    // With only exclusions (`!name`), a tool that starts no program matches.
    const isOther = program.every((pattern) => pattern.startsWith('!'))
    tests.push((act) => (act.program === undefined ? isOther : test(act)))
  }
  if (certain !== undefined) tests.push((act) => act.certain === certain)
  if (glob)
    tests.push(
      (act, event) =>
        act.path !== undefined &&
        [act.path, act.spelled].some(
          (each) => each !== undefined && glob(each, event.work_dir ?? '', environmentOf(event)?.HOME),
        ),
    )
  const keys = mayWantKeys(matcher)
  return (event) => {
    const found = acts(event, keys)
    if (found.some((act) => tests.every((test) => test(act, event)))) return null
    const cut = found.find((act) => act.incomplete)
    if (cut) return new Unjudged(`${TOO_MUCH} (${cut.why})`, true)
    const unread = unreadCall(event)
    if (unread !== undefined) return new Unjudged(unread)
    return found.length === 0
      ? 'no known act was found in the call'
      : `no act of the call is what the hook wants (it does: ${wordsOf(found)})`
  }
}

/** Cached, because many hooks ask about the same call. */
function wordsOf(found: readonly Act[]): string {
  if (last?.found !== found) last = { found, words: [...new Set(found.map((act) => act.does))].join(', ') }
  return last.words
}

let last: { found: readonly Act[]; words: string } | undefined

const TOO_MUCH =
  'the call is too long or too deep to be followed to its end: do it in smaller calls, or write long texts to a file first'

/** Searching a call's text for keys reads all of it, so it is done only for matchers that can need it. */
function mayWantKeys({ does, place, path, host, program }: Matcher): boolean {
  if (path !== undefined || host !== undefined || program !== undefined) return false
  const wants = (given: readonly string[] | undefined, word: string) =>
    given === undefined || matchesOne(given, (each) => each === word)
  return wants(does, 'reveal_secret') && wants(place, 'text')
}

function named(patterns: readonly string[], of: (act: Act) => string | undefined): (act: Act) => boolean {
  /** Made for the first act that has such a name: most calls have none. */
  let globs: Map<string, Glob> | undefined
  return (act) => {
    const name = of(act)?.toLowerCase()
    if (name === undefined) return false
    const known = (globs ??= globsOf(patterns))
    return matchesOne(patterns, (pattern) => known.get(pattern)!(name))
  }
}

function globsOf(patterns: readonly string[]): Map<string, Glob> {
  const globs = new Map<string, Glob>()
  for (const pattern of patterns) {
    const bare = pattern.startsWith('!') ? pattern.slice(1) : pattern
    globs.set(bare, compileGlob(bare.toLowerCase()))
  }
  return globs
}

type ActsOfEvent = (event: HookEvent, withKeys?: boolean) => Act[]

let loading: Promise<ActsOfEvent> | undefined
/** Once it is loaded. */
let actsOf: ActsOfEvent | undefined

/** The acts of an event; computed once for all hooks that ask. */
export function loadActsOf(): Promise<ActsOfEvent> {
  loading ??= load().catch((thrown) => {
    // The next call tries the import again.
    loading = undefined
    throw thrown
  })
  return loading
}

async function load(): Promise<ActsOfEvent> {
  // One import instead of several: each costs a new process milliseconds.
  const { loadFollowed, withKeysInText } = await import('../acts/acts.ts')
  const follow = loadFollowed()
  const known = { acts: new WeakMap<object, Act[]>(), all: new WeakMap<object, Act[]>() }
  actsOf = (event, withKeys = true) => {
    const input = event.tool_input
    if (typeof input !== 'object' || input === null) return NO_ACTS
    const call = () => ({
      tool_name: typeof event.tool_name === 'string' ? event.tool_name : '',
      tool_input: input as Record<string, unknown>,
      work_dir: event.work_dir ?? '',
      env: environmentOf(event) ?? {},
    })
    const acts = remembered(known.acts, input, () => follow(call()))
    return withKeys ? remembered(known.all, input, () => withKeysInText(call(), acts)) : acts
  }
  return actsOf
}

function remembered(known: WeakMap<object, Act[]>, input: object, make: () => Act[]): Act[] {
  let found = known.get(input)
  if (!found) known.set(input, (found = make()))
  return found
}

const NO_ACTS: Act[] = []
