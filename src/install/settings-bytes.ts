/** Reads and writes settings files of others: completely or not at all. */

import {
  accessSync,
  chmodSync,
  chownSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'
import { CrosshookError, messageOf } from '../spec/errors.ts'
import { readBytes as readPlain } from '../spec/read-file.ts'

/** The file itself, with all links resolved, whether it exists or not. */
export function targetOf(path: string): string {
  let at = resolve(path)
  for (let hops = 0; hops < 40; hops++) {
    if (existsSync(at)) return realpathSync(at)
    if (!lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink()) return at
    at = resolve(dirname(at), readlinkSync(at))
  }
  throw new CrosshookError('bad_settings', `${path}: links lead in a circle`)
}

/** Undefined when there is no such file. */
export function readBytes(path: string): Buffer | undefined {
  try {
    return readPlain(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw new CrosshookError('bad_settings', `${path} cannot be read: ${messageOf(error)}`, {
      fix: 'Check what it is and who may read it.',
      cause: error,
    })
  }
}

/** Only text that converts back to the same bytes may be edited. */
export function toText(bytes: Buffer, path: string): string {
  const text = bytes.toString('utf8')
  if (Buffer.from(text).equals(bytes)) return text
  throw new CrosshookError('bad_settings', `${path} is not UTF-8 text. Nothing was changed.`, {
    fix: 'Save the file as UTF-8, then try again.',
  })
}

/** Keeps mode (unless `exact`) and owner of an existing file; creates missing folders. */
export function writeBytes(path: string, bytes: Buffer, mode?: number, exact = false): void {
  const old = statSync(path, { throwIfNoEntry: false })
  try {
    if (old) accessSync(path, constants.W_OK)
    mkdirSync(dirname(path), { recursive: true })
    const temporary = `${path}.crosshook-${process.pid}`
    const file = openSync(temporary, 'wx', mode ?? 0o666)
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
      fsyncSync(file)
      if (exact && mode !== undefined) chmodSync(temporary, mode)
      else if (old) chmodSync(temporary, old.mode & 0o7777)
      if (old && old.uid !== statSync(temporary).uid) chownSync(temporary, old.uid, old.gid)
      renameSync(temporary, path)
    } catch (error) {
      rmSync(temporary, { force: true })
      throw error
    } finally {
      closeSync(file)
    }
  } catch (error) {
    throw new CrosshookError('refused', `${path} cannot be written: ${messageOf(error)}`, {
      fix: 'Check who may write the file and its folder. Nothing was changed in it.',
      cause: error,
    })
  }
}

/** Removes a file, and those of `folders` that become empty. */
export function removeFile(path: string, folders: readonly string[] = []): void {
  rmSync(path, { force: true })
  for (const folder of [...folders].sort((a, b) => b.length - a.length)) {
    try {
      rmdirSync(folder)
    } catch {
      return // used by somebody else by now
    }
  }
}

/** Folders above a file that do not exist yet. */
export function missingFolders(path: string): string[] {
  const missing: string[] = []
  for (let at = dirname(path); !existsSync(at); at = dirname(at)) missing.push(at)
  return missing
}
