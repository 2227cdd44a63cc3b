/** Finds and reads every hook of a project, a user and a machine. What was read is cached until a file changes. */

import {
  type Dirent,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DIALECTS, FOLDER_FORMAT, loadDialect } from '../dialects/list.ts'
import { STORED_HOOKS } from '../dialects/registry-stored.ts'
import { CrosshookError, messageOf } from '../spec/errors.ts'
import type { Hook, Problem, Scope } from '../spec/hook.ts'
import { VERSION } from '../version.ts'
import { type Fingerprints, fingerprint, isCurrent, isRacy } from './fingerprint.ts'
import { type Paths, paths, projectHooks } from './paths.ts'
import { NO_SETTINGS, readSettings, type Settings, type SourceSetting } from './settings.ts'
import { isSystemError, readSource, SETTINGS_FILE } from './source.ts'
import { isThere } from './there.ts'

export { readSource }

export interface HookSet {
  hooks: Hook[]
  problems: Problem[]
  settings: Settings
  /** Files and folders that this depends on. */
  inputs: Fingerprints
}

export interface LoadOptions {
  env: NodeJS.ProcessEnv
  workDir: string
  /** Only these, whatever is installed. */
  sources?: readonly SourceSetting[]
  /** Do not read or write the cache. */
  fresh?: boolean
}

export async function loadHookSet(options: LoadOptions): Promise<HookSet> {
  const where = paths(options.env)
  const key = cacheKey(where, options)
  const cacheFile = join(where.cache, 'plans', `${shortName(key)}.json`)
  if (!options.fresh) {
    const cached = readCache(cacheFile, key)
    if (cached) return cached
  }
  const now = Date.now()
  const found = await readAll(where, options)
  if (!options.fresh && !isRacy(found.inputs, now)) writeCache(cacheFile, key, found)
  return found
}

async function readAll(where: Paths, options: LoadOptions): Promise<HookSet> {
  const hooks: Hook[] = []
  const problems: Problem[] = []
  const inputs: Fingerprints = {}
  const settingsFiles = [where.settings, where.managedSettings]
  for (const file of settingsFiles) inputs[file] = fingerprint(file)
  const { settings, problems: bad } = await readSettings(settingsFiles)
  problems.push(...bad)

  // What cannot be read is a problem of its own: it never keeps other hooks from running.
  const within = async (file: string, work: () => Promise<void>) => {
    try {
      await work()
    } catch (error) {
      if (error instanceof CrosshookError)
        problems.push({ level: 'error', file, message: error.message, fix: error.fix })
      else if (isSystemError(error))
        problems.push({ level: 'error', file, message: `it cannot be read: ${error.message}`, fix: READABLE })
      else throw error
    }
  }
  const seen = new Set<string>()
  const add = (source: SourceSetting & { path: string }, scope: Scope, missing = () => {}) =>
    within(source.path, async () => {
      noteInputs(source.path, inputs)
      if (!isThere(source.path)) return missing()
      // Named twice, or named and found as well: its hooks run once.
      const place = realpathSync(source.path)
      if (seen.has(place)) return
      seen.add(place)
      const loaded = await readSource(source, scope, settings.allowed_hosts)
      hooks.push(...loaded.hooks)
      problems.push(...loaded.problems)
    })
  const addFormat = (format: string, base: string, level: 'user' | 'project') =>
    within(settingsFiles.find((file) => existsSync(file)) ?? where.settings, async () => {
      for (const file of await formatFiles(format, base, level, inputs))
        await add({ path: file, format }, level)
    })

  if (options.sources) {
    for (const source of options.sources) {
      if (source.path !== undefined) {
        noteInputs(source.path, inputs)
        const loaded = await readSource({ ...source, path: source.path }, 'source', settings.allowed_hosts)
        hooks.push(...loaded.hooks)
        problems.push(...loaded.problems)
      }
    }
    return { hooks, problems, settings, inputs }
  }
  await add({ path: where.managedHooks, format: FOLDER_FORMAT }, 'managed')
  await add({ path: where.userHooks, format: FOLDER_FORMAT }, 'user')
  await add({ path: join(where.state, STORED_HOOKS.file), format: STORED_HOOKS.format }, 'user')
  for (const source of settings.sources) {
    if (source.path !== undefined) {
      // Nobody should take a guard that is not there for one that has nothing to say.
      await add({ ...source, path: source.path }, 'user', () =>
        problems.push({
          level: 'error',
          file: source.path!,
          message: '`sources` in the settings names it, and there is no such file or folder',
          fix: `Correct the path in the settings (${settingsFiles.filter((file) => existsSync(file)).join(', ')}).`,
        }),
      )
    } else if (source.format !== undefined) await addFormat(source.format, where.home, 'user')
  }
  if (!settings.managed_only) {
    await add({ path: projectHooks(options.workDir), format: FOLDER_FORMAT }, 'project')
    for (const source of settings.sources)
      if (source.path === undefined && source.format !== undefined && source.format in DIALECTS)
        await addFormat(source.format, options.workDir, 'project')
  }
  return {
    hooks: settings.managed_only ? hooks.filter((h) => h.scope === 'managed') : hooks,
    problems,
    settings,
    inputs,
  }
}

const READABLE = 'Check who owns it and who may read it.'

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

/** A folder of hooks depends on its own entries and on the HOOK.md of each, or on the settings files in it. */
function noteInputs(path: string, inputs: Fingerprints): void {
  inputs[path] = fingerprint(path)
  for (const entry of entriesOf(path)) {
    if (entry.isFile() && !SETTINGS_FILE.test(entry.name)) continue
    const file = entry.isFile() ? join(path, entry.name) : join(path, entry.name, 'HOOK.md')
    inputs[file] = fingerprint(file)
  }
}

function entriesOf(path: string): Pick<Dirent, 'name' | 'isFile'>[] {
  try {
    return [{ name: '.', isFile: () => false }, ...readdirSync(path, { withFileTypes: true })]
  } catch {
    return [] // a file, or nothing; whoever reads it says what cannot be read
  }
}

/** What a cached plan was made for. */
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
    options.sources ?? null,
  ])
}

/** A short name for a long key. Two keys may share it: the file says which one it holds. */
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

function readCache(file: string, key: string): HookSet | undefined {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    return undefined // not cached yet
  }
  try {
    const cached = JSON.parse(text) as HookSet & { key: string }
    return cached.key === key && isCurrent(cached.inputs) ? cached : undefined
  } catch {
    return undefined // a torn or foreign file: read the hooks again
  }
}

function writeCache(file: string, key: string, found: HookSet): void {
  try {
    mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 })
    const temporary = `${file}.${process.pid}.tmp`
    writeFileSync(temporary, JSON.stringify({ key, ...found }), { mode: 0o600 })
    renameSync(temporary, file)
  } catch (error) {
    found.problems.push({
      level: 'warning',
      file,
      message: `compiled hooks cannot be cached: ${messageOf(error)}`,
      fix: 'Every call reads the hooks again, which is slower. Make the folder writable.',
    })
  }
}

export const EMPTY_SET: HookSet = { hooks: [], problems: [], settings: NO_SETTINGS, inputs: {} }
