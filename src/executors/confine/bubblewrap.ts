/** Landlock cannot restrict Unix sockets, so bubblewrap gives the program a file system with only the allowed ones. */

import { existsSync } from 'node:fs'
import { helperArguments, visible } from './helper.ts'
import type { Policy } from './policy.ts'

/** Writable only by root; `PATH` does not choose the program that confines. */
const PLACES = ['/usr/bin/bwrap', '/bin/bwrap', '/usr/local/bin/bwrap']

export function findBubblewrap(): string | undefined {
  return PLACES.find((file) => existsSync(file))
}

/** The helper runs inside, so that nothing is weaker than without bubblewrap. */
export function bubblewrapArguments(policy: Policy, helper: string, cwd: string): string[] {
  return [
    ...['--unshare-user-try', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
    ...(policy.network ? [] : ['--unshare-net']),
    ...['--cap-drop', 'ALL', '--die-with-parent', '--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'],
    ...visible([...policy.read, helper], policy.hide).flatMap((path) => ['--ro-bind-try', path, path]),
    ...visible(policy.write, policy.hide).flatMap((path) => ['--bind-try', path, path]),
    ...policy.sockets.flatMap((path) => ['--bind-try', path, path]),
    ...['--remount-ro', '/', '--chdir', cwd, '--', helper, ...helperArguments(policy)],
  ]
}
