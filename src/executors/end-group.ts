/** Ends a process and all its descendants. */

import { now } from '../fast/clock.ts'

const TERM_GRACE_MS = 100
const KILL_GRACE_MS = 500
const POLL_MS = 5

/**
 * TERM to the whole group, then KILL. A descendant that moved to its own session (`setsid`) has left the group and
 * cannot be reached this way; no portable call finds it.
 */
export async function endGroup(pid: number, hasEnded: () => boolean): Promise<void> {
  if (!signalGroup(pid, 'SIGTERM') || (await isGone(pid, TERM_GRACE_MS))) return
  if (!signalGroup(pid, 'SIGKILL')) return
  // Where nobody reaps orphans, a group of zombies stays for ever: the leader's end must do.
  if (!(await isGone(pid, POLL_MS))) await within(KILL_GRACE_MS, hasEnded)
}

function isGone(pid: number, time: number): Promise<boolean> {
  return within(time, () => !signalGroup(pid, 0))
}

async function within(time: number, isDone: () => boolean): Promise<boolean> {
  const deadline = now() + time
  while (now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    if (isDone()) return true
  }
  return false
}

/** False when no process of the group is left. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-pid, signal)
    return true
  } catch (thrown) {
    // EPERM: the group exists, but its remaining processes belong to another user.
    return (thrown as NodeJS.ErrnoException).code === 'EPERM'
  }
}
