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
    if (!isOwn && (next === home || next === dirname(next) || isOpen(next))) break
    found.unshift(next)
    const isRoot = hasGit(next)
    inputs[join(next, '.git')] = isRoot ? PRESENT : '-'
    if (isRoot || next === home || next === dirname(next)) break
  }
  return found
}

function isOpen(folder: string): boolean {
  try {
    return (statSync(folder).mode & 0o002) !== 0
  } catch {
    return true // unreadable, so nothing in it applies
  }
}
