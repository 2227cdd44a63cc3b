/** Ends a process and all its descendants. */

import { now } from '../fast/clock.ts'
import { descendantsApart, isStill } from './descendants.ts'

const TERM_GRACE_MS = 100
const KILL_GRACE_MS = 500
const POLL_MS = 5

/**
 * TERM to the whole group, KILL to what is left of it. On Linux also to descendants in a session of their own (`setsid`),
 * unless they have lost their parent too; elsewhere no portable call finds them.
 */
export async function endGroup(pid: number, hasEnded: () => boolean): Promise<void> {
  const apart = descendantsApart(pid)
  const signalAll = (signal: NodeJS.Signals | 0) => {
    const there = apart.filter(isStill)
    for (const one of there) signalProcess(one.pid, signal)
    return signalProcess(-pid, signal) || there.length > 0
  }
  const isGone = (time: number) => within(time, () => !signalAll(0))
  if (!signalAll('SIGTERM') || (await isGone(TERM_GRACE_MS))) return
  if (!signalAll('SIGKILL')) return
  // Where nobody collects orphans a group of dead processes stays for ever: the leader's end must do.
  if (!(await isGone(POLL_MS))) await within(KILL_GRACE_MS, hasEnded)
}

/** Is a process of the group left? */
export function hasGroup(pid: number): boolean {
  return signalProcess(-pid, 0)
}

async function within(time: number, isDone: () => boolean): Promise<boolean> {
  const deadline = now() + time
  while (now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    if (isDone()) return true
  }
  return false
}

/** False when there is none; a negative number is that of a group. */
function signalProcess(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal)
    return true
  } catch (thrown) {
    // EPERM: it lives, but belongs to another user.
    return (thrown as NodeJS.ErrnoException).code === 'EPERM'
  }
}
