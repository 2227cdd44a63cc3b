/** What `install --http` needs: a stable address, the token, and a daemon that listens there. */

import { randomInt } from 'node:crypto'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { makeFolder } from '../config/make-folder.ts'
import { paths } from '../config/paths.ts'
import { eventsToken, openTokens } from '../host/access-tokens.ts'
import { formatAddress, isLoopback } from '../host/address.ts'
import { startDetached } from '../host/control.ts'
import { unusable } from '../host/daemon-lock.ts'
import { daemonOptions } from '../host/options.ts'
import { throughProxy } from '../host/required.ts'
import { type DaemonStatus, readStatus } from '../host/status-file.ts'
import { CrosshookError } from '../spec/errors.ts'
import { readText } from '../spec/read-file.ts'
import type { HttpForm } from './command-line.ts'
import { fixAddress } from './fix-address.ts'
import { writeBytes } from './settings-bytes.ts'

export interface HttpPlan extends HttpForm {
  /** The settings file, if it has to name the address from now on. */
  settings?: { file: string; before: string; after: string }
}

const HOST = '127.0.0.1'
/** Below the ports that systems assign by themselves; chosen at random, so that nobody can wait for it. */
const PORTS = { from: 20_000, to: 30_000 }
const TRIES = 20

export async function planHttp(env: NodeJS.ProcessEnv, isDry: boolean): Promise<HttpPlan> {
  const { state, settings: file } = paths(env)
  if (env.CROSSHOOK_NO_DAEMON === '1')
    throw new CrosshookError('refused', '--http needs the daemon, and CROSSHOOK_NO_DAEMON=1 forbids it.', {
      fix: 'Unset it, or install without --http.',
    })
  const { http, tls } = await daemonOptions(env)
  if (tls || !isLoopback(http.host))
    throw new CrosshookError(
      'refused',
      `The daemon is set to listen on ${tls ? 'TLS' : http.host}; agents call it on loopback, without a certificate.`,
      { fix: 'Install without --http, or take tls_cert and http out of the [daemon] table of config.toml.' },
    )
  const token = isDry ? eventsToken(state) : makeToken(state)
  if (http.port !== 0) return { origin: `http://${formatAddress(http)}`, token }
  // The current port is as good as any, and needs no restart.
  const running = readStatus(state)
  const address = running ? new URL(running.http).host : `${HOST}:${await freePort()}`
  const before = existsSync(file) ? readText(file) : ''
  const after = fixAddress(before, address, file)
  return { origin: `http://${address}`, token, settings: { file, before, after } }
}

/** Fixes the address and starts the daemon there, before any agent is told. */
export async function prepareHttp(env: NodeJS.ProcessEnv, { origin, settings }: HttpPlan): Promise<void> {
  const problem = throughProxy(env, origin)
  if (problem) throw new CrosshookError('refused', problem.message, { fix: problem.fix })
  if (settings) writeBytes(settings.file, Buffer.from(settings.after), 0o600)
  const running = readStatus(paths(env).state) ?? (await startDetached(env, []))
  if (running.http !== origin) throw elsewhere(running, origin)
}

function elsewhere(running: DaemonStatus, origin: string): CrosshookError {
  return new CrosshookError(
    'refused',
    `The daemon listens at ${running.http}, and your settings say ${origin}.`,
    { fix: 'Start it anew: crosshook daemon stop, crosshook daemon start. Then install again.' },
  )
}

function makeToken(state: string): string {
  try {
    makeFolder(state)
    return openTokens(state).events
  } catch (error) {
    throw error instanceof CrosshookError ? error : unusable(state, error)
  }
}

async function freePort(): Promise<number> {
  for (let i = 0; i < TRIES; i++) {
    const port = randomInt(PORTS.from, PORTS.to)
    if (await isFree(port)) return port
  }
  throw new CrosshookError('refused', `No free port was found on ${HOST}.`, {
    fix: 'Write http = "127.0.0.1:PORT" into the [daemon] table of config.toml.',
  })
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
      .once('error', () => resolve(false))
      .listen(port, HOST, () => server.close(() => resolve(true)))
  })
}
