/** Every hook of this person and of the projects that agents have worked in, each once, with its state. */

import { basename, dirname } from 'node:path'
import { sha256Hex } from '../../fast/digest.ts'
import { deadLetters } from '../../journal/dead-letters.ts'
import { readLock } from '../../packs/lock-file.ts'
import { CrosshookError } from '../../spec/errors.ts'
import type { Hook } from '../../spec/hook.ts'
import { matcherWords } from '../../spec/matcher.ts'
import type { Assembly } from '../assemble.ts'
import { type Broken, brokenJson, findHooks, type HookRow, rowJson } from '../hook-rows.ts'
import { runWords } from '../run-words.ts'
import { knownProjects } from './known-projects.ts'

export interface FoundHook {
  id: string
  row: HookRow
  /** Where it applies; null: everywhere. */
  workDir: string | null
}

export interface FoundHooks {
  hooks: FoundHook[]
  broken: (Broken & { workDir: string | null })[]
  problems: { level: string; file: string; message: string; fix: string }[]
  projects: { work_dir: string; events: number }[]
}

export async function allHooks(runtime: Assembly, more: readonly string[] = []): Promise<FoundHooks> {
  const projects = knownProjects(runtime.journal())
  const folders = [runtime.paths.home, ...new Set([...more, ...projects.map(({ work_dir }) => work_dir)])]
  const hooks = new Map<string, FoundHook>()
  const broken = new Map<string, Broken & { workDir: string | null }>()
  const problems = new Map<string, FoundHooks['problems'][number]>()
  for (const folder of folders) {
    const found = await findHooks(runtime, await runtime.hookSet(folder), folder)
    const isHome = folder === runtime.paths.home
    for (const row of found.rows) {
      const id = hookId(row.hook)
      const workDir = row.hook.scope === 'project' && !isHome ? folder : null
      // A user's hook may be overridden in one project only: show the state at home.
      if (!hooks.has(id)) hooks.set(id, { id, row, workDir })
    }
    for (const each of found.broken)
      if (!broken.has(`${each.file}\0${each.name}`))
        broken.set(`${each.file}\0${each.name}`, { ...each, workDir: isHome ? null : folder })
    for (const { level, file, message, fix } of found.other)
      problems.set(`${file}\0${message}`, { level, file, message, fix })
  }
  return {
    hooks: [...hooks.values()],
    broken: [...broken.values()],
    problems: [...problems.values()],
    projects,
  }
}

export async function hookOf(runtime: Assembly, id: string): Promise<FoundHook & { all: readonly Hook[] }> {
  const { hooks } = await allHooks(runtime)
  const found = hooks.find((each) => each.id === id)
  if (!found)
    throw new CrosshookError('unknown_hook', 'There is no such hook any more.', {
      fix: 'GET /v1/hooks lists those that there are.',
    })
  return { ...found, all: (await runtime.hookSet(found.workDir ?? runtime.paths.home)).hooks }
}

export async function hooksJson(runtime: Assembly) {
  const { hooks, broken, problems, projects } = await allHooks(runtime)
  const failures = unresolvedByHook(runtime.paths.state)
  return {
    hooks: hooks.map(({ id, row, workDir }) => ({
      id,
      ...rowJson(row),
      work_dir: workDir,
      runs: runWords(row.hook),
      matches: matcherWords(row.hook.matcher),
      on_failure: row.hook.on_failure,
      off_in_file: row.hook.disabled === true,
      failures: failures.get(row.hook.name) ?? 0,
      ...originOf(row.hook),
    })),
    broken: broken.map((each) => ({ ...brokenJson(each), work_dir: each.workDir })),
    problems,
    projects,
  }
}

/** Source and signer according to the lock file beside it; null when it was not added from a source. */
function originOf({ origin }: Hook): { source: string | null; signer: string | null } {
  const none = { source: null, signer: null }
  if (origin.dir === undefined) return none
  try {
    const { hooks, packs } = readLock(dirname(origin.dir))
    const locked = hooks[basename(origin.dir)]
    if (!locked) return none
    const signer = locked.pack === undefined ? undefined : packs[locked.pack]?.signer
    return { source: locked.source, signer: signer ?? null }
  } catch {
    return none // doctor reports a damaged lock file
  }
}

function unresolvedByHook(state: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { hook_name, resolved_at } of deadLetters(state).list())
    if (resolved_at === undefined) counts.set(hook_name, (counts.get(hook_name) ?? 0) + 1)
  return counts
}

function hookId({ origin, name, format, events }: Hook): string {
  return sha256Hex([origin.file, name, format, events.join(' '), origin.line ?? ''].join('\0')).slice(0, 16)
}
