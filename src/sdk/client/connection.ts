/** Where the daemon is, and who we are to it. A daemon that was started anew may be elsewhere. */

import { randomUUID } from 'node:crypto'
import { type Client, createClient, type Interceptor } from '@connectrpc/connect'
import { createGrpcTransport } from '@connectrpc/connect-node'
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
}

export function createConnection(find: () => Target, ca: string | undefined): Connection {
  // One id for all connections: hooks and streams belong to it.
  const id = randomUUID()
  let known: (Target & { client: ServiceClient }) | undefined
  const look = () => {
    const { address, token } = find()
    if (known?.address !== address || known.token !== token)
      known = { address, token, client: connect({ address, token }, id, ca) }
    return known.client
  }
  return { look, current: () => known?.client ?? look() }
}

function connect({ address, token }: Target, id: string, ca: string | undefined): ServiceClient {
  const identify: Interceptor = (next) => (request) => {
    request.header.set('authorization', `Bearer ${token}`)
    request.header.set('crosshook-client', id)
    return next(request)
  }
  return createClient(
    HookService,
    createGrpcTransport({
      baseUrl: address.includes('://') ? address : `http://${address}`,
      interceptors: [identify],
      pingIntervalMs: 30_000,
      ...(ca === undefined ? {} : { nodeOptions: { ca } }),
    }),
  )
}
