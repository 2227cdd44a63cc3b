/**
 * Finds the git repository around a folder without running git: a hostile repository could make git run its programs.
 */

import { realpathSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { readText } from '../spec/read-file.ts'

/** The nearest folder upwards with a `.git`: a folder, or a file in a worktree or submodule. */
export function repositoryRoot(folder: string): string | undefined {
  for (let next = resolve(folder); ; next = dirname(next)) {
    if (hasGit(next)) return next
    if (next === dirname(next)) return undefined
  }
}

export function hasGit(folder: string): boolean {
  try {
    return statSync(join(folder, '.git'), { throwIfNoEntry: false }) !== undefined
  } catch {
    return false
  }
}

/** Equal for every worktree of a repository, and for every clone of one origin. */
export function repositoryIdentity(root: string): string | undefined {
  try {
    const common = commonFolder(root)
    return originIn(readText(join(common, 'config'))) ?? `local:${realpathSync(common)}`
  } catch {
    return undefined // not a repository that git could read
  }
}

/** A worktree's `.git` is a file with the path of its own folder, which names the repository's folder. */
function commonFolder(root: string): string {
  const git = join(root, '.git')
  if (statSync(git).isDirectory()) return git
  const named = /^gitdir: (.+)$/m.exec(readText(git))?.[1]
  if (named === undefined) throw new Error(`${git} names no folder`)
  const own = resolve(root, named)
  try {
    return resolve(own, readText(join(own, 'commondir')).trim())
  } catch {
    return own // a submodule has no `commondir`
  }
}

function originIn(config: string): string | undefined {
  const section = /^\s*\[remote "origin"\]([^[]*)/m.exec(config)?.[1]
  const url = section === undefined ? undefined : /^\s*url\s*=\s*(.+?)\s*$/m.exec(section)?.[1]
  return url?.replace(/(?:\.git)?\/*$/, '')
}

/** The working folder and the root of its repository. */
export function projectFolders(workDir: string): readonly string[] {
  const root = repositoryRoot(workDir)
  // Except the home folder: a person who works there has their own programs in it.
  return [...new Set([workDir, ...(root === undefined ? [] : [root])])].filter((each) => each !== home())
}

/** From the system's user database: HOME comes from the agent. */
function home(): string {
  ownHome ??= homeOfSystem()
  return ownHome
}
let ownHome: string | undefined

/** Empty for a user id that the system does not know, as in some containers. */
function homeOfSystem(): string {
  try {
    return process.getBuiltinModule('node:os').userInfo().homedir
  } catch {
    return ''
  }
}
