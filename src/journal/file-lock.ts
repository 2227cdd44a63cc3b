/** Short critical sections between processes, by a file that only one can create. */

import { closeSync, openSync, rmSync, statSync } from 'node:fs'

const STALE = 10_000
const PAUSE = 10

/** Runs `work` while no other process holds the lock. A lock left behind by a dead process is taken over. */
export function withLock<T>(path: string, work: () => T): T {
  const patienceEnds = Date.now() + 2 * STALE
  while (!take(path)) {
    if (isStale(path) || Date.now() > patienceEnds) rmSync(path, { force: true })
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE)
  }
  try {
    return work()
  } finally {
    rmSync(path, { force: true })
  }
}

function take(path: string): boolean {
  try {
    closeSync(openSync(path, 'wx', 0o600))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function isStale(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false })
  // Also one of the future: the clock was set back since.
  return found !== undefined && Math.abs(Date.now() - found.mtimeMs) > STALE
}
