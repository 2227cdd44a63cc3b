/** The gRPC door: cleartext HTTP/2 on loopback, TLS where there is a certificate. */

import { createSecureServer, createServer, type ServerHttp2Session } from 'node:http2'
import type { AddressInfo, Socket } from 'node:net'
import { formatAddress } from '../address.ts'
import type { Core } from '../core.ts'
import type { Door, Listener } from '../host.ts'
import { listening } from '../listening.ts'
import { createHandler } from './adapter.ts'

const PING_EVERY_MS = 30_000
const PING_LIMIT_MS = 20_000
/** How long a connection without open calls is kept; its client opens another when needed. */
const IDLE_LIMIT_MS = 5 * 60_000
const MAX_STREAMS = 1000
const STOP_LIMIT_MS = 2000

/** Its address is `host:port`, as clients dial it. */
export const grpcListener: Listener<Core, Door & { address: string }> = async (core) => {
  const settings = { settings: { maxConcurrentStreams: MAX_STREAMS } }
  const { tls, grpc: address } = core.options
  const server = tls ? createSecureServer({ ...settings, ...tls }) : createServer(settings)
  server.maxConnections = core.options.limits.connections
  server.on('drop', () =>
    core.log.warn(`a client of gRPC was turned away: ${server.maxConnections} are connected`),
  )
  const sessions = new Set<ServerHttp2Session>()
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.on('session', (session) => {
    sessions.add(session)
    const stop = keepAlive(session)
    session.on('error', (error) => core.log.warn(`gRPC connection: ${error.message}`))
    session.once('close', () => {
      stop()
      sessions.delete(session)
    })
  })
  server.on('request', createHandler(core))
  server.listen(address.port, address.host)
  const what = `--grpc ${formatAddress(address)}`
  await listening(server, what)
  server.on('error', (error) => core.log.error(`${what}: ${error.message}`))
  const { port } = server.address() as AddressInfo
  return {
    address: formatAddress({ host: address.host, port }),
    async close() {
      core.streams.closeAll()
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const session of sessions) session.close()
      // Closing a session waits for its client, which may hang; destroying its socket does not.
      const overdue = setTimeout(() => {
        for (const socket of sockets) socket.destroy()
      }, STOP_LIMIT_MS)
      await closed
      clearTimeout(overdue)
    },
  }
}

/** Detects connections that are gone without notice, so that they do not keep a client's stream open. */
function keepAlive(session: ServerHttp2Session): () => void {
  let overdue: NodeJS.Timeout | undefined
  let open = 0
  let usedAt = Date.now()
  session.on('stream', (stream) => {
    open++
    stream.once('close', () => {
      open--
      usedAt = Date.now()
    })
  })
  const timer = setInterval(() => {
    if (session.destroyed || overdue) return
    if (open === 0 && Date.now() - usedAt > IDLE_LIMIT_MS) return session.close()
    overdue = setTimeout(() => session.destroy(), PING_LIMIT_MS)
    session.ping(() => {
      clearTimeout(overdue)
      overdue = undefined
    })
  }, PING_EVERY_MS)
  timer.unref()
  return () => {
    clearInterval(timer)
    clearTimeout(overdue)
  }
}
