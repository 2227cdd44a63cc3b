/** The hooks of one file or folder, whatever its format. */

import { readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DIALECTS, FOLDER_FORMAT, loadDialect } from '../dialects/list.ts'
import { sha256Hex } from '../fast/digest.ts'
import type { Source } from '../spec/dialect.ts'
import { CrosshookError, isSystemError } from '../spec/errors.ts'
import type { Loaded, Scope } from '../spec/hook.ts'
import { readBytes } from '../spec/read-file.ts'
import type { SourceSetting } from './settings.ts'

/** Files in a folder of settings. */
export const SETTINGS_FILE = /\.jsonc?$/i

export async function readSource(
  source: SourceSetting & { path: string },
  scope: Scope,
  allowedHosts: readonly string[] = [],
): Promise<Loaded> {
  try {
    return await readWhole(source, scope, allowedHosts)
  } catch (error) {
    if (!isSystemError(error)) throw error
    throw new CrosshookError('bad_source', `${source.path}: it cannot be read: ${error.message}`, {
      fix: 'Check who owns it and who may read it.',
      cause: error,
    })
  }
}

async function readWhole(
  source: SourceSetting & { path: string },
  scope: Scope,
  allowedHosts: readonly string[],
): Promise<Loaded> {
  const path = resolve(source.path)
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat) throw new CrosshookError('bad_source', `${source.path}: there is no such file or folder`)
  const found = stat.isDirectory()
    ? await inFolder(path, scope, source.format)
    : await asked(offer(path, scope), source.format)
  if (found.length === 0)
    throw new CrosshookError('bad_source', `${source.path}: no known hook format recognises it`, {
      fix: `Say which it is with --format: ${Object.keys(DIALECTS).join(', ')}.`,
    })
  const all: Loaded = { hooks: [], problems: [], broken: [] }
  for (const { offered, format } of found) {
    const { hooks, problems, broken } = await read(offered, format, allowedHosts)
    all.hooks.push(...hooks)
    all.problems.push(...problems)
    all.broken!.push(...(broken ?? []))
  }
  return all
}

interface Found {
  offered: Source
  format: string
}

/** Hooks that are folders; otherwise the files that a format recognises, or all files when the format is given. */
async function inFolder(path: string, scope: Scope, format: string | undefined): Promise<Found[]> {
  const whole: Source = { path, scope }
  const own =
    format === undefined ? await recognise(whole) : (await takesFolder(whole, format)) ? format : undefined
  if (own !== undefined) return [{ offered: whole, format: own }]
  const found: Found[] = []
  for (const name of readdirSync(path).sort())
    if (SETTINGS_FILE.test(name)) found.push(...(await asked(offer(join(path, name), scope), format)))
  return found
}

async function asked(offered: Source, format: string | undefined): Promise<Found[]> {
  const id = format ?? (await recognise(offered))
  return id === undefined ? [] : [{ offered, format: id }]
}

/** Is the folder itself, rather than its files, a source in this format? */
async function takesFolder(folder: Source, id: string): Promise<boolean> {
  const { format } = await loadDialect(id)
  if (!format || id === FOLDER_FORMAT || format.recognises(folder) > 0) return true
  return !readdirSync(folder.path).some((name) => SETTINGS_FILE.test(name))
}

function offer(path: string, scope: Scope): Source {
  if (!statSync(path).isFile()) return { path, scope }
  const bytes = readBytes(path)
  const text = bytes.toString('utf8').replace(BYTE_ORDER_MARK, '')
  return { path, scope, text, ...(scope === 'project' ? { digest: sha256Hex(bytes) } : {}) }
}

const BYTE_ORDER_MARK = /^\ufeff/

async function read(offered: Source, id: string, allowedHosts: readonly string[]): Promise<Loaded> {
  const dialect = await loadDialect(id)
  if (!dialect.format)
    throw new CrosshookError(
      'bad_source',
      `${dialect.title} has no hook format of its own that could be read`,
    )
  const { checkHooks } = await import('./check.ts')
  const loaded = await dialect.format.read(offered)
  if (offered.digest !== undefined)
    for (const { origin } of loaded.hooks) if (origin.file === offered.path) origin.digest = offered.digest
  return checkHooks(loaded, dialect, allowedHosts)
}

async function recognise(source: Source): Promise<string | undefined> {
  let best: { id: string; score: number } | undefined
  for (const id of Object.keys(DIALECTS)) {
    const { format } = await loadDialect(id)
    const score = format?.recognises(source) ?? 0
    if (score > (best?.score ?? 0)) best = { id, score }
  }
  return best?.id
}
