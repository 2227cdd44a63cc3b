/** The daemon's process, from its options to its exit status. */

import { closeSync, writeSync } from 'node:fs'
import { CrosshookError, messageOf } from '../spec/errors.ts'
import { logFile, READY_VARIABLE, type Ready } from './control.ts'
import { takeVariable } from './environment.ts'
import { createLog } from './log.ts'
import { daemonOptions } from './options.ts'
import { startDaemon } from './serve.ts'
import type { DaemonStatus } from './status-file.ts'

export interface Foreground {
  env: NodeJS.ProcessEnv
  http?: string | undefined
  grpc?: string | undefined
  /** Called when the daemon runs in the foreground. */
  ready: (status: DaemonStatus) => void
}

export async function runDaemon({ env: given, http, grpc, ready }: Foreground): Promise<number> {
  // Hooks inherit our environment, but must not get this handle.
  const handle = takeVariable(READY_VARIABLE)
  const env = { ...given }
  delete env[READY_VARIABLE]
  try {
    if (env.CROSSHOOK_NO_DAEMON === '1')
      throw new CrosshookError('refused', 'CROSSHOOK_NO_DAEMON=1 forbids a daemon.', {
        fix: 'Unset it to start one.',
      })
    const options = await daemonOptions(env, { http, grpc })
    const log = createLog(handle === undefined ? undefined : logFile(env))
    process.on('unhandledRejection', (reason) =>
      log.error(`unexpected: ${String((reason as Error)?.stack ?? reason)}`),
    )
    const daemon = await startDaemon({ ...options, log })
    const stopped = new Promise<void>((resolve, reject) => {
      for (const signal of ['SIGTERM', 'SIGINT'] as const)
        process.on(signal, () => void daemon.stop().then(resolve, reject))
    })
    if (handle === undefined) ready(daemon.status)
    else report(handle, daemon.status)
    await stopped
    return 0
  } catch (error) {
    if (handle === undefined) throw error
    const known = error instanceof CrosshookError ? error : new CrosshookError('internal', messageOf(error))
    report(handle, { error: { code: known.code, message: known.message, fix: known.fix } })
    return known.exitCode
  }
}

function report(handle: string, said: Ready): void {
  writeSync(Number(handle), `${JSON.stringify(said)}\n`)
  closeSync(Number(handle))
}
