/** A pack, or hooks without a PACK.md: read, validated and described, before anything is written. */

import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { readSource } from '../config/load.ts'
import { FOLDER_FORMAT } from '../dialects/list.ts'
import { CrosshookError } from '../spec/errors.ts'
import type { Hook, Problem } from '../spec/hook.ts'
import { below, checkFiles, type PackFile } from './files.ts'
import { type Manifest, PACK_FILE, parseManifest } from './manifest.ts'
import { NO_SIGNATURES, type PackSignatures, packContent, readSignatures } from './pack-signature.ts'
import { rightsOf } from './rights.ts'

export interface PackHook {
  hook: Hook
  /** Its folder in the pack; '' when the whole pack is one hook. */
  folder: string
  files: PackFile[]
  rights: string[]
}

export interface Pack {
  /** Without one, the files are only hooks. */
  manifest?: Manifest
  hooks: PackHook[]
  files: PackFile[]
  /** Of everything but PACK.sig. */
  content: string
  signatures: PackSignatures
  problems: Problem[]
}

/** Where hooks are in a repository or package: at the top, in `hooks` or in `.agents/hooks`. */
const PLACES = ['', 'hooks', '.agents/hooks']

/** `root` is the prefix of file names in problems. */
export async function openPack(given: readonly PackFile[], what: string, root = ''): Promise<Pack> {
  const { folders, isChosen } = choose(given.map(({ path }) => path))
  if (folders.length === 0)
    throw new CrosshookError('bad_source', `${what} holds no HOOK.md`, {
      fix: 'It must be a hook, or a folder of hooks, at its top or in `hooks` or `.agents/hooks`.',
    })
  const files = checkFiles(
    given.filter(({ path }) => isChosen(path)),
    what,
  )
  const manifestFile = files.find(({ path }) => path === PACK_FILE)
  const manifest = manifestFile ? await parseManifest(manifestFile.bytes, `${what}: ${PACK_FILE}`) : undefined
  const listed = manifest?.hooks?.map((name) => {
    const folder = folders.find((each) => basename(each) === name)
    if (folder !== undefined) return folder
    throw new CrosshookError('bad_source', `${what}: ${PACK_FILE} lists ${name}, and it has no HOOK.md`, {
      fix: `Hooks are: ${folders.map((each) => basename(each)).join(', ')}.`,
    })
  })
  const { hooks, problems } = await readHooks(files, listed ?? folders, root)
  return {
    ...(manifest ? { manifest } : {}),
    hooks,
    files,
    content: packContent(files),
    signatures: manifest ? readSignatures(files, manifest) : NO_SIGNATURES,
    problems,
  }
}

/** Which folders of a repository or package are hooks, and which files belong to them or to the pack. */
export function choose(paths: readonly string[]): { folders: string[]; isChosen(path: string): boolean } {
  const folders = PLACES.map((place) => foldersIn(paths, place)).find((found) => found.length > 0) ?? []
  const isWhole = folders[0] === ''
  return {
    folders,
    isChosen: (path) =>
      OWN.test(path) ||
      (isWhole ? !OTHERS.test(path) : folders.some((folder) => path.startsWith(`${folder}/`))),
  }
}

/** Files of the pack itself. */
const OWN = /^(?:PACK\.(?:md|sig)|(?:LICEN[CS]E|NOTICE)(?:\.\w+)?|README\.md)$/
/** Files of packages and repositories, never part of a hook. */
const OTHERS = /^(?:package(?:-lock)?\.json$|hooks\.lock\.json$|\.git|\.npm|node_modules\/)/

/** Folders with a HOOK.md: the place itself, or those in it. */
function foldersIn(paths: readonly string[], place: string): string[] {
  const start = place === '' ? '' : `${place}/`
  const inside = paths.filter((path) => path.startsWith(start)).map((path) => path.slice(start.length))
  if (inside.includes('HOOK.md')) return [place]
  return inside.flatMap((path) => /^([^/]+)\/HOOK\.md$/.exec(path)?.[1] ?? []).map((name) => start + name)
}

/** Read from a scratch folder by the same code that reads them later; nothing of them runs. */
async function readHooks(
  files: readonly PackFile[],
  folders: readonly string[],
  root: string,
): Promise<{ hooks: PackHook[]; problems: Problem[] }> {
  const scratch = mkdtempSync(join(tmpdir(), 'crosshook-pack-'))
  try {
    const hooks: PackHook[] = []
    const problems: Problem[] = []
    for (const [at, folder] of folders.entries()) {
      const own = below(files, folder)
      const dir = join(scratch, String(at))
      writePlain(dir, own)
      const found = await readSource({ path: dir, format: FOLDER_FORMAT }, 'source')
      const shown = (file: string) => join(root, folder, relative(dir, file))
      problems.push(...found.problems.map((problem) => ({ ...problem, file: shown(problem.file) })))
      for (const hook of found.hooks) hooks.push({ hook, folder, files: own, rights: rightsOf(hook) })
    }
    return { hooks, problems }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

export function writePlain(dir: string, files: readonly PackFile[]): void {
  mkdirSync(dir, { recursive: true })
  for (const { path, bytes, executable } of files) {
    const file = join(dir, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, bytes, { flag: 'wx' })
    chmodSync(file, executable ? 0o755 : 0o644)
  }
}
