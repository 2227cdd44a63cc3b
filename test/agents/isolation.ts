/** Only loopback can be reached, and whatever an agent leaves running ends with its run. */

import { spawnSync } from 'node:child_process'

const UNSHARE = ['unshare', '--net', '--pid', '--fork', '--kill-child', '--mount-proc']
const LOOPBACK = ['sh', '-c', 'ip link set lo up && exec "$@"', 'sh']

/** What to put before a command, and what to tell the person. */
export function isolation(): { prefix: string[]; note?: string } {
  for (const unshare of [UNSHARE, [...UNSHARE, '--map-root-user']]) {
    const prefix = [...unshare, ...LOOPBACK]
    const [program = '', ...args] = [...prefix, 'true']
    if (spawnSync(program, args).status === 0) return { prefix }
  }
  return {
    prefix: [],
    note: 'Namespaces are not available here: the agents run with the network of this machine.',
  }
}
