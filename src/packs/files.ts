/** The files of a pack or hook: plain, few, small, with names that mean the same on every system. */

import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import { CrosshookError } from '../spec/errors.ts'
import { readBytes } from '../spec/read-file.ts'

export interface PackFile {
  /** Relative, with slashes. */
  path: string
  bytes: Buffer
  executable: boolean
}

/** Limits for one hook, and for a whole pack. */
export const MAX_FILES = 500
export const MAX_BYTES = 16 * 1024 * 1024
const MAX_DEPTH = 12
/** In bytes of UTF-8. */
const MAX_NAME_CHARS = 200
const MAX_PATH_CHARS = 400

/** Folders that are never part of a hook. */
const LEFT_OUT = new Set(['.git', 'node_modules'])

/** Most entries of a repository in which hooks are searched. */
const MAX_ENTRIES = 50_000

/** Every file of the folder, or those selected by path. Links are refused, because they could lead anywhere. */
export function readFolder(
  folder: string,
  choose?: (paths: readonly string[]) => { isChosen(path: string): boolean },
): PackFile[] {
  if (!isFolder(folder))
    throw new CrosshookError('bad_source', `${folder} is not a folder`, { fix: 'Check the path.' })
  const found = walk(folder)
  const isChosen = choose?.(found.map(({ path }) => path)).isChosen ?? (() => true)
  let size = 0
  const files = found
    .filter(({ path }) => isChosen(path))
    .map(({ path, stat }, at) => {
      if (!stat.isFile())
        throw new CrosshookError('refused', `${path} is a link or a special file, which cannot be added`, {
          fix: 'Hooks consist of plain files.',
        })
      size += stat.size
      if (at >= MAX_FILES || size > MAX_BYTES) throw tooLarge(folder)
      return { path, bytes: readBytes(join(folder, path)), executable: (stat.mode & 0o111) !== 0 }
    })
  return checkFiles(files, folder)
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

function walk(folder: string): { path: string; stat: Stats }[] {
  const found: { path: string; stat: Stats }[] = []
  const into = (prefix: string, depth: number) => {
    for (const name of readdirSync(join(folder, prefix)).sort()) {
      const path = prefix === '' ? name : `${prefix}/${name}`
      const stat = lstatSync(join(folder, path))
      if (!stat.isDirectory()) found.push({ path, stat })
      else if (!LEFT_OUT.has(name) && depth < MAX_DEPTH) into(path, depth + 1)
      if (found.length > MAX_ENTRIES) throw tooLarge(folder)
    }
  }
  into('', 0)
  return found
}

export function tooLarge(what: string): CrosshookError {
  return new CrosshookError('refused', `${what} holds more than ${MAX_FILES} files or 16 MiB`, {
    fix: 'A hook is small: its folder is what a person has to look at.',
  })
}

/** Sorted. Throws for names that leave the folder, are hidden, or collide on some systems. */
export function checkFiles(files: readonly PackFile[], what: string): PackFile[] {
  let size = 0
  const names = new Map<string, string>()
  const folders = new Map<string, string>()
  for (const { path, bytes } of files) {
    const wrong = wrongPath(path)
    if (wrong !== undefined) throw refused(what, path, wrong)
    size += bytes.length
    if (files.length > MAX_FILES || size > MAX_BYTES) throw tooLarge(what)
    const twin = names.get(folded(path))
    if (twin !== undefined)
      throw refused(what, path, `some systems take it for the same file as ${shown(twin)}`)
    names.set(folded(path), path)
    const parts = path.split('/')
    for (let end = 1; end < parts.length; end++) {
      const folder = parts.slice(0, end).join('/')
      const known = folders.get(folded(folder))
      if (known !== undefined && known !== folder)
        throw refused(what, path, `some systems take its folder for the same as ${shown(known)}`)
      folders.set(folded(folder), folder)
    }
  }
  for (const [key, path] of names)
    if (folders.has(key)) throw refused(what, path, 'it is a file and a folder at once')
  return files.toSorted((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)))
}

/** A name as seen by file systems that ignore case or the form of accents. */
function folded(path: string): string {
  return path.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC')
}

/** Device names on Windows. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i
const FORBIDDEN = /[\u0000-\u001f\u007f-\u009f"*:<>?\\|\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffd]/u

/** Why this cannot be the path of a file in a pack; undefined when it can. */
export function wrongPath(path: string): string | undefined {
  if (path === '' || Buffer.byteLength(path) > MAX_PATH_CHARS) return 'its name is empty or too long'
  if (path.startsWith('/')) return 'it would be written outside of the folder'
  if (path !== path.normalize('NFC')) return 'its name is not in Unicode form NFC'
  const parts = path.split('/')
  if (parts.length > MAX_DEPTH) return 'it lies too deep'
  for (const part of parts) {
    if (part === '..') return 'it would be written outside of the folder'
    if (part === '' || part === '.') return 'its path has an empty part'
    if (Buffer.byteLength(part) > MAX_NAME_CHARS) return 'its name is too long'
    if (FORBIDDEN.test(part) || /[\ud800-\udfff]/.test(part.replace(/[\ud800-\udbff][\udc00-\udfff]/g, '')))
      return 'its name holds characters that hide, or that some systems do not take'
    if (/[. ]$/.test(part) || part.startsWith(' '))
      return 'its name begins with a blank or ends with a dot or blank'
    if (DEVICE.test(part)) return 'its name is that of a device on Windows'
    if (LEFT_OUT.has(part.toLowerCase())) return `${part} is never part of a hook`
  }
  return undefined
}

/** One digest of all names, bytes and executable bits. */
export function contentDigest(files: readonly PackFile[]): string {
  const hash = createHash('sha256')
  for (const { path, bytes, executable } of files.toSorted((a, b) =>
    Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)),
  )) {
    hash.update(`${path}\0${executable ? 'x' : '-'}\0${bytes.length}\0`)
    hash.update(bytes)
  }
  return hash.digest('hex')
}

/** The files below a folder, with paths relative to it. */
export function below(files: readonly PackFile[], folder: string): PackFile[] {
  if (folder === '') return [...files]
  return files
    .filter(({ path }) => path.startsWith(`${folder}/`))
    .map((file) => ({ ...file, path: file.path.slice(folder.length + 1) }))
}

/** Safe for a terminal. */
export function shown(path: string): string {
  return JSON.stringify(path.slice(0, 200)).replace(
    /[^\u0020-\u007e]/gu,
    (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`,
  )
}

function refused(what: string, path: string, why: string): CrosshookError {
  return new CrosshookError('refused', `${what}: ${shown(path)} is refused: ${why}`, {
    fix: 'Nothing was written. Whoever made it must name its files plainly.',
  })
}
