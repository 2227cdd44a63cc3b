/** Is a daemon running, and where. */

import { paths } from '../config/paths.ts'
import { type DaemonStatus, readStatus } from '../host/status-file.ts'

export function daemonStatus(env: NodeJS.ProcessEnv): DaemonStatus | { running: false } {
  return readStatus(paths(env).state) ?? { running: false }
}
