/**
 * Is what was read still current? Files are compared by identity, size and change time; a resident process is also told
 * of changes by inotify.
 */

import { type FSWatcher, lstatSync, realpathSync, type Stats, statfsSync, statSync, watch } from 'node:fs'
import { dirname } from 'node:path'
import { now } from '../fast/clock.ts'

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

export interface Watch {
  /** Do the fingerprints still hold? */
  isCurrent(): boolean
}

/** How long to trust inotify before calling stat again: it does not report writes through a memory map. */
const TRUST_INOTIFY_MS = 2000
/** ext, XFS, Btrfs, F2FS, tmpfs, overlayfs. Other file systems may change without this kernel noticing. */
const LOCAL_FILE_SYSTEMS = new Set([0xef53, 0x58465342, 0x9123683e, 0xf2f52010, 0x01021994, 0x794c7630])
const MAX_WATCHED_FILES = 4096

/** One watcher per file, shared by all sets of hooks that contain it. */
const watched = new Map<string, { inode: number; watcher: FSWatcher }>()
/** Number of notifications so far, for any file. */
let news = 0
/** Number of watches lost so far: another file may have taken the path. */
let losses = 0

/**
 * For a resident process: uses inotify, so that not every file needs a stat at each event. Linux queues the
 * notification before the write returns. A client that connects afterwards is accepted no earlier than the notification
 * is read, and its request is read one turn of the event loop later, so events on a connection of their own never see a
 * stale file. (An event on an existing connection may overtake the notification.)
 */
export function watchInputs(inputs: Fingerprints): Watch {
  let unwatched: Fingerprints = inputs
  let counted = -1
  let known = -1
  let since = 0
  return {
    isCurrent() {
      if (known === news && now() - since < TRUST_INOTIFY_MS) return isCurrent(unwatched)
      if (counted !== losses) {
        unwatched = watchAll(inputs)
        counted = losses
      }
      // Read first, so that a notification during the check counts as new.
      const seen = news
      if (!isCurrent(inputs)) return false
      known = seen
      since = now()
      return true
    },
  }
}

/** Returns the files that cannot be watched. */
function watchAll(inputs: Fingerprints): Fingerprints {
  return Object.fromEntries(
    Object.entries(inputs).filter(([path]) => !isCovered(path, inputs) || !watchFile(path)),
  )
}

/** A file inside a folder that is itself checked: replacing a folder above it is noticed there. */
function isCovered(path: string, inputs: Fingerprints): boolean {
  return (inputs[dirname(dirname(path))] ?? '-') !== '-'
}

function watchFile(path: string): boolean {
  if (process.platform !== 'linux') return false
  try {
    const stat = statSync(path, { throwIfNoEntry: false })
    // A watch on the target of a link does not notice that the link changes.
    if (!stat?.isFile() || realpathSync(path) !== path || !LOCAL_FILE_SYSTEMS.has(statfsSync(path).type))
      return false
    if (watched.get(path)?.inode === stat.ino) return true
    if (watched.size >= MAX_WATCHED_FILES) return false
    watched.get(path)?.watcher.close()
    const watcher = watch(path, { persistent: false }, (what) => (what === 'rename' ? drop(path) : news++))
    watcher.on('error', () => drop(path))
    watched.set(path, { inode: stat.ino, watcher })
    return true
  } catch {
    return false // no permission or no watches left: stat is used as before
  }
}

/** It was moved or removed. A new file may reuse its inode number. */
function drop(path: string): void {
  news++
  losses++
  watched.get(path)?.watcher.close()
  watched.delete(path)
}

/**
 * What `look` finds, looked for again when something changes at `path` (a file, or the names in a folder), and after
 * TRUST_INOTIFY_MS. Looks each time where changes are not reported.
 */
export function rememberWhileUnchanged<T>(path: string, look: () => T): () => T {
  let watcher: FSWatcher | undefined
  let found: { value: T; at: number } | undefined
  const forget = () => {
    watcher?.close()
    watcher = undefined
  }
  return () => {
    const at = now()
    if (watcher && found && at - found.at < TRUST_INOTIFY_MS) return found.value
    // Before the look, so that no change is missed.
    watcher ??= watchOrNot(path, forget)
    found = undefined
    found = { value: look(), at }
    return found.value
  }
}

function watchOrNot(path: string, changed: () => void): FSWatcher | undefined {
  if (process.platform !== 'linux') return undefined
  try {
    if (realpathSync(path) !== path || !LOCAL_FILE_SYSTEMS.has(statfsSync(path).type)) return undefined
    return watch(path, { persistent: false }, changed).on('error', changed)
  } catch {
    return undefined // absent, no permission, or no watches left
  }
}
