/** Hooks set through the API: checked as a whole, stored with every revision, undone by rolling back. */

import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { checkHooks } from '../config/check.ts'
import { makeFolder } from '../config/make-folder.ts'
import { loadDialect } from '../dialects/list.ts'
import { checkSettings, type Settings, write } from '../dialects/registry-settings.ts'
import { STORED_HOOKS } from '../dialects/registry-stored.ts'
import { writeDurably } from '../journal/write-durably.ts'
import { CrosshookError, messageOf } from '../spec/errors.ts'
import type { Problem } from '../spec/hook.ts'
import { readText } from '../spec/read-file.ts'
import type { Core } from './core.ts'
import { Refusal } from './problem.ts'
import { putAside } from './put-aside.ts'

export interface Revision {
  revision: number
  at_ms: number
  /** What was changed: `hooks`, or everything by a `rollback`. */
  setting: 'hooks' | 'rollback'
  /** `runtime_api_force` when the change bypassed the hooks. */
  source: 'runtime_api' | 'runtime_api_force'
  rollback_of_revision?: number
  settings: Settings
}

export interface Change {
  expectedRevision?: number | undefined
  skipHooks?: boolean | undefined
}

export interface HookSettings {
  readonly historyLimit: number
  readonly storePath: string
  /** Why the hooks of the file do not run, if it is unreadable. */
  readonly spoiled: string | undefined
  current(): Revision
  /** Newest first, the current one among them. */
  revisions(): Revision[]
  replace(value: unknown, change: Change): Promise<Revision>
  rollback(target: number | undefined, change: Change): Promise<Revision>
}

const MAX_REVISIONS = 100
const NONE: Revision = {
  revision: 0,
  at_ms: 0,
  setting: 'hooks',
  source: 'runtime_api',
  settings: { hooks: {} },
}

export function createHookSettings(core: Core): HookSettings {
  const { state } = core.runtime.paths
  const storePath = join(state, STORED_HOOKS.file)
  const folder = join(state, 'hook-settings')
  let last: Promise<unknown> = Promise.resolve()
  /** Runs one change at a time. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work, work)
    last = turn.catch(() => {})
    return turn
  }

  /** Newest first. */
  const all = () =>
    revisionFiles(folder)
      .map((name) => JSON.parse(readText(join(folder, name))) as Revision)
      .reverse()
  const current = (): Revision => {
    const stored = readStored(storePath)
    const known = all()
    if ('spoiled' in stored) return { ...NONE, revision: known[0]?.revision ?? 0 }
    const { revision, settings } = stored
    // The file counts: a person may have edited it by hand.
    return { ...NONE, ...known.find((each) => each.revision <= revision), revision, settings }
  }
  /** Leaves out revisions of a file that was since removed; a damaged file removes none. */
  const revisions = () => {
    const { revision } = current()
    return all().filter((each) => each.revision <= revision)
  }

  async function commit(
    next: Pick<Revision, 'setting' | 'settings' | 'rollback_of_revision'>,
    change: Change,
  ) {
    const before = current()
    const { expectedRevision, skipHooks } = change
    if (expectedRevision !== undefined && expectedRevision !== before.revision)
      throw conflict(expectedRevision, before.revision)
    await validate(next.settings, storePath, core)
    if (!skipHooks) await askHooks(core, next.setting, before.settings, next.settings)
    const revision: Revision = {
      revision: before.revision + 1,
      at_ms: Date.now(),
      source: skipHooks ? 'runtime_api_force' : 'runtime_api',
      ...next,
    }
    const stored = readStored(storePath)
    try {
      if ('spoiled' in stored) core.log.warn(`${stored.spoiled} It was renamed to ${putAside(storePath)}.`)
      makeFolder(folder)
      writeDurably(join(folder, fileName(revision.revision)), `${JSON.stringify(revision)}\n`)
      // From here on the change is in effect: hooks are read from this file.
      writeDurably(storePath, envelope(revision))
    } catch (error) {
      throw notKept(state, error)
    }
    try {
      sweep(folder, revision.revision)
    } catch (error) {
      core.log.warn(`old revisions of hook settings could not be removed: ${messageOf(error)}`)
    }
    core.log.info(`hook settings: revision ${revision.revision}`, { setting: revision.setting })
    return revision
  }

  return {
    historyLimit: MAX_REVISIONS,
    storePath,
    get spoiled() {
      const stored = readStored(storePath)
      return 'spoiled' in stored ? stored.spoiled : undefined
    },
    current,
    revisions,
    replace: (value, change) =>
      inTurn(async () => {
        const { settings, issues } = checkSettings(value)
        if (!settings) throw invalid(issues.filter(({ level }) => level === 'error'))
        return commit({ setting: 'hooks', settings }, change)
      }),
    rollback: (target, change) =>
      inTurn(async () => {
        const known = revisions()
        // A damaged file is not a revision, so the newest revision is the one to go back to.
        const older = 'spoiled' in readStored(storePath) ? known : known.slice(1)
        const wanted = target ?? older[0]?.revision ?? (known.length > 0 ? 0 : undefined)
        const found = wanted === 0 ? NONE : older.find(({ revision }) => revision === wanted)
        if (!found) throw unknownRevision(wanted)
        return commit(
          { setting: 'rollback', settings: found.settings, rollback_of_revision: found.revision },
          change,
        )
      }),
  }
}

