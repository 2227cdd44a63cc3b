/** Shared by the daemon's tests: a separate place for each, and a daemon in it. */

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { calledBefore } from '../../test/compile-cache.ts'
import type { Hook } from '../spec/hook.ts'
import { type Log, NO_LOG } from './log.ts'
import { daemonOptions, type Limits } from './options.ts'
import { type Daemon, startDaemon } from './serve.ts'

export interface Place {
  root: string
  env: NodeJS.ProcessEnv
  /** Below the configuration folder. */
  configure(file: string, content: unknown): void
}

export function place(): Place {
  const root = mkdtempSync(join(tmpdir(), 'crosshook-daemon-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 10 }))
  const env = calledBefore({
    PATH: process.env.PATH,
    HOME: join(root, 'home'),
    XDG_CONFIG_HOME: join(root, 'config'),
    XDG_STATE_HOME: join(root, 'state'),
    XDG_CACHE_HOME: join(root, 'cache'),
    XDG_RUNTIME_DIR: join(root, 'run'),
    CROSSHOOK_MANAGED_DIR: join(root, 'managed'),
  })
  mkdirSync(env.HOME, { recursive: true })
  return {
    root,
    env,
    configure(file, content) {
      const path = join(env.XDG_CONFIG_HOME, file)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
    },
  }
}

export interface Running extends Place {
  daemon: Daemon
  token: string
  eventsToken: string
  /** A JSON request with the admin token. */
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Asked>
  fire(
    event: Record<string, unknown>,
  ): Promise<{ decision: string; reason: string | null } & Record<string, unknown>>
}

export interface Asked {
  status: number
  headers: Headers
  body: Record<string, unknown>
}

export interface RunOptions {
  at?: Place
  limits?: Partial<Limits>
  hooks?: readonly Hook[]
  log?: Log
}

export async function runningDaemon({
  at = place(),
  limits = {},
  hooks = [],
  log = NO_LOG,
}: RunOptions = {}): Promise<Running> {
  // A new port each time: otherwise `fetch` would reuse a connection to the previous daemon.
  rmSync(join(at.env.XDG_STATE_HOME!, 'crosshook', 'daemon.port'), { force: true })
  const options = await daemonOptions(at.env)
  const daemon = await startDaemon({
    ...options,
    limits: { ...options.limits, ...limits },
    log,
    hooks,
  })
  onTestFinished(() => daemon.stop())
  const token = readFileSync(daemon.status.token_file, 'utf8').trim()
  const eventsToken = readFileSync(daemon.status.events_token_file, 'utf8').trim()
  const ask: Running['ask'] = async (method, path, body, headers = {}) => {
    const response = await fetch(`${daemon.status.http}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json')
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : { text } }
  }
  return {
    ...at,
    daemon,
    token,
    eventsToken,
    ask,
    fire: async (event) => (await ask('POST', '/v1/events', event)).body as never,
  }
}

/** Writes a user's HOOK.md with the given script. */
export function userHook({ env }: Place, name: string, script: string, more = ''): void {
  const folder = join(env.XDG_CONFIG_HOME!, 'agents', 'hooks', name)
  mkdirSync(join(folder, 'scripts'), { recursive: true })
  writeFileSync(
    join(folder, 'HOOK.md'),
    `---\nname: ${name}\ndescription: A hook of a test\ntrigger: before_tool\n${more}---\n\n# ${name}\n`,
  )
  writeFileSync(join(folder, 'scripts', 'run.sh'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
}
