/** The HTTP door, on TCP and on a Unix socket. The hot route is answered before the framework is involved. */

import { chmodSync, lstatSync, mkdirSync, rmSync } from 'node:fs'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { join } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { formatAddress } from '../address.ts'
import type { Core } from '../core.ts'
import type { Door, Listener } from '../host.ts'
import { listening } from '../listening.ts'
import { type Problem, sendProblem, toProblem } from '../problem.ts'
import { refusedOrigin } from '../web-origin.ts'
import { createApp } from './app.ts'
import { MAX_HEAD_BYTES } from './environment-header.ts'
import { EVENTS_PATH, handleEvent } from './events.ts'
import { listenAt } from './last-port.ts'
import { noToken } from './scope.ts'
import { trusted } from './trusted.ts'

const HEAD = { maxHeaderSize: MAX_HEAD_BYTES }

/** On TCP. */
export const httpListener: Listener<Core, Door & { address: string }> = async (core) => {
  const { tls, http: address } = core.options
  const listener = createListener(core, { bound: address.host })
  const server = tls ? createSecureServer({ ...tls, ...HEAD }, listener) : createServer(HEAD, listener)
  const port = await listenAt(server, address, core.runtime.paths.state)
  configure(core, server, `--http ${formatAddress(address)}`)
  const scheme = tls ? 'https' : 'http'
  return { address: `${scheme}://${formatAddress({ host: address.host, port })}`, close: () => close(server) }
}

/** The same API on a Unix socket, whose file only its owner can open. */
export const socketListener: Listener<Core> = async (core) => {
  const path = socketPath(core)
  if (path === null) return { address: null, close: async () => {} }
  const server = createServer(HEAD, createListener(core, { trusted: true }))
  const ready = listening(server, path)
  const mask = process.umask(0o177)
  try {
    server.listen(path)
  } finally {
    process.umask(mask)
  }
  await ready
  configure(core, server, path)
  return { address: path, close: () => close(server) }
}

/** Longest path that fits into a socket address. */
const MAX_PATH_BYTES = 103

function socketPath({ runtime, trouble }: Core): string | null {
  const folder = runtime.paths.runtime
  const path = join(folder, 'daemon.sock')
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) {
    trouble(
      `${path} is too long for a socket: the daemon runs without one. Set XDG_RUNTIME_DIR to a shorter path.`,
    )
    return null
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  chmodSync(folder, 0o700)
  // We hold the lock, so the process that listened here is gone.
  if (lstatSync(path, { throwIfNoEntry: false })?.isSocket()) rmSync(path)
  return path
}

/** Who may connect: everybody who reaches an address (`known`: the last good host), or the owner of a file. */
type Clients = { bound: string; trusted?: undefined; known?: string | undefined } | { trusted: true }

export function createListener(core: Core, door: Clients): RequestListener {
  const app = getRequestListener(createApp(core).fetch)
  return (request, response) => {
    const problem = refusal(core, door, request)
    if (problem) return sendProblem(response, problem)
    if (door.trusted) trusted.add(request)
    if (request.url === EVENTS_PATH && request.method === 'POST') {
      const scope = door.trusted ? 'admin' : core.tokens.scopeOf(request.headers.authorization)
      if (scope === undefined) return sendProblem(response, noToken(core.tokens))
      return void handleEvent(core, request, response)
    }
    const api = () => app(request, response).catch((error: unknown) => fail(core, response, error))
    if (!isForPage(request)) return void api()
    core.page
      .get()
      .then((page) => (page(request, response) ? undefined : api()))
      .catch((error: unknown) => fail(core, response, error))
  }
}

/** The page's own files, and every path a person enters that is not the API's. */
function isForPage({ method, url = '/', headers }: IncomingMessage): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  if (/^\/(?:$|\?|assets\/|sign-in(?:$|\?))/.test(url)) return true
  return !/^\/(?:v1|metrics|healthz)(?:$|[/?])/.test(url) && /\btext\/html\b/.test(headers.accept ?? '')
}

/** A person followed a link to the page: the document holds nothing that another site could read or trigger. */
function isNavigation(request: IncomingMessage): boolean {
  const { 'sec-fetch-mode': mode, 'sec-fetch-dest': target } = request.headers
  return mode === 'navigate' && target === 'document' && isForPage(request)
}

function refusal(core: Core, door: Clients, request: IncomingMessage): Problem | undefined {
  const { headers } = request
  if (core.stopping) return { status: 503, code: 'stopping', detail: 'The daemon is stopping.' }
  if (door.trusted) return undefined
  // Services and approvers use the host name of `public_url`; each request authenticates itself.
  if (request.method === 'POST' && request.url?.startsWith('/v1/approvals/answers/')) return undefined
  const { host, origin } = headers
  if (origin === undefined && headers['sec-fetch-site'] === undefined && host === door.known) return undefined
  const site = isNavigation(request) ? undefined : (headers['sec-fetch-site'] as string | undefined)
  const detail = refusedOrigin({ host, origin, site, bound: door.bound })
  if (detail !== undefined)
    return {
      status: 403,
      code: 'foreign_origin',
      detail,
      fix: 'Call the address that `crosshook daemon status` shows.',
    }
  door.known = host
  return undefined
}

function fail(core: Core, response: ServerResponse, error: unknown): void {
  core.log.error(
    `a request failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
  )
  sendProblem(response, toProblem(error))
}

function configure(core: Core, server: Server, what: string): void {
  server.requestTimeout = core.options.limits.bodyTimeout + 5000
  server.headersTimeout = Math.min(10_000, server.requestTimeout)
  server.keepAliveTimeout = 60_000
  server.on('error', (error) => core.log.error(`${what}: ${error.message}`))
}

function close(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  // Journal streams never end by themselves.
  setTimeout(() => server.closeAllConnections(), 500).unref()
  return closed
}
