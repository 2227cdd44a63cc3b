/** The folders whose `.agents` apply to a working folder: its own and those above it, up to the end of the project. */

import { statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Fingerprints } from './fingerprint.ts'
import { PRESENT } from './fingerprint.ts'
import { hasGit } from './repository.ts'

/**
 * From the outermost folder to the working folder. A project ends at the root of its repository or below the home
 * folder; without either, below the first world-writable folder.
 */
export function foldersOfProject(workDir: string, home: string, inputs: Fingerprints): string[] {
  const found: string[] = []
  for (let next = workDir; ; next = dirname(next)) {
    const isOwn = next === workDir
    if (
      !isOwn &&
      (next === home || next === dirname(next) || (isOpen(next) && !isInRepository(next, home, inputs)))
    )
      break
    found.unshift(next)
    if (isRepository(next, inputs) || next === home || next === dirname(next)) break
  }
  return found
}

/**
 * Some disks give every file to everybody, and so does a `chmod`: neither removes the hooks of a repository. Those of a
 * folder for everybody's files, such as /tmp, are anybody's, and so is a `.git` in it.
 */
function isInRepository(folder: string, home: string, inputs: Fingerprints): boolean {
  for (let next = folder; next !== home && next !== dirname(next); next = dirname(next)) {
    if (isShared(next)) return false
    if (isRepository(next, inputs)) return true
  }
  return false
}

function isRepository(folder: string, inputs: Fingerprints): boolean {
  const isRoot = hasGit(folder)
  inputs[join(folder, '.git')] = isRoot ? PRESENT : '-'
  return isRoot
}

function isShared(folder: string): boolean {
  try {
    return (statSync(folder).mode & 0o1002) === 0o1002
  } catch {
    return true // unreadable, so nothing in it applies
  }
}

function isOpen(folder: string): boolean {
  try {
    return (statSync(folder).mode & 0o002) !== 0
  } catch {
    return true // unreadable, so nothing in it applies
  }
}
