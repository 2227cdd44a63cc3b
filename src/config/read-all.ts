/** Reads every hook of a project, a user and a machine from the files themselves: what the plans of load.ts are made of. */

import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { DIALECTS, FOLDER_FORMAT, loadDialect } from '../dialects/list.ts'
import { STORED_HOOKS } from '../dialects/registry-stored.ts'
import { CrosshookError, isSystemError, messageOf } from '../spec/errors.ts'
import type { Hook, Problem, Scope } from '../spec/hook.ts'
import { type Fingerprints, fingerprint, NEVER_CURRENT, PRESENT } from './fingerprint.ts'
import type { HookSet, LoadOptions } from './hook-set.ts'
import { firstUnsafeAround, unsafeHook } from './ownership.ts'
import { type Paths, projectHooks, settingsFiles } from './paths.ts'
import { foldersOfProject } from './project.ts'
import { hidden } from './recall.ts'
import { readSettings, type SourceSetting } from './settings.ts'
import { readSource, SETTINGS_FILE } from './source.ts'
import { isThere } from './there.ts'

export { readSource }

export async function readAll(where: Paths, options: LoadOptions): Promise<HookSet> {
  const hooks: Hook[] = []
  const broken: Hook[] = []
  const problems: Problem[] = []
  const inputs: Fingerprints = {}
  const isEnrolled = isThere(where.fleet.folder)
  inputs[where.fleet.folder] = isEnrolled ? PRESENT : '-'
  const files = isEnrolled ? settingsFiles(where) : [where.settings, where.managedSettings]
  for (const file of files) inputs[file] = fingerprint(file)
  const { settings, problems: bad, lost } = await readSettings(files, where.home)
  problems.push(...bad)
  broken.push(...lost.map((problem) => hidden(problem, problem.file === where.settings ? 'user' : 'managed')))

  // An unreadable file is reported and does not keep other hooks from running.
  const within = async (file: string, work: () => Promise<void>) => {
    try {
      await work()
    } catch (error) {
      if (error instanceof CrosshookError)
        problems.push({
          level: 'error',
          file,
          message: error.message,
          fix: error.fix,
          ...(isSystemError(error.cause) ? { unread: true as const } : {}),
        })
      else if (isSystemError(error)) problems.push(unread(file, error))
      else throw error
    }
  }
  const seen = new Set<string>()
  const add = (source: SourceSetting & { path: string }, scope: Scope, missing = () => {}) =>
    within(source.path, async () => {
      noteInputs(source.path, inputs)
      if (!isThere(source.path)) return missing()
      // Listed twice, or both listed and found: its hooks run once.
      const place = realpathSync(source.path)
      if (seen.has(place)) return
      seen.add(place)
      const loaded = await readSource(source, scope, settings.allowed_hosts)
      const folder = scope === 'project' ? undefined : firstUnsafeAround(place, where.home)
      for (const hook of loaded.hooks) {
        const unsafe = scope === 'project' ? undefined : (folder ?? unsafeHook(hook, where.home))
        if (!unsafe) {
          hooks.push(hook)
          continue
        }
        const { message, fix } = unsafe
        // So that fixing the file is noticed.
        inputs[unsafe.path] = fingerprint(unsafe.path)
        broken.push({ ...hook, matcher: {}, broken: `${message}. ${fix}` })
        problems.push({ level: 'error', file: hook.origin.file, hook: hook.name, message, fix })
      }
      broken.push(...(loaded.broken ?? []))
      problems.push(...loaded.problems)
    })
  const addFormat = (format: string, base: string, level: 'user' | 'project') =>
    within(files.find((file) => existsSync(file)) ?? where.settings, async () => {
      for (const file of await formatFiles(format, base, level, inputs))
        await add({ path: file, format }, level)
    })

  const starts = [...new Set([options.startDir ?? options.workDir, options.workDir])]
  const projects = [...new Set(starts.flatMap((start) => foldersOfProject(start, where.home, inputs)))]
  if (options.sources) {
    for (const source of options.sources) {
      if (source.path !== undefined) {
        noteInputs(source.path, inputs)
        const loaded = await readSource({ ...source, path: source.path }, 'source', settings.allowed_hosts)
        hooks.push(...loaded.hooks)
        broken.push(...(loaded.broken ?? []))
        problems.push(...loaded.problems)
      }
    }
    return { hooks, broken, problems, settings, inputs, projects }
  }
  await add({ path: where.managedHooks, format: FOLDER_FORMAT }, 'managed')
  if (isEnrolled) {
    for (const path of [where.fleet.hooks, where.fleet.guard])
      await add({ path, format: FOLDER_FORMAT }, 'managed')
    const before = hooks.length
    await add({ path: where.fleet.shadow, format: FOLDER_FORMAT }, 'managed')
    hooks.push(...hooks.splice(before).map(onTrial))
  }
  if (options.managedOnly)
    return { hooks: hooks.map(asManaged), broken, problems, settings, inputs, projects }
  await add({ path: where.userHooks, format: FOLDER_FORMAT }, 'user')
  await add({ path: join(where.state, STORED_HOOKS.file), format: STORED_HOOKS.format }, 'user')
  for (const source of settings.sources) {
    if (source.path !== undefined) {
      // A missing source is an error, so that nobody mistakes a missing guard for one without objections.
      await add({ ...source, path: source.path }, 'user', () =>
        problems.push({
          level: 'error',
          file: source.path!,
          message: '`sources` in the settings lists it, but there is no such file or folder',
          fix: `Correct the path in the settings (${files.filter((file) => existsSync(file)).join(', ')}).`,
        }),
      )
    } else if (source.format !== undefined) await addFormat(source.format, where.home, 'user')
  }
  if (!settings.managed_only) {
    for (const folder of projects) {
      await add({ path: projectHooks(folder), format: FOLDER_FORMAT }, 'project')
      for (const source of settings.sources)
        if (source.path === undefined && source.format !== undefined && source.format in DIALECTS)
          await addFormat(source.format, folder, 'project')
    }
  }
  const bases = [
    { path: where.userHooks, scope: 'user' as const },
    ...projects.map((folder) => ({ path: projectHooks(folder), scope: 'project' as const })),
  ].filter(({ path }) => (inputs[join(path, 'hooks.lock.json')] ?? '-') !== '-')
  if (bases.length > 0 || Object.keys(settings.packs).length > 0) {
    const { applyPackSettings } = await import('./packs-of.ts')
    problems.push(...applyPackSettings(hooks, bases, { settings, file: where.settings }))
  }
  const counts = ({ scope }: Hook) => !settings.managed_only || scope === 'managed'
  return {
    hooks: hooks.filter(counts).map((hook) => withShadow(hook, settings.shadow)),
    broken: broken.filter(counts),
    problems,
    settings,
    inputs,
    projects,
  }
}

