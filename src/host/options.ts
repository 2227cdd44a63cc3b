/** The daemon's options: the settings file, overridden by the command line. */

import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { paths, settingsFiles } from '../config/paths.ts'
import { readSettings, type Settings } from '../config/settings.ts'
import { CrosshookError, messageOf } from '../spec/errors.ts'
import type { Problem } from '../spec/hook.ts'
import { type Address, isLoopback, parseAddress } from './address.ts'

export interface DaemonOptions {
  env: NodeJS.ProcessEnv
  http: Address
  grpc: Address
  tls?: { cert: string; key: string }
  limits: Limits
  executeTool: boolean
  /** Variables of the daemon's own environment that hooks of API events get. */
  passEnv: readonly string[]
  otlpEndpoint?: string
}

export interface Limits {
  /** Events that run at once, and events that wait. */
  concurrent: number
  waiting: number
  /** Largest body of an event, and of anything else. */
  eventBytes: number
  adminBytes: number
  /** Most connected gRPC clients; further ones are refused. */
  connections: number
  /** Milliseconds in which a request must have arrived. */
  bodyTimeout: number
  /** Milliseconds that running work has to finish when the daemon stops. */
  stopTimeout: number
}

export const DEFAULT_LIMITS: Limits = {
  concurrent: 256,
  waiting: 1024,
  connections: 1000,
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
  const { settings, problems } = await readSettings(settingsFiles(where), where.home)
  refuseBadSettings(problems)
  const daemon = settings.daemon as DaemonSettings
  const http = parseAddress(given.http ?? daemon.http ?? '127.0.0.1:0', '--http')
  const grpc = parseAddress(given.grpc ?? daemon.grpc ?? '127.0.0.1:0', '--grpc')
  const tls = readTls(daemon)
  checkEndpoint(daemon.otlp_endpoint)
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
    passEnv: daemon.pass_env ?? [],
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
  pass_env?: string[]
  otlp_endpoint?: string
  max_concurrent?: number
  max_waiting?: number
  max_event_bytes?: number
  body_timeout_seconds?: number
}

/** Starting with defaults in place of broken settings could leave open what should be closed. */
function refuseBadSettings(problems: readonly Problem[]): void {
  const bad = problems.find(({ field }) => field === undefined || /^daemon\b/.test(field))
  if (bad)
    throw new CrosshookError('bad_settings', `${bad.file}: ${bad.message}`, { fix: bad.fix, cause: bad })
}

function readTls({ tls_cert, tls_key }: DaemonSettings): DaemonOptions['tls'] {
  if (tls_cert === undefined && tls_key === undefined) return undefined
  if (tls_cert === undefined || tls_key === undefined)
    throw new CrosshookError(
      'bad_settings',
      `daemon.tls_cert and daemon.tls_key belong together: ${tls_cert === undefined ? 'tls_cert' : 'tls_key'} is missing`,
      { fix: 'Set both in config.toml, or none.' },
    )
  let tls: { cert: string; key: string }
  try {
    tls = { cert: readFileSync(tls_cert, 'utf8'), key: readFileSync(tls_key, 'utf8') }
  } catch (error) {
    throw new CrosshookError('bad_settings', `The daemon's certificate cannot be read: ${messageOf(error)}`, {
      fix: 'Correct daemon.tls_cert and daemon.tls_key in config.toml, or let the daemon read the files.',
      cause: error,
    })
  }
  try {
    createSecureContext(tls)
    return tls
  } catch (error) {
    throw new CrosshookError(
      'bad_settings',
      `The daemon cannot use the certificate ${tls_cert} with the key ${tls_key}: ${messageOf(error)}`,
      {
        fix: 'Both must be PEM files: the certificate, with those that signed it, and its own key, without a passphrase.',
        cause: error,
      },
    )
  }
}

function checkEndpoint(endpoint: string | undefined): void {
  if (endpoint === undefined || /^https?:$/.test(URL.parse(endpoint)?.protocol ?? '')) return
  throw new CrosshookError('bad_settings', `daemon.otlp_endpoint is "${endpoint}": this is not a URL`, {
    fix: 'Write the address of the collector, such as http://127.0.0.1:4318.',
  })
}
