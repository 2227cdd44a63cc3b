/** Landlock cannot name Unix sockets: a view of the file system that holds only those does. */
import { existsSync } from 'node:fs';
import { helperArguments, visible } from './helper.ts';
/** Places that only root can write to; `PATH` does not choose what confines. */
const PLACES = ['/usr/bin/bwrap', '/bin/bwrap', '/usr/local/bin/bwrap'];
export function findBubblewrap() {
    return PLACES.find((file) => existsSync(file));
}
/** The helper runs inside, so that nothing is weaker than without. */
export function bubblewrapArguments(policy, helper, cwd) {
    return [
        ...['--unshare-user-try', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
        ...(policy.network ? [] : ['--unshare-net']),
        ...['--cap-drop', 'ALL', '--die-with-parent', '--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'],
        ...visible([...policy.read, helper], policy.hide).flatMap((path) => ['--ro-bind-try', path, path]),
        ...visible(policy.write, policy.hide).flatMap((path) => ['--bind-try', path, path]),
        ...policy.sockets.flatMap((path) => ['--bind-try', path, path]),
        ...['--remount-ro', '/', '--chdir', cwd, '--', helper, ...helperArguments(policy)],
    ];
}
