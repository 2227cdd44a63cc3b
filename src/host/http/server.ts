/** The HTTP door, on TCP and on a Unix socket. The one hot route is answered before the framework is asked. */

import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { type Address, formatAddress } from '../address.ts'
import type { Core } from '../core.ts'
import { listening } from '../listening.ts'
import { refusedOrigin } from '../web.ts'
import { createApp } from './app.ts'
import { EVENTS_PATH, handleEvent } from './events.ts'
import { type Problem, sendProblem, toProblem } from './problem.ts'
import { noToken } from './scope.ts'

export interface HttpServer {
  address: string
  close(): Promise<void>
}

export async function serveHttp(core: Core, address: Address): Promise<HttpServer> {
  const { tls } = core.options
  const listener = createListener(core, { bound: address.host })
  const server = tls ? createSecureServer(tls, listener) : createServer(listener)
  server.listen(address.port, address.host)
  await started(core, server, `--http ${formatAddress(address)}`)
  const { port } = server.address() as AddressInfo
  const scheme = tls ? 'https' : 'http'
  return { address: `${scheme}://${formatAddress({ host: address.host, port })}`, close: () => close(server) }
}

/** The same API for whoever may open the file: nobody but its owner. */
export async function serveSocket(core: Core, path: string): Promise<HttpServer> {
  const server = createServer(createListener(core, { trusted: true }))
  const mask = process.umask(0o177)
  try {
    server.listen(path)
  } finally {
    process.umask(mask)
  }
  await started(core, server, path)
  return { address: path, close: () => close(server) }
}

/** Whom the listener serves: everybody who comes to an address (`known`: the last good host), or the owner of a file. */
type Door = { bound: string; trusted?: undefined; known?: string | undefined } | { trusted: true }

export function createListener(core: Core, door: Door): RequestListener {
  const app = getRequestListener(createApp(core).fetch)
  return (request, response) => {
    const problem = refusal(core, door, request)
    if (problem) return sendProblem(response, problem)
    if (request.url === EVENTS_PATH && request.method === 'POST') {
      const scope = door.trusted ? 'admin' : core.tokens.scopeOf(request.headers.authorization)
      if (scope === undefined) return sendProblem(response, noToken(core.tokens))
      return void handleEvent(core, request, response)
    }
    if (door.trusted) trusted.add(request)
    app(request, response).catch((error: unknown) => fail(core, response, error))
  }
}

/** Requests that came by the socket. */
export const trusted = new WeakSet<IncomingMessage>()

function refusal(core: Core, door: Door, { headers }: IncomingMessage): Problem | undefined {
  if (core.stopping) return { status: 503, code: 'stopping', detail: 'The daemon is stopping.' }
  if (door.trusted) return undefined
  const { host, origin } = headers
  if (origin === undefined && headers['sec-fetch-site'] === undefined && host === door.known) return undefined
  const site = headers['sec-fetch-site'] as string | undefined
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

async function started(core: Core, server: Server, what: string): Promise<void> {
  server.requestTimeout = core.options.limits.bodyTimeout + 5000
  server.headersTimeout = Math.min(10_000, server.requestTimeout)
  server.keepAliveTimeout = 60_000
  await listening(server, what)
  server.on('error', (error) => core.log.error(`${what}: ${error.message}`))
}

function close(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  // Streams of the journal never end by themselves.
  setTimeout(() => server.closeAllConnections(), 500).unref()
  return closed
}
