/** One daemon per user. SQLite holds an operating-system lock, which is released when its process ends in any way. */

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
  // The short wait is for `isLocked` in another process, which holds the lock for an instant.
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

/** Checks without taking the lock; also works on a read-only disk. */
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
    // Closing a file releases every lock that this process has on it, so only SQLite may open it.
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

/** The error for an unusable state folder. */
export function unusable(stateDir: string, cause: unknown): CrosshookError {
  return new CrosshookError('store', `The daemon cannot use ${stateDir}: ${messageOf(cause)}.`, {
    fix: 'Make room on the disk of this folder, or let the daemon write there; XDG_STATE_HOME names another.',
    cause,
  })
}
