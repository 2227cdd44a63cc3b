/** Cheap proof that a file is the one we read: identity, size and change time. Contents cannot change without it. */

import { type Stats, statSync } from 'node:fs'

/** Changes closer than this to the moment of reading could hide behind the clock's granularity. */
const RACY_MS = 60

/** Path → `inode:size:change time`, or `-` where there is nothing. */
export type Fingerprints = Record<string, string>

export function fingerprint(path: string): string {
  const stat = statOf(path)
  return stat ? `${stat.ino}:${stat.size}:${stat.ctimeMs}` : '-'
}

/** Asked at every event for every hook, so nothing is built that only a comparison needs. */
export function isCurrent(known: Fingerprints): boolean {
  let marks = parsed.get(known)
  if (!marks) parsed.set(known, (marks = Object.entries(known).map(([path, mark]) => parse(path, mark))))
  return marks.every(isUnchanged)
}

/** Could a change after reading have left the same fingerprint? */
export function isRacy(known: Fingerprints, now: number): boolean {
  return Object.entries(known).some(
    ([path, mark]) => mark !== '-' && now - parse(path, mark).changed < RACY_MS,
  )
}

const QUIET = { throwIfNoEntry: false } as const

interface Mark {
  path: string
  inode: number
  size: number
  changed: number
}

const parsed = new WeakMap<Fingerprints, Mark[]>()

function parse(path: string, mark: string): Mark {
  const [inode = -1, size = -1, changed = -1] = mark === '-' ? [] : mark.split(':').map(Number)
  return { path, inode, size, changed }
}

function isUnchanged({ path, inode, size, changed }: Mark): boolean {
  const stat = statOf(path)
  if (!stat) return inode === -1
  return stat.ctimeMs === changed && stat.ino === inode && stat.size === size
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, QUIET)
  } catch {
    // No right to look, links in a circle, or a file where a folder was: like everything that is not there.
    return undefined
  }
}
