/** Is what was read still current? Files are compared by identity, size and change time. */

import { lstatSync, type Stats, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** A change this close to the time of reading may leave the same change time, because of the clock's granularity. */
export const RACY_MS = 60

/** Path → `inode:size:change time`, `-` when absent, `?` when it could not be read, `+` when it only has to exist. */
export type Fingerprints = Record<string, string>

export function fingerprint(path: string): string {
  const stat = statOf(path)
  return stat ? `${stat.ino}:${stat.size}:${stat.ctimeMs}` : '-'
}

/** For a file that could not be read: equal to nothing, so that it is read again each time. */
export const NEVER_CURRENT = '?'

/** For paths that only have to exist: their content may change. */
export const PRESENT = '+'

/** False when something that a plan depends on could not be read. */
export function isCacheable(known: Fingerprints): boolean {
  return !Object.values(known).includes(NEVER_CURRENT)
}

/** Runs at every event for every hook, so it allocates nothing that only a comparison needs. */
export function isCurrent(known: Fingerprints): boolean {
  const looks = prepared.get(known)
  if (looks)
    return looks.present.every(isUnchanged) && looks.absent.every(isStillAbsent) && looks.there.every(statOf)
  // The first call, the only one in most processes, skips the preparation that pays off from the second call on.
  if (!asked.has(known)) asked.add(known)
  else prepared.set(known, prepare(known))
  for (const path in known) if (!isSameAs(path, known[path]!)) return false
  return true
}

/** Could a change after reading have left the same fingerprint? */
export function isRacy(known: Fingerprints, readAt: number): boolean {
  return Object.entries(known).some(
    ([path, mark]) => mark !== '-' && mark !== PRESENT && readAt - parse(path, mark).changed < RACY_MS,
  )
}

const ABSENT_IS_UNDEFINED = { throwIfNoEntry: false } as const

interface Mark {
  path: string
  inode: number
  size: number
  changed: number
}

function isSameAs(path: string, mark: string): boolean {
  return mark === PRESENT ? statOf(path) !== undefined : fingerprint(path) === mark
}

interface Looks {
  /** Paths that only have to exist. */
  there: string[]
  present: Mark[]
  absent: Absence[]
}

/** Paths that do not exist below this folder. While the folder is unchanged, none of them was created. */
interface Absence {
  folder: string
  paths: string[]
  mark: Mark | undefined
  /** State of the folder when it was read, if it is checked anyway. */
  present: Mark | undefined
}

const asked = new WeakSet<Fingerprints>()
const prepared = new WeakMap<Fingerprints, Looks>()

function prepare(known: Fingerprints): Looks {
  const marks = Object.entries(known)
  const there = marks.filter(([, mark]) => mark === PRESENT).map(([path]) => path)
  const present = marks
    .filter(([, mark]) => mark !== '-' && mark !== PRESENT)
    .map(([path, mark]) => parse(path, mark))
  const absent = marks.filter(([, mark]) => mark === '-').map(([path]) => path)
  const byFolder = Map.groupBy(absent, nearestFolder)
  const absences = [...byFolder].map(([folder, paths]): Absence => {
    return { folder, paths, mark: undefined, present: present.find(({ path }) => path === folder) }
  })
  return { there, present, absent: absences }
}

/** The nearest existing folder above the path; the path itself when it is a dangling link. */
function nearestFolder(path: string): string {
  let next = path
  while (!statOf(dirname(next)) && next !== dirname(next)) next = dirname(next)
  return isThere(next) ? path : dirname(next)
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, ABSENT_IS_UNDEFINED) !== undefined
  } catch {
    return true // it cannot be determined
  }
}

function isStillAbsent(absence: Absence): boolean {
  const { folder, paths, mark, present } = absence
  // `present` was checked just now.
  if (mark && present && isSameMark(mark, present)) return true
  const at = Date.now()
  // Read before the paths: a file created in between changes the folder again.
  const stat = statOf(folder)
  if (stat && mark && isSame(stat, mark)) return true
  if (paths.some(statOf)) return false
  if (!stat || at - stat.ctimeMs < RACY_MS) return true
  if (paths.some((path) => nearestFolder(path) !== folder)) return false
  absence.mark = { path: folder, inode: stat.ino, size: stat.size, changed: stat.ctimeMs }
  return true
}

function parse(path: string, mark: string): Mark {
  const [inode = -1, size = -1, changed = -1] = mark === '-' ? [] : mark.split(':').map(Number)
  return { path, inode, size, changed }
}

function isUnchanged(mark: Mark): boolean {
  const stat = statOf(mark.path)
  return stat ? isSame(stat, mark) : mark.inode === -1
}

function isSameMark(a: Mark, b: Mark): boolean {
  return a.changed === b.changed && a.inode === b.inode && a.size === b.size
}

function isSame(stat: Stats, { inode, size, changed }: Mark): boolean {
  return stat.ctimeMs === changed && stat.ino === inode && stat.size === size
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, ABSENT_IS_UNDEFINED)
  } catch {
    // No permission, a link cycle, or a file in place of a folder: treated as absent.
    return undefined
  }
}
