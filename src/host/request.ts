/** A request to this user's running daemon, by its socket if it has one. */

import { request } from 'node:http'
import { paths } from '../config/paths.ts'
import { CrosshookError } from '../spec/errors.ts'
import { readText } from '../spec/read-file.ts'
import { type DaemonStatus, readStatus } from './status-file.ts'

export interface Answer {
  status: number
  body: unknown
}

export interface Asked {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  body?: unknown
  headers?: Record<string, string>
  /** Use TCP even if there is a socket: the daemon can then tell which program asks. */
  byTcp?: boolean
}

/** How long a daemon has to answer a ping before it counts as hung. The ping does not wait for hooks. */
const PING_LIMIT_MS = 5000
const PING_EVERY_MS = 2000

/** Throws when no daemon runs, and when the running one stops answering pings before it has answered. */
export async function askDaemon(env: NodeJS.ProcessEnv, asked: Asked): Promise<Answer> {
  const status = readStatus(paths(env).state)
  if (!status) throw new CrosshookError('no_daemon', 'No daemon is running.')
  const over = new AbortController()
  try {
    return await Promise.race([send(status, asked, over.signal), whenItHangs(status, over.signal)])
  } finally {
    over.abort()
  }
}

/** Does it answer a ping within this time? */
export async function answersPing(status: DaemonStatus, limit = PING_LIMIT_MS): Promise<boolean> {
  const signal = AbortSignal.timeout(limit)
  return send(status, { method: 'GET', path: '/healthz' }, signal).then(
    () => true,
    () => false,
  )
}

/** Rejects when a ping fails; otherwise never settles. */
async function whenItHangs(status: DaemonStatus, over: AbortSignal): Promise<never> {
  for (;;) {
    await pause(PING_EVERY_MS, over)
    if (!over.aborted && !(await answersPing(status)) && !over.aborted) throw hangs(status)
    if (over.aborted) return new Promise(() => {})
  }
}

export function hangs({ pid }: DaemonStatus): CrosshookError {
  return new CrosshookError('no_daemon', `The daemon (process ${pid}) runs but does not answer: it hangs.`, {
    fix: `End it with \`kill -9 ${pid}\` and start it again with \`crosshook daemon start\`.`,
  })
}

function pause(ms: number, over: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    over.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

async function send(
  status: DaemonStatus,
  { method, path, body, headers = {}, byTcp = false }: Asked,
  signal: AbortSignal,
): Promise<Answer> {
  const { open, authorization, ...target } =
    status.socket && !byTcp
      ? { socketPath: status.socket, open: request, authorization: {} }
      : await overTcp(status.http, readText(status.token_file).trim())
  const text = body === undefined ? '' : JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const options = { ...target, method, path, signal, headers: { ...headers, ...authorization } }
    const sent = open(options, (response) => {
      let answer = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        answer += chunk
      })
      response.once('error', reject)
      response.once('end', () => resolve({ status: response.statusCode ?? 0, body: parse(answer) }))
    })
    sent.once('error', (cause) =>
      reject(new CrosshookError('no_daemon', `The daemon does not answer: ${cause.message}`, { cause })),
    )
    sent.end(text)
  })
}

async function overTcp(http: string, token: string) {
  const { hostname, port, protocol } = new URL(http)
  const target = {
    host: hostname.replace(/^\[|\]$/g, ''),
    port,
    authorization: { authorization: `Bearer ${token}` },
  }
  if (protocol === 'http:') return { ...target, open: request }
  const secure = await import('node:https')
  return { ...target, open: secure.request }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
