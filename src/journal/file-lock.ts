/** Short critical sections between processes, by a file that only one can create. */

import { closeSync, openSync, rmSync, statSync } from 'node:fs'

const STALE_MS = 10_000
const RETRY_MS = 10

/** Runs `work` while no other process holds the lock. A lock left behind by a dead process is taken over. */
export function withLock<T>(path: string, work: () => T): T {
  const patienceEnds = Date.now() + 2 * STALE_MS
  while (!take(path)) {
    if (isStale(path) || Date.now() > patienceEnds) rmSync(path, { force: true })
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS)
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
  // A time in the future counts as well: the clock was set back.
  return found !== undefined && Math.abs(Date.now() - found.mtimeMs) > STALE_MS
}
