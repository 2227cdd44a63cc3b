/** The daemon: takes the lock, opens its doors, and closes them in order when it is told to stop. */

import { chmodSync, lstatSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { paths } from '../config/paths.ts'
import { CrosshookError } from '../spec/errors.ts'
import type { Hook } from '../spec/hook.ts'
import { type Core, createCore } from './core.ts'
import { serveGrpc } from './grpc/server.ts'
import { serveHttp, serveSocket } from './http/server.ts'
import { readStatus } from './http/status.ts'
import { takeLock } from './lock.ts'
import type { Log } from './log.ts'
import { measure } from './measurements.ts'
import type { DaemonOptions } from './options.ts'
import { type DaemonStatus, forgetStatus, writeStatus } from './status-file.ts'
import { openTelemetry } from './telemetry.ts'
import { openTokens } from './tokens.ts'

/** A further door, such as the socket of the warm engine. */
export type Listener = (core: Core) => Promise<{ close(): Promise<void> }>

export interface Daemon {
  readonly status: DaemonStatus
  readonly core: Core
  /** Finishes what runs, then ends. */
  stop(): Promise<void>
}

export interface ServeOptions extends DaemonOptions {
  log: Log
  listeners?: readonly Listener[]
  /** Hooks of a program that holds the daemon within itself. */
  hooks?: readonly Hook[]
}

export async function startDaemon(options: ServeOptions): Promise<Daemon> {
  const { log } = options
  const where = paths(options.env)
  const lock = takeLock(where.state)
  if (!lock) throw new CrosshookError('daemon_running', 'A daemon of this user is already running.')
  const doors: { close(): Promise<void> }[] = []
  try {
    forgetStatus(where.state)
    const tokens = openTokens(where.state)
    const telemetry = await openTelemetry(options.otlpEndpoint, options.env, log)
    const closing = new AbortController()
    const core = createCore({
      options,
      tokens,
      log,
      telemetry,
      closing: closing.signal,
      ...(options.hooks ? { hooks: options.hooks } : {}),
    })
    telemetry.measure(core.startedAt, async () => measure(core, (await readStatus(core)).hooks))
    const socket = socketPath(where.runtime, log)
    if (socket !== null) doors.push(await serveSocket(core, socket))
    const http = await serveHttp(core, options.http)
    doors.push(http)
    const grpc = await serveGrpc(core, options.grpc)
    doors.push(grpc)
    for (const listener of options.listeners ?? []) doors.push(await listener(core))
    const status: DaemonStatus = {
      running: true,
      pid: process.pid,
      socket,
      http: http.address,
      grpc: grpc.address,
      token_file: tokens.adminFile,
      events_token_file: tokens.eventsFile,
    }
    writeStatus(where.state, status)
    log.info('the daemon is ready', { ...status })
    let stopped: Promise<void> | undefined
    const stop = async () => {
      log.info('the daemon is stopping')
      core.stopping = true
      await Promise.race([core.admission.idle(), patience(options.limits.stopTimeout)])
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
    await Promise.all(doors.map((door) => door.close()))
    lock.release()
    throw error
  }
}

/** Longer paths do not fit into the address of a socket. */
const LONGEST_PATH = 103

function socketPath(folder: string, log: Log): string | null {
  const path = join(folder, 'daemon.sock')
  if (Buffer.byteLength(path) > LONGEST_PATH) {
    log.warn(
      `${path} is too long for a socket: the daemon goes without one. Set XDG_RUNTIME_DIR to a shorter path.`,
    )
    return null
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  chmodSync(folder, 0o700)
  // The lock is ours, so whoever listened here is gone.
  if (lstatSync(path, { throwIfNoEntry: false })?.isSocket()) rmSync(path)
  return path
}

function patience(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref())
}
