/** What an agent that calls over HTTP needs: the daemon at its address, and no proxy in between. */

import { setTimeout as sleep } from 'node:timers/promises'
import { overHttp } from '../config/over-http.ts'
import { paths } from '../config/paths.ts'
import { sha256Hex } from '../fast/digest.ts'
import { CrosshookError, messageOf } from '../spec/errors.ts'
import type { EntryProblem } from '../spec/installer.ts'
import { eventsToken } from './access-tokens.ts'
import { startDetached } from './control.ts'
import { plainEnvironment } from './relay/start.ts'
import { type DaemonStatus, readStatus } from './status-file.ts'

type Trouble = Omit<EntryProblem, 'level'>

/** A daemon that another process is starting answers within this time. */
const START_LIMIT_MS = 5000

/** Starts the daemon when it is not running. Returns what is wrong; undefined when nothing is, or nothing is needed. */
export async function required(agent: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const { state } = paths(env)
  const entry = overHttp(state)[agent]
  if (entry === undefined) return undefined
  const { origin, token } = entry
  const trouble =
    throughProxy(env, origin) ?? (await reach(env, origin)) ?? otherToken(agent, token, eventsToken(state))
  return (
    trouble &&
    `crosshook cannot guard this session. ${trouble.message} ${trouble.fix} \`crosshook install ${agent}\` goes back to commands, which need no daemon.`
  )
}

/** Why calls to an origin do not reach the running daemon. */
export function away(status: DaemonStatus | undefined, origin: string): Trouble | undefined {
  if (status === undefined)
    return {
      message: `The daemon is not running, so nobody answers for crosshook at ${origin}.`,
      fix: 'Start it: crosshook daemon start.',
    }
  if (status.http === origin) return undefined
  return {
    message: `The daemon listens at ${status.http}, but the agent calls ${origin}.`,
    fix: `Restart it at that address: crosshook daemon stop, crosshook daemon start --http ${new URL(origin).host}.`,
  }
}

/** Agents use the proxy of their environment even for loopback addresses. */
export function throughProxy(env: NodeJS.ProcessEnv, origin: string): Trouble | undefined {
  const name = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'].find((each) => env[each])
  if (name === undefined) return undefined
  const { hostname, host } = new URL(origin)
  const direct = `${env.NO_PROXY ?? ''},${env.no_proxy ?? ''}`.split(/[\s,]+/)
  if (['*', hostname, host].some((each) => direct.includes(each))) return undefined
  return {
    message: `${name} is set, so that agents call ${origin} through a proxy.`,
    fix: `Add ${hostname} to NO_PROXY.`,
  }
}

/** `digest` of the token that was written to the agent's settings. */
function otherToken(agent: string, digest: string, token: string): Trouble | undefined {
  if (sha256Hex(token) === digest) return undefined
  return {
    message: "The token in the agent's settings is not the one of the daemon, which refuses its calls.",
    fix: `Write it again: crosshook install ${agent} --http.`,
  }
}

async function reach(env: NodeJS.ProcessEnv, origin: string): Promise<Trouble | undefined> {
  const { state } = paths(env)
  const running = readStatus(state)
  if (running) return away(running, origin)
  if (env.CROSSHOOK_NO_DAEMON === '1')
    return {
      message: 'The daemon is not running, and CROSSHOOK_NO_DAEMON=1 forbids to start it.',
      fix: 'Unset it.',
    }
  try {
    await startDetached(plainEnvironment(env), ['--http', new URL(origin).host], [])
  } catch (error) {
    const isOther = error instanceof CrosshookError && error.code === 'daemon_running'
    if (!isOther)
      return {
        message: `The daemon is not running and cannot be started: ${messageOf(error).replace(/\.?$/, '.')}`,
        fix: error instanceof CrosshookError ? error.fix : 'See `crosshook doctor`.',
      }
  }
  for (const end = Date.now() + START_LIMIT_MS; readStatus(state) === undefined && Date.now() < end; )
    await sleep(20)
  return away(readStatus(state), origin)
}
