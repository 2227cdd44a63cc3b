/** Every hook that was found, with why it does not run if so: for `list` and `explain`. */

import { basename, dirname, join } from 'node:path'
import { replacedBy } from '../config/layers.ts'
import type { HookSet } from '../config/load.ts'
import { settingsFiles } from '../config/paths.ts'
import type { TrustState } from '../config/trust.ts'
import { rightsWords } from '../executors/confine/rights-words.ts'
import type { Hook, Problem } from '../spec/hook.ts'
import type { SkipReason } from '../spec/outcome.ts'
import type { Assembly } from './assemble.ts'

export interface HookRow {
  hook: Hook
  /** Null: hooks of this scope need no trust. */
  trust: TrustState | null
  /** Why it never runs at present; null when it does. */
  barred: SkipReason | null
  problems: Problem[]
  /** The person's hooks that it replaces once it is trusted. */
  replaces: Hook[]
}

export interface Found {
  rows: HookRow[]
  /** Hooks that did not load. */
  broken: Broken[]
  /** Problems of the settings, and warnings about files that hold no hook. */
  other: Problem[]
}

export interface Broken {
  name: string
  file: string
  problems: Problem[]
}

export async function findHooks(runtime: Assembly, set: HookSet, workDir: string): Promise<Found> {
  const active = await runtime.active(workDir)
  const gates = new Map(
    [...new Set(set.hooks.flatMap((hook) => hook.events))].flatMap((event) =>
      active.all(event).map(({ hook, gate }) => [hook, gate]),
    ),
  )
  const used = new Set<Problem>()
  const rows = set.hooks.map((hook): HookRow => {
    const problems = set.problems.filter((problem) => concerns(problem, hook, set.hooks))
    for (const problem of problems) used.add(problem)
    const trust = hook.scope === 'project' ? runtime.trust.state(hook) : null
    const replaces = hook.scope === 'project' ? replacedBy(hook, set.hooks) : []
    return { hook, trust, barred: gates.get(hook)?.() ?? null, problems, replaces }
  })
  const rest = set.problems.filter((problem) => !used.has(problem))
  const settings = settingsFiles(runtime.paths)
  const spoiled = new Set(
    rest.filter((problem) => problem.level === 'error' && !settings.includes(problem.file)).map(key),
  )
  const groups = Map.groupBy(
    rest.filter((problem) => spoiled.has(key(problem))),
    key,
  )
  const broken = [...groups.values()].map((problems): Broken => {
    const { file, hook } = problems[0]!
    // The name in the file, or its path.
    return { name: hook ?? join(basename(dirname(file)), basename(file)), file, problems }
  })
  return { rows, broken, other: rest.filter((problem) => !spoiled.has(key(problem))) }
}

function key({ file, hook }: Problem): string {
  return `${file}\0${hook ?? ''}`
}

function concerns(problem: Problem, hook: Hook, hooks: readonly Hook[]): boolean {
  if (problem.file !== hook.origin.file) return false
  if (problem.hook !== undefined) return problem.hook === hook.name
  return hooks.filter((other) => other.origin.file === problem.file).length === 1
}

/** A row as JSON, for `list --json` and the API. */
export function rowJson({ hook, trust, barred, problems, replaces }: HookRow) {
  return {
    name: hook.name,
    description: hook.description ?? null,
    format: hook.format,
    scope: hook.scope,
    event: hook.events[0] ?? null,
    events: hook.events,
    matcher: hook.matcher,
    trust,
    loads: true,
    barred,
    ...(replaces.length > 0 ? { replaces: replaces.map(({ origin }) => origin.file) } : {}),
    run: hook.run.type,
    may: rightsWords(hook) ?? null,
    sandbox: hook.sandbox ?? false,
    mode: hook.mode,
    shadow: hook.shadow === true,
    order: hook.order,
    timeout: hook.timeout,
    file: hook.origin.file,
    problems,
  }
}

export function brokenJson({ name, file, problems }: Broken) {
  return { name, loads: false, trust: null, file, problems }
}
