/**
 * Between Node's HTTP/2 and the gRPC library: a malformed request is not reported as an internal error and cannot end
 * the daemon.
 */

import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import {
  Code,
  type ConnectRouterOptions,
  createConnectRouter,
  createContextKey,
  createContextValues,
  type Interceptor,
} from '@connectrpc/connect'
import type { UniversalServerResponse } from '@connectrpc/connect/protocol'
import { universalRequestFromNodeRequest, universalResponseToNodeResponse } from '@connectrpc/connect-node'
import { messageOf } from '../../spec/errors.ts'
import type { Core } from '../core.ts'
import { HookService } from '../gen/hooks_pb.ts'
import type { Ends } from '../peer.ts'
import { enter } from './admit-call.ts'
import { createService } from './hook-service.ts'

/** Tells the client that its stream is open before there is anything to send. */
export const OPENED = createContextKey<() => void>(() => {})
/** The connection that a call came by. */
export const ENDS = createContextKey<Ends>({})
/** True once the call has reached our own code: errors from here on are ours. */
const REACHED = createContextKey(false)

export type Handler = (request: Http2ServerRequest, response: Http2ServerResponse) => void

export function createHandler(core: Core): Handler {
  const reached: Interceptor = (next) => (request) => {
    request.contextValues.set(REACHED, true)
    return next(request)
  }
  const options: ConnectRouterOptions = {
    // Web pages speak no gRPC and have no token, so the protocols made for pages stay off.
    connect: false,
    grpcWeb: false,
    acceptCompression: [],
    readMaxBytes: core.options.limits.eventBytes,
    interceptors: [reached],
    // Before the body is read, so that strangers use no memory.
    requestGate: (context) => enter(core, context),
  }
  const { handlers } = createConnectRouter(options).service(HookService, createService(core))
  const byPath = new Map(handlers.map((handler) => [handler.requestPath, handler]))

  return (request, response) => {
    const path = request.url.split('?', 1)[0]!
    const handler = byPath.get(path)
    if (!handler) return refuse(request, response, Code.Unimplemented, `there is no call ${path} here`)
    const { remotePort, localPort } = request.socket
    const values = createContextValues()
      .set(OPENED, () => sendHead(response, request.headers['content-type']))
      .set(ENDS, { remotePort, localPort })
    if (!URL.canParse(request.url, `http://${request.authority}`))
      return refuse(
        request,
        response,
        Code.InvalidArgument,
        `":authority" is "${request.authority}": no host`,
      )
    handler(universalRequestFromNodeRequest(request, response, undefined, values))
      .then((answer) =>
        universalResponseToNodeResponse(
          mended(answer, () => values.get(REACHED)),
          response,
        ),
      )
      .catch((error: unknown) => {
        // Only when somebody is left to get an answer.
        if (!response.stream.destroyed) core.log.warn(`${path}: no answer could be sent: ${messageOf(error)}`)
      })
  }
}

/** An internal error of the library before our code was reached means that the message could not be read. */
function mended(answer: UniversalServerResponse, isOurs: () => boolean): UniversalServerResponse {
  const { body, trailer } = answer
  if (!body || !trailer) return answer
  async function* bodyThenStatus(bytes: AsyncIterable<Uint8Array>) {
    yield* bytes
    if (trailer!.get(STATUS) === String(Code.Internal) && !isOurs())
      trailer!.set(STATUS, String(Code.InvalidArgument))
    const message = trailer!.get(MESSAGE)
    if (message !== null) trailer!.set(MESSAGE, encodeMessage(inOurWords(decodeURIComponent(message))))
  }
  return { ...answer, body: bodyThenStatus(body) }
}

const STATUS = 'grpc-status'
const MESSAGE = 'grpc-message'

/** Rewords the library's message, which names a limit that nobody can set. */
function inOurWords(message: string): string {
  return message.replace('configured readMaxBytes', 'daemon.max_event_bytes in config.toml allows:')
}

/** Percent-encodes only what the specification requires: some clients show an encoded colon as is. */
function encodeMessage(text: string): string {
  return text.replace(/[^\x20-\x24\x26-\x7e]+/g, (part) =>
    Buffer.from(part).toString('hex').toUpperCase().replace(/../g, '%$&'),
  )
}

function sendHead(response: Http2ServerResponse, contentType: string | undefined): void {
  response.writeHead(200, { 'content-type': contentType ?? 'application/grpc+proto' })
  // The library writes the same head again with the first message: ignore it.
  response.writeHead = () => response
}

/** An answer without a body; clients that do not speak gRPC get an HTTP status. */
function refuse(request: Http2ServerRequest, response: Http2ServerResponse, code: Code, why: string): void {
  const speaksGrpc = request.headers['content-type']?.startsWith('application/grpc') === true
  if (speaksGrpc)
    response.writeHead(200, {
      'content-type': 'application/grpc',
      [STATUS]: String(code),
      [MESSAGE]: encodeMessage(why),
    })
  else response.writeHead(code === Code.Unimplemented ? 404 : 400, { 'content-type': 'text/plain' })
  response.end(speaksGrpc ? '' : `${why}\n`)
}
