/** A settings file with a token is for its owner alone: not for other users, not in a repository. */

import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CrosshookError, messageOf } from '../spec/errors.ts'

/** Original permissions of the file and its folder; left out when there was none. */
export interface Modes {
  file?: number
  folder?: number
}

export function modesOf(target: string): Modes {
  const [file, folder] = [target, dirname(target)].map((path) => statSync(path, { throwIfNoEntry: false }))
  return {
    ...(file ? { file: file.mode & 0o7777 } : {}),
    ...(folder ? { folder: folder.mode & 0o7777 } : {}),
  }
}

/** Agents rewrite their settings, some with a mode that everybody can read, so the folder keeps others out. */
export function hideFolder(target: string): void {
  const folder = dirname(target)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    if ((statSync(folder).mode & 0o077) !== 0) chmodSync(folder, 0o700)
  } catch (error) {
    throw new CrosshookError('refused', `${folder} cannot be hidden from others: ${messageOf(error)}`, {
      fix: 'Its settings would hold a token. Install without --http: the command form needs none.',
      cause: error,
    })
  }
}

export function restoreFolder(target: string, modes: Modes | undefined): void {
  const folder = dirname(target)
  if (modes?.folder !== undefined && existsSync(folder)) chmodSync(folder, modes.folder)
}

/** Can another user of this machine read it? */
export function isOpen(target: string): boolean {
  return [target, dirname(target)].every((path) => {
    const found = statSync(path, { throwIfNoEntry: false })
    return found !== undefined && (found.mode & 0o077) !== 0
  })
}

/** What is in a repository is copied to other people. */
export function refuseShared(target: string): void {
  let root = dirname(target)
  while (!existsSync(join(root, '.git'))) {
    if (dirname(root) === root) return
    root = dirname(root)
  }
  if (spawnSync('git', ['-C', root, 'check-ignore', '-q', '--', target]).status === 0) return
  throw new CrosshookError(
    'refused',
    `${target} is in the git repository ${root}, and entries over HTTP hold a token. Nothing was changed.`,
    { fix: 'Install without --http, which needs no token, or have git ignore the file.' },
  )
}