/** The files of a format that exist below a folder. `*` stands for names in one folder. */
export async function formatFiles(
  id: string,
  base: string,
  level: 'user' | 'project',
  inputs: Fingerprints,
): Promise<string[]> {
  const { format } = await loadDialect(id)
  const found: string[] = []
  for (const pattern of format?.files[level] ?? []) {
    const star = pattern.indexOf('*')
    if (star < 0) {
      const path = join(base, pattern)
      inputs[path] = fingerprint(path)
      if (isThere(path)) found.push(path)
      continue
    }
    const folder = join(base, pattern.slice(0, star))
    const ending = pattern.slice(star + 1)
    inputs[folder] = fingerprint(folder)
    if (isThere(folder))
      for (const name of readdirSync(folder).sort()) if (name.endsWith(ending)) found.push(join(folder, name))
  }
  return found
}

/** A folder of hooks depends on its entries and on the HOOK.md of each, or on the settings files in it. */
function noteInputs(path: string, inputs: Fingerprints): void {
  inputs[path] = fingerprint(path)
  try {
    for (const entry of [{ name: '.', isFile: () => false }, ...readdirSync(path, { withFileTypes: true })]) {
      if (entry.isFile() && !SETTINGS_FILE.test(entry.name)) continue
      const file = entry.isFile() ? join(path, entry.name) : join(path, entry.name, 'HOOK.md')
      inputs[file] = fingerprint(file)
    }
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    // A file or a missing path has no entries. After any other error the dependencies are unknown.
    if (!['ENOENT', 'ENOTDIR', 'ERR_INVALID_ARG_VALUE'].includes(code)) inputs[path] = NEVER_CURRENT
  }
}

function unread(file: string, error: unknown): Problem {
  return {
    level: 'error',
    file,
    message: `it cannot be read: ${messageOf(error)}`,
    fix: 'Check who owns it and who may read it.',
    unread: true,
  }
}

/** For a policy on trial beside the one in force: it replaces no hook and decides nothing. */
function onTrial(hook: Hook): Hook {
  return { ...hook, name: `${hook.name} (next)`, unique_name: false, shadow: true }
}

/**
 * A program that runs as the caller can be killed by the caller, so a killed guard must not count as consent. It may
 * read the project and write its own memory; a hook that needs more declares it.
 */
function asManaged(hook: Hook): Hook {
  if (hook.run.type !== 'command') return hook
  return {
    ...hook,
    ...(hook.on_failure_unsaid && hook.mode !== 'background' ? { on_failure: 'closed' as const } : {}),
    ...(hook.sandbox === undefined ? { sandbox: { read: ['project'] } } : {}),
  }
}

/** The person's own settings cannot put a managed hook in shadow. */
function withShadow(hook: Hook, names: readonly string[]): Hook {
  return hook.scope !== 'managed' && names.includes(hook.name) ? { ...hook, shadow: true } : hook
}
