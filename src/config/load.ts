/** Finds and reads every hook of a project, a user and a machine. The result is cached until a file changes. */

import { within } from '../fast/within.ts'
import { VERSION } from '../version.ts'
import { isCacheable, isRacy, NEVER_CURRENT } from './fingerprint.ts'
import type { HookSet, LoadOptions } from './hook-set.ts'
import { type Paths, paths } from './paths.ts'
import { readPlan, writePlan } from './plan-cache.ts'
import { formatFiles, readAll, readSource } from './read-all.ts'
import { recall } from './recall.ts'
import { NO_SETTINGS } from './settings.ts'

export type { HookSet, LoadOptions }
export { formatFiles, readSource }

export async function loadHookSet(options: LoadOptions): Promise<HookSet> {
  const where = paths(options.env)
  const key = cacheKey(where, options)
  const place = { file: within(where.cache, `plans/${shortName(key)}.json`), key, stateDir: where.state }
  if (!options.fresh) {
    const cached = readPlan(place)
    if (cached) return cached
  }
  const now = Date.now()
  const found = await readAll(where, options)
  if (found.broken.length > 0 || found.problems.some(({ unread }) => unread))
    found.broken = recall(found, options.before ?? readPlan(place, 'any age'), where)
  for (const { file, unread } of found.problems) if (unread) found.inputs[file] = NEVER_CURRENT
  if (options.fresh || isRacy(found.inputs, now) || !isCacheable(found.inputs)) return found
  const unwritten = writePlan(place, found)
  if (unwritten) found.problems.push(unwritten)
  return found
}

/** Everything that a cached plan depends on. */
function cacheKey(where: Paths, options: LoadOptions): string {
  const { managedHooks, userHooks, settings, state, home } = where
  return JSON.stringify([
    VERSION,
    managedHooks,
    userHooks,
    settings,
    state,
    home,
    options.workDir,
    options.startDir ?? null,
    options.sources ?? null,
    options.managedOnly ?? false,
  ])
}

/** Short file name for a long key. Keys may collide, so the file also holds its key. */
function shortName(key: string): string {
  let a = 0x811c9dc5
  let b = 0x1b873593
  for (let i = 0; i < key.length; i++) {
    const code = key.charCodeAt(i)
    a = Math.imul(a ^ code, 0x01000193)
    b = Math.imul(b ^ code, 0x85ebca6b)
  }
  return (a >>> 0).toString(16).padStart(8, '0') + (b >>> 0).toString(16).padStart(8, '0')
}

export const EMPTY_SET: HookSet = {
  hooks: [],
  broken: [],
  problems: [],
  settings: NO_SETTINGS,
  inputs: {},
  projects: [],
}
