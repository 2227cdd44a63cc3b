/** Starts the process that talks to the fleet's hub, if this machine is enrolled and none runs. */

import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { paths } from '../config/paths.ts'
import { plainEnvironment } from './relay/start.ts'

/** A second process ends at once. */
export function startEdge(env: NodeJS.ProcessEnv): void {
  const { fleet } = paths(env)
  const main = process.argv[1]
  if (
    main === undefined ||
    env.CROSSHOOK_NO_DAEMON === '1' ||
    !existsSync(join(fleet.folder, 'enrolment.json'))
  )
    return
  const child = spawn(
    process.execPath,
    ['--max-old-space-size=256', '--disable-warning=ExperimentalWarning', main, 'edge'],
    {
      cwd: '/',
      detached: true,
      stdio: 'ignore',
      env: plainEnvironment(env),
      windowsHide: true,
    },
  )
  child.on('error', () => {}) // the next start of the engine or the daemon tries again
  child.unref()
}
