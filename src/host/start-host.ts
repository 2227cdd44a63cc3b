/** Starts the daemon for a waiting question when none runs. After a failed start the other channels remain. */

import { paths } from '../config/paths.ts'
import { logLines } from '../pipeline/hook-log.ts'
import { messageOf } from '../spec/errors.ts'
import { startDetached } from './control.ts'
import { plainEnvironment } from './relay/start.ts'
import { readStatus } from './status-file.ts'

/** One start at a time per process. */
let starting: Promise<unknown> | undefined

export function startHost(env: NodeJS.ProcessEnv): void {
  const { state } = paths(env)
  // Only the command-line program can start a daemon, not a program that embeds crosshook.
  if (starting || !/(?:^|[\\/])main\.[cm]?[jt]s$/.test(process.argv[1] ?? '') || readStatus(state)) return
  starting = startDetached(plainEnvironment(env), [], [])
    .catch((error: unknown) => {
      // Another process was quicker.
      if (!readStatus(state))
        logLines(state, [`the daemon, which asks people, could not be started: ${messageOf(error)}`])
    })
    .finally(() => {
      starting = undefined
    })
}
