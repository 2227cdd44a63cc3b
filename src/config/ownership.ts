/**
 * Finds hooks and settings that another user could rewrite. Only for hooks that need no trust, the person's and the
 * machine's: a project's hooks run from the copy that was trusted.
 */

import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Hook } from '../spec/hook.ts'

export interface Unsafe {
  path: string
  message: string
  fix: string
}

/** Checks a hook's file and folder and what it runs there. */
export function unsafeHook({ origin }: Hook, home: string): Unsafe | undefined {
  const scripts = origin.dir === undefined ? [] : namesIn(join(origin.dir, 'scripts'))
  return firstUnsafe([...(origin.dir === undefined ? [] : [origin.dir]), origin.file, ...scripts], home)
}

export function firstUnsafe(paths: readonly string[], home: string): Unsafe | undefined {
  for (const path of paths) {
    const found = unsafe(path, home)
    if (found) return found
  }
  return undefined
}

/** Undefined when safe, when the file is absent, and on systems without file owners. */
function unsafe(path: string, home: string): Unsafe | undefined {
  const uid = process.getuid?.()
  const stat = uid === undefined ? undefined : statOf(path)
  if (uid === undefined || !stat) return undefined
  if (stat.uid !== 0 && stat.uid !== uid && !(uid === 0 && stat.uid === statOf(home)?.uid))
    return {
      path,
      message: `${path} belongs to another user (${stat.uid}), who could change what runs`,
      fix: `Look at it, then take it over: chown -R ${uid} ${path}`,
    }
  const isSticky = stat.isDirectory() && (stat.mode & 0o1000) !== 0
  if ((stat.mode & 0o002) !== 0 && !isSticky)
    return {
      path,
      message: `every user of this machine may write to ${path}, and so change what runs`,
      fix: `Look at it, then: chmod ${stat.isDirectory() ? '-R ' : ''}o-w ${path}`,
    }
  return undefined
}

function namesIn(folder: string): string[] {
  try {
    return [folder, ...readdirSync(folder).map((name) => join(folder, name))]
  } catch {
    return [] // there is none
  }
}

function statOf(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined // the code that reads it reports why it cannot
  }
}
