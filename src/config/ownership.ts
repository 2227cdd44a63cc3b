/**
 * Finds hooks and settings that another user could rewrite. Only for hooks that need no trust, the person's and the
 * machine's: a project's hooks run from the copy that was trusted.
 */

import { readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Hook } from '../spec/hook.ts'

export interface Unsafe {
  path: string
  message: string
  fix: string
}

/** Checks a hook's file and everything in its folder: a script may run any of it. */
export function unsafeHook({ origin }: Hook, home: string): Unsafe | undefined {
  if (origin.dir === undefined) return firstUnsafe([origin.file], home)
  return firstUnsafe([origin.dir, origin.file], home) ?? firstUnsafe(filesIn(origin.dir), home)
}

export function firstUnsafe(paths: readonly string[], home: string): Unsafe | undefined {
  for (const path of paths) {
    const found = unsafe(path, home)
    if (found) return found
  }
  return undefined
}

/** The same for the folders around it: whoever may write there can put another one in its place. */
export function firstUnsafeAround(path: string, home: string): Unsafe | undefined {
  for (let next = path; ; next = dirname(next)) {
    const found = unsafe(next, home)
    if (found) return found
    if (next === home || next === dirname(next)) return undefined
  }
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

/** More than any hook has; what is beyond is not looked at. */
const MAX_FILES = 2000

function filesIn(folder: string): string[] {
  const found: string[] = []
  const open = [folder]
  for (let next = open.pop(); next !== undefined && found.length < MAX_FILES; next = open.pop())
    try {
      for (const entry of readdirSync(next, { withFileTypes: true })) {
        const path = join(next, entry.name)
        if (entry.isDirectory() && entry.name !== '.git') open.push(path)
        if (!entry.isSymbolicLink()) found.push(path)
      }
    } catch {
      // The code that reads it reports why it cannot.
    }
  return found
}

function statOf(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined // the code that reads it reports why it cannot
  }
}
