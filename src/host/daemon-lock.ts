/** One daemon for each user. SQLite holds the lock of the operating system: it goes when its process goes, however that ends. */

import { closeSync, existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { makeFolder } from '../config/make-folder.ts'
import { CrosshookError, messageOf } from '../spec/errors.ts'

export interface Lock {
  release(): void
}

/** Undefined when another process holds it. */
export function takeLock(stateDir: string): Lock | undefined {
  // `isLocked` of another process holds it for an instant.
  const db = open(stateDir, 500)
  try {
    db.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    db.close()
    if (isBusy(error)) return undefined
    throw unusable(stateDir, error)
  }
  return { release: () => db.close() }
}

/** Looks without taking it, also on a disk that can only be read. */
export function isLocked(stateDir: string): boolean {
  const path = join(stateDir, LOCK_FILE)
  if (!existsSync(path)) return false
  let db: DatabaseSync | undefined
  try {
    db = new (sqlite().DatabaseSync)(path, { timeout: 0, readOnly: true })
    db.prepare('SELECT count(*) FROM sqlite_master').get()
    return false
  } catch (error) {
    if (isBusy(error)) return true
    throw unusable(stateDir, error)
  } finally {
    db?.close()
  }
}

const LOCK_FILE = 'daemon.lock'
const SQLITE_BUSY = 5

function open(stateDir: string, timeout: number): DatabaseSync {
  const path = join(stateDir, LOCK_FILE)
  try {
    makeFolder(stateDir)
    // Closing a file lets go of every lock that this process has on it: SQLite sees to that, nobody else may open it.
    if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600))
    return new (sqlite().DatabaseSync)(path, { timeout })
  } catch (error) {
    throw unusable(stateDir, error)
  }
}

function sqlite() {
  return process.getBuiltinModule('node:sqlite')
}

function isBusy(error: unknown): boolean {
  return ((error as { errcode?: number }).errcode ?? 0) % 256 === SQLITE_BUSY
}

/** What is wrong with the state folder, for whoever needs it. */
export function unusable(stateDir: string, cause: unknown): CrosshookError {
  return new CrosshookError('store', `The daemon cannot use ${stateDir}: ${messageOf(cause)}.`, {
    fix: 'Make room on the disk of this folder, or let the daemon write there; XDG_STATE_HOME names another.',
    cause,
  })
}
