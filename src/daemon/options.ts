/** The daemon's options: what the settings file says, then what the command line says. */

import { readFileSync } from 'node:fs'
import { paths } from '../config/paths.ts'
import { readSettings, type Settings } from '../config/settings.ts'
import { CrosshookError, messageOf } from '../spec/errors.ts'
import { type Address, isLoopback, parseAddress } from './address.ts'

export interface DaemonOptions {
  env: NodeJS.ProcessEnv
  http: Address
  grpc: Address
  tls?: { cert: string; key: string }
  limits: Limits
  executeTool: boolean
  otlpEndpoint?: string
}

export interface Limits {
  /** Events that run at once, and events that wait for their turn. */
  concurrent: number
  waiting: number
  /** Largest body of an event, and of anything else. */
  eventBytes: number
  adminBytes: number
  /** A request must have arrived in full after so long. */
  bodyTimeout: number
  /** What runs when the daemon is told to stop has so long to finish. */
  stopTimeout: number
}

export const DEFAULT_LIMITS: Limits = {
  concurrent: 256,
  waiting: 1024,
  eventBytes: 32 * 1024 * 1024,
  adminBytes: 4 * 1024 * 1024,
  bodyTimeout: 15_000,
  stopTimeout: 30_000,
}

export async function daemonOptions(
  env: NodeJS.ProcessEnv,
  given: { http?: string | undefined; grpc?: string | undefined } = {},
): Promise<DaemonOptions> {
  const where = paths(env)
  const { settings } = await readSettings([where.settings, where.managedSettings])
  const daemon = settings.daemon as DaemonSettings
  const http = parseAddress(given.http ?? daemon.http ?? '127.0.0.1:0', '--http')
  const grpc = parseAddress(given.grpc ?? daemon.grpc ?? '127.0.0.1:0', '--grpc')
  const tls = readTls(daemon)
  for (const { host } of [http, grpc])
    if (!isLoopback(host) && !tls && !daemon.allow_plaintext)
      throw new CrosshookError(
        'refused',
        `${host} can be reached from other machines, and there is no certificate`,
        {
          fix: 'Use 127.0.0.1, or set daemon.tls_cert and daemon.tls_key (or daemon.allow_plaintext) in config.toml.',
        },
      )
  return {
    env,
    http,
    grpc,
    ...(tls ? { tls } : {}),
    limits: {
      ...DEFAULT_LIMITS,
      ...(daemon.max_concurrent === undefined ? {} : { concurrent: daemon.max_concurrent }),
      ...(daemon.max_waiting === undefined ? {} : { waiting: daemon.max_waiting }),
      ...(daemon.max_event_bytes === undefined ? {} : { eventBytes: daemon.max_event_bytes }),
      ...(daemon.body_timeout_seconds === undefined
        ? {}
        : { bodyTimeout: daemon.body_timeout_seconds * 1000 }),
    },
    executeTool: daemon.execute_tool === true,
    ...(daemon.otlp_endpoint === undefined ? {} : { otlpEndpoint: daemon.otlp_endpoint }),
  }
}

/** The `daemon` table of config.toml, which its schema has checked. */
interface DaemonSettings extends NonNullable<Settings['daemon']> {
  http?: string
  grpc?: string
  tls_cert?: string
  tls_key?: string
  allow_plaintext?: boolean
  execute_tool?: boolean
  otlp_endpoint?: string
  max_concurrent?: number
  max_waiting?: number
  max_event_bytes?: number
  body_timeout_seconds?: number
}

function readTls({ tls_cert, tls_key }: DaemonSettings): DaemonOptions['tls'] {
  if (tls_cert === undefined && tls_key === undefined) return undefined
  if (tls_cert === undefined || tls_key === undefined)
    throw new CrosshookError(
      'bad_settings',
      'daemon.tls_cert and daemon.tls_key belong together: one is missing',
    )
  try {
    return { cert: readFileSync(tls_cert, 'utf8'), key: readFileSync(tls_key, 'utf8') }
  } catch (error) {
    throw new CrosshookError('bad_settings', `The daemon's certificate cannot be read: ${messageOf(error)}`, {
      cause: error,
    })
  }
}
