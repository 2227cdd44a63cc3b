/** Confines a hook's process: it reads, writes and reaches only what its `sandbox` says. Linux, by bubblewrap. */

import { existsSync } from 'node:fs'
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path'
import type { Hook } from '../spec/hook.ts'
import { type Failure, failure } from '../spec/outcome.ts'
import type { Start } from './process.ts'

/** What programs need to start at all, when a hook may read only what it names. */
const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/etc', '/opt', '/nix']

/** The same start inside the sandbox. One that cannot be had is a failure: a hook is never run with more than it asked for. */
export function confined(start: Start, hook: Hook): Start | Failure {
  if (!hook.sandbox) return start
  if (process.platform !== 'linux') return refused('a sandbox can be had only on Linux so far')
  const bwrap = onPath('bwrap', start.env.PATH)
  if (!bwrap) return refused('bubblewrap (bwrap) is not installed')
  const wish = hook.sandbox === true ? {} : hook.sandbox
  const net = wish.net ?? []
  if (net.some((host) => host !== '*'))
    return refused(`the network can be given whole (net: ['*']) or not at all, not ${net.join(', ')}`)
  const within = (path: string) => (isAbsolute(path) ? path : resolve(start.cwd, path))
  const own = [hook.origin.dir ?? dirname(hook.origin.file), start.cwd].filter(isAbsolute)
  const readable = hook.sandbox === true || !wish.read ? ['/'] : [...SYSTEM, ...wish.read.map(within)]
  const args = [
    ...readable.flatMap((path) => ['--ro-bind-try', path, path]),
    ...['--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp'],
    ...own.flatMap((path) => ['--ro-bind-try', path, path]),
    ...[start.env.AGENT_HOOK_STATE, ...(wish.write ?? []).map(within)].flatMap((path) =>
      path === undefined ? [] : ['--bind-try', path, path],
    ),
    ...(net.includes('*') ? [] : ['--unshare-net']),
    // In a process namespace of its own nothing survives it, whatever the hook starts.
    ...['--unshare-pid', '--unshare-ipc', '--die-with-parent', '--chdir', start.cwd],
  ]
  return { ...start, file: bwrap, args: [...args, '--', start.file, ...start.args] }
}

function refused(why: string): Failure {
  return failure(`it asks for a sandbox, but ${why}; it was not run`, { retryable: false })
}

function onPath(program: string, path = ''): string | undefined {
  return path
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find((file) => isAbsolute(file) && existsSync(file))
}
