/** Where the daemon is, and this client's id. A restarted daemon may have another address. */

import { randomUUID } from 'node:crypto'
import { type Client, createClient, type Interceptor } from '@connectrpc/connect'
import { createGrpcTransport, Http2SessionManager } from '@connectrpc/connect-node'
import { HookService } from '../../host/gen/hooks_pb.ts'

export interface Target {
  /** host:port, or a URL. */
  address: string
  token: string
}

export type ServiceClient = Client<typeof HookService>

export interface Connection {
  /** The client of the daemon as it was last found. */
  current(): ServiceClient
  /** Looks for the daemon again. Throws when there is none. */
  look(): ServiceClient
  /** Closes the connection to the daemon; pending calls fail. */
  close(): void
}

export function createConnection(find: () => Target, ca: string | undefined): Connection {
  // One id for all connections: hooks and streams belong to it.
  const id = randomUUID()
  let known: (Target & { client: ServiceClient; session: Http2SessionManager }) | undefined
  const look = () => {
    const { address, token } = find()
    if (known?.address === address && known.token === token) return known.client
    known?.session.abort()
    known = { address, token, ...connect({ address, token }, id, ca) }
    return known.client
  }
  return { look, current: () => known?.client ?? look(), close: () => known?.session.abort() }
}

function connect({ address, token }: Target, id: string, ca: string | undefined) {
  const identify: Interceptor = (next) => (request) => {
    request.header.set('authorization', `Bearer ${token}`)
    request.header.set('crosshook-client', id)
    return next(request)
  }
  const baseUrl = address.includes('://') ? address : `http://${address}`
  const session = new Http2SessionManager(baseUrl, { pingIntervalMs: 30_000 }, ca === undefined ? {} : { ca })
  const transport = createGrpcTransport({ baseUrl, interceptors: [identify], sessionManager: session })
  return { client: createClient(HookService, transport), session }
}
