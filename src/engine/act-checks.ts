/** Conditions on what a call does: one and the same act must satisfy all of them. */

import { type Act, matchesOne } from '../spec/act.ts'
import { environmentOf } from '../spec/environment.ts'
import type { HookEvent } from '../spec/event.ts'
import type { Matcher } from '../spec/matcher.ts'
import type { Check } from './checks.ts'
import { compileGlob, compilePathGlob } from './glob.ts'

/** In this order, the first that is given carries the check of all. */
const FIELDS = ['does', 'place', 'host', 'program', 'certain'] as const

export function asksForActs(matcher: Matcher): boolean {
  return FIELDS.some((field) => matcher[field] !== undefined)
}

/** `path` belongs to the act where `does` is given; without it, it is about the paths that the tool names. */
export function isPathOfAct(matcher: Matcher): boolean {
  return matcher.does !== undefined
}

export async function compileActs(field: (typeof FIELDS)[number], matcher: Matcher): Promise<Check> {
  if (FIELDS.find((each) => matcher[each] !== undefined) !== field) return () => null
  const tests: ((act: Act, event: HookEvent) => boolean)[] = []
  const { does, place, host, program, certain, path } = matcher
  if (does) tests.push((act) => does.includes(act.does))
  if (place) tests.push((act) => matchesOne(place, (each) => act.places?.includes(each as never) ?? false))
  if (host) tests.push(named(host, (act) => act.host))
  if (program) tests.push(named(program, (act) => act.program))
  if (certain !== undefined) tests.push((act) => act.certain === certain)
  if (path !== undefined && isPathOfAct(matcher)) {
    const glob = await compilePathGlob(path)
    tests.push(
      (act, { work_dir: folder }) =>
        act.path !== undefined &&
        (glob(act.path, folder ?? '') || (act.spelled !== undefined && glob(act.spelled, folder ?? ''))),
    )
  }
  const actsOf = await loadActsOf()
  return (event) => {
    const found = actsOf(event)
    return found.some((act) => tests.every((test) => test(act, event)))
      ? null
      : found.length === 0
        ? 'the call does nothing that is known'
        : `no act of the call is what the hook wants (it does: ${[...new Set(found.map((act) => act.does))].join(', ')})`
  }
}

function named(patterns: readonly string[], of: (act: Act) => string | undefined): (act: Act) => boolean {
  const globs = new Map(
    patterns.map((pattern) => [
      pattern.replace(/^!/, ''),
      compileGlob(pattern.replace(/^!/, '').toLowerCase()),
    ]),
  )
  return (act) => {
    const name = of(act)?.toLowerCase()
    return name !== undefined && matchesOne(patterns, (pattern) => globs.get(pattern)!(name))
  }
}

let loading: Promise<(event: HookEvent) => Act[]> | undefined

/** The acts of an event; computed once for all hooks that ask. */
export function loadActsOf(): Promise<(event: HookEvent) => Act[]> {
  loading ??= load().catch((thrown) => {
    // An import that failed once may work the next time.
    loading = undefined
    throw thrown
  })
  return loading
}

async function load(): Promise<(event: HookEvent) => Act[]> {
  const { loadActs } = await import('../acts/acts.ts')
  const actsOf = loadActs()
  const known = new WeakMap<object, Act[]>()
  return (event) => {
    const input = event.tool_input
    if (typeof input !== 'object' || input === null) return NO_ACTS
    let acts = known.get(input)
    if (!acts) {
      const call = {
        tool_name: typeof event.tool_name === 'string' ? event.tool_name : '',
        tool_input: input as Record<string, unknown>,
        work_dir: event.work_dir ?? '',
        env: environmentOf(event) ?? {},
      }
      acts = actsOf(call)
      known.set(input, acts)
    }
    return acts
  }
}

const NO_ACTS: Act[] = []
