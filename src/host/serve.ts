/** The daemon: takes the lock, opens its listeners, and closes them in order when it is told to stop. */

import { paths } from '../config/paths.ts'
import { CrosshookError, messageOf } from '../spec/errors.ts'
import type { Hook } from '../spec/hook.ts'
import { openTokens } from './access-tokens.ts'
import { type Core, createCore } from './core.ts'
import { takeLock } from './daemon-lock.ts'
import { grpcListener } from './grpc/server.ts'
import { type Listener, openAll } from './host.ts'
import { httpListener, socketListener } from './http/server.ts'
import { hookTotals, readStatus } from './http/status.ts'
import type { Log } from './log.ts'
import { measure } from './measurements.ts'
import type { DaemonOptions } from './options.ts'
import { optionalRelayListener } from './relay/listener.ts'
import { startEdge } from './start-edge.ts'
import { type DaemonStatus, forgetStatus, writeStatus } from './status-file.ts'
import { openTelemetry } from './telemetry.ts'

export interface Daemon {
  readonly status: DaemonStatus
  readonly core: Core
  /** Finishes running work, then ends. */
  stop(): Promise<void>
}

export interface ServeOptions extends DaemonOptions {
  log: Log
  /** Beside HTTP and gRPC; by default the relay. */
  listeners?: readonly Listener<Core>[]
  /** Hooks of a program that embeds the daemon. */
  hooks?: readonly Hook[]
}

export async function startDaemon(options: ServeOptions): Promise<Daemon> {
  const { log, hooks = [], listeners = [optionalRelayListener] } = options
  const where = paths(options.env)
  const lock = takeLock(where.state)
  if (!lock) throw new CrosshookError('daemon_running', 'A daemon of this user is already running.')
  try {
    forgetStatus(where.state)
    const tokens = openTokens(where.state)
    const telemetry = await openTelemetry(options.otlpEndpoint, options.env, log)
    const closing = new AbortController()
    const core = createCore({ options, tokens, log, telemetry, closing: closing.signal, hooks })
    telemetry.measure(core.startedAt, async () =>
      measure(core, (await readStatus(core)).hooks, hookTotals(core)),
    )
    const doors = await openAll(core, [socketListener, httpListener, grpcListener, ...listeners])
    const [socket, http, grpc] = doors
    const status: DaemonStatus = {
      running: true,
      pid: process.pid,
      socket: socket.address,
      http: http.address,
      grpc: grpc.address,
      token_file: tokens.adminFile,
      events_token_file: tokens.eventsFile,
    }
    writeStatus(where.state, status)
    core.frontDesk.get().catch((error: unknown) => log.error(`people cannot be asked: ${messageOf(error)}`))
    log.info('the daemon is ready', { ...status })
    startEdge(options.env)
    let stopped: Promise<void> | undefined
    const stop = async () => {
      log.info('the daemon is stopping')
      core.stopping = true
      await core.runtime.stopAsking()
      await Promise.race([core.admission.idle(), timeLimit(options.limits.stopTimeout)])
      await core.runtime.settled()
      closing.abort()
      await Promise.all(doors.map((door) => door.close()))
      await telemetry.close()
      await core.close()
      forgetStatus(where.state)
      log.info('the daemon has stopped')
      lock.release()
    }
    return { status, core, stop: () => (stopped ??= stop()) }
  } catch (error) {
    lock.release()
    throw error
  }
}

function timeLimit(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref())
}
