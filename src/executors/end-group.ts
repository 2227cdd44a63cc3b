/** Ends a process and all its descendants. */

const TERM_GRACE = 100
const KILL_GRACE = 500
const POLL = 5

/**
 * TERM to the whole group, KILL to what is left of it. A descendant that moved to a session of its own
 * (`setsid`) has left the group and cannot be reached this way; no portable call finds it.
 */
export async function endGroup(pid: number): Promise<void> {
  if (!signalGroup(pid, 'SIGTERM') || (await isGone(pid, TERM_GRACE))) return
  if (signalGroup(pid, 'SIGKILL')) await isGone(pid, KILL_GRACE)
}

async function isGone(pid: number, within: number): Promise<boolean> {
  const deadline = performance.now() + within
  while (performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, POLL))
    if (!signalGroup(pid, 0)) return true
  }
  return false
}

/** False when no process of the group is left. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-pid, signal)
    return true
  } catch (thrown) {
    // EPERM: the group lives, but what is left of it belongs to another user.
    return (thrown as NodeJS.ErrnoException).code === 'EPERM'
  }
}
