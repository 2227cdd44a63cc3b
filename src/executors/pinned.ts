/** A connection that reaches only addresses that were checked before, whatever a name resolves to later. */

import type { LookupFunction, Socket } from 'node:net'
import { isIP } from 'node:net'
import { Agent, buildConnector, type Dispatcher } from 'undici'
import { isSameAddress } from './http-target.ts'

export interface PinnedConnection {
  request(options: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData>
  close(): Promise<void>
}

/** A separate agent: no proxies from the environment, no redirects, no sockets of other hooks. */
export function openPinned(addresses: readonly string[], connectTimeout: number): PinnedConnection {
  const agent = new Agent({
    connect: pinnedConnector(addresses, connectTimeout, pinnedLookup(addresses)),
    // The caller's signal is the time limit.
    headersTimeout: 0,
    bodyTimeout: 0,
    pipelining: 0,
  })
  return { request: (options) => agent.request(options), close: () => agent.destroy() }
}

/** Checks the address that was really reached before the request is sent. */
export function pinnedConnector(
  addresses: readonly string[],
  timeout: number,
  lookup: LookupFunction,
): buildConnector.connector {
  const connect = buildConnector({ timeout, lookup, autoSelectFamily: addresses.length > 1, allowH2: false })
  return (options, callback) => {
    connect(options, (...[error, socket]) => {
      if (error) return callback(error, null)
      if (isPinned(socket, addresses)) return callback(null, socket)
      socket.destroy()
      callback(
        Object.assign(new Error('reached an address that was not checked'), { code: 'UNCHECKED_ADDRESS' }),
        null,
      )
    })
  }
}

export function pinnedLookup(addresses: readonly string[]): LookupFunction {
  const answers = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_host, options, callback) => {
    if (options.all) callback(null, answers)
    else callback(null, answers[0]!.address, answers[0]!.family)
  }
}

function isPinned(socket: Socket, addresses: readonly string[]): boolean {
  const reached = socket.remoteAddress
  return reached !== undefined && addresses.some((address) => isSameAddress(address, reached))
}
