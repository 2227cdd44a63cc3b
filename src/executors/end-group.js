/** Ends a process and all its descendants. */
import { now } from '../fast/clock.ts';
const TERM_GRACE = 100;
const KILL_GRACE = 500;
const POLL = 5;
/**
 * TERM to the whole group, KILL to what is left of it. A descendant that moved to a session of its own
 * (`setsid`) has left the group and cannot be reached this way; no portable call finds it.
 */
export async function endGroup(pid, hasEnded) {
    if (!signalGroup(pid, 'SIGTERM') || (await isGone(pid, TERM_GRACE)))
        return;
    if (!signalGroup(pid, 'SIGKILL'))
        return;
    // Where nobody collects orphans a group of dead processes stays for ever: the leader's end must do.
    if (!(await isGone(pid, POLL)))
        await within(KILL_GRACE, hasEnded);
}
function isGone(pid, time) {
    return within(time, () => !signalGroup(pid, 0));
}
async function within(time, isDone) {
    const deadline = now() + time;
    while (now() < deadline) {
        await new Promise((resolve) => setTimeout(resolve, POLL));
        if (isDone())
            return true;
    }
    return false;
}
/** False when no process of the group is left. */
function signalGroup(pid, signal) {
    try {
        process.kill(-pid, signal);
        return true;
    }
    catch (thrown) {
        // EPERM: the group lives, but what is left of it belongs to another user.
        return thrown.code === 'EPERM';
    }
}
