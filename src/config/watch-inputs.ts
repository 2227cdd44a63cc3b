/** A resident process is told by inotify when a file changes that something was read from. */

import { type FSWatcher, realpathSync, statfsSync, statSync, watch } from 'node:fs'
import { dirname } from 'node:path'
import { now } from '../fast/clock.ts'
import { type Fingerprints, isCurrent } from './fingerprint.ts'

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