type Stored = { revision: number; settings: Settings } | { spoiled: string }

/** Revision 0 means never set. An unreadable file is different: it had hooks. */
function readStored(storePath: string): Stored {
  let text: string
  try {
    text = readText(storePath)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { revision: 0, settings: NONE.settings }
    return spoiled(storePath, messageOf(error))
  }
  try {
    const value = JSON.parse(text) as { revision?: unknown }
    const { settings, issues } = checkSettings(value)
    if (!settings) return spoiled(storePath, issues[0]?.message ?? 'it holds no hook settings')
    return { revision: typeof value.revision === 'number' ? value.revision : 0, settings }
  } catch (error) {
    return spoiled(storePath, messageOf(error))
  }
}

function spoiled(storePath: string, why: string): Stored {
  return {
    spoiled: `${storePath} cannot be used, so that none of its hooks runs: ${why.replace(/\.?$/, '.')}`,
  }
}

function envelope({ settings, revision }: Revision): string {
  return `${JSON.stringify({ ...(JSON.parse(write(settings)) as object), revision }, null, 2)}\n`
}

function fileName(revision: number): string {
  return `${String(revision).padStart(9, '0')}.json`
}

/** Removes revisions beyond the limit, and those of a file that was since removed. */
function sweep(folder: string, current: number): void {
  const files = revisionFiles(folder)
  const later = files.filter((name) => name > fileName(current))
  const kept = files.length - later.length
  for (const name of [...files.slice(0, Math.max(0, kept - MAX_REVISIONS - 1)), ...later])
    rmSync(join(folder, name))
}

/** Oldest first. */
function revisionFiles(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => /^\d{9}\.json$/.test(name))
      .sort()
  } catch {
    return [] // nothing was ever set
  }
}

async function validate(settings: Settings, path: string, core: Core): Promise<void> {
  const dialect = await loadDialect(STORED_HOOKS.format)
  const loaded = await dialect.format!.read({ path, text: write(settings), scope: 'user' })
  const { settings: own } = await core.runtime.hookSet(core.runtime.paths.home)
  const { problems } = await checkHooks(loaded, dialect, own.allowed_hosts)
  const errors = problems.filter(({ level }) => level === 'error')
  if (errors.length > 0) throw invalid(errors)
}

async function askHooks(core: Core, setting: string, previous: Settings, current: Settings): Promise<void> {
  const result = await core.fire('config_change', {
    source: 'runtime_api',
    setting,
    previous,
    current,
    work_dir: core.runtime.paths.home,
  })
  if (result.decision !== 'deny') return
  throw new Refusal({
    status: 409,
    domain: 'runtime',
    code: 'runtime_change_blocked',
    detail: `config change blocked by hook: ${setting}: ${result.reason ?? 'no reason given'}`,
    fix: 'Fix what the hook complains about; skip_hooks: true skips the hook.',
  })
}

function invalid(
  found: readonly (Pick<Problem, 'message' | 'fix'> & { path?: unknown; field?: unknown })[],
): Refusal {
  const problems = found.map(({ message, fix, path, field }) => ({
    field: field ?? path ?? null,
    message,
    fix,
  }))
  return new Refusal({
    status: 400,
    domain: 'runtime',
    code: 'invalid_hook_settings',
    detail: found[0]?.message ?? 'the settings are not valid',
    ...(found[0] ? { fix: found[0].fix } : {}),
    problems,
  })
}

function notKept(state: string, cause: unknown): CrosshookError {
  const detail = `The hook settings could not be kept in ${state}: ${messageOf(cause)}. Nothing was changed.`
  return new CrosshookError('store', detail, {
    fix: 'Make room on the disk of the state folder, or let the daemon write there; then try again.',
    cause,
  })
}

function conflict(expected: number, current: number): Refusal {
  return new Refusal({
    status: 409,
    domain: 'runtime',
    code: 'runtime_revision_conflict',
    detail: `The current revision is ${current}, not ${expected}.`,
    fix: 'Read the settings again and repeat the change on them.',
  })
}

function unknownRevision(revision: number | undefined): Refusal {
  return new Refusal({
    status: 404,
    domain: 'runtime',
    code: 'runtime_revision_not_found',
    detail:
      revision === undefined
        ? 'There is nothing to go back to.'
        : `There is no revision ${revision} to go back to.`,
    fix: 'GET /v1/runtime/revisions lists them.',
  })
}
