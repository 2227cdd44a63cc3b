/** Between Node's HTTP/2 and the library: nothing that a client sends reads as a fault of ours, or ends the daemon. */

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
import { enter } from './caller.ts'
import { createService } from './service.ts'

/** Tells the client that its stream is open, before there is anything to send. */
export const OPENED = createContextKey<() => void>(() => {})
/** The call has come as far as our own code, so what is wrong from here on is ours. */
const REACHED = createContextKey(false)

export type Handler = (request: Http2ServerRequest, response: Http2ServerResponse) => void

export function createHandler(core: Core): Handler {
  const reached: Interceptor = (next) => (request) => {
    request.contextValues.set(REACHED, true)
    return next(request)
  }
  const options: ConnectRouterOptions = {
    // A web page speaks neither gRPC nor has a token; the protocols made for pages stay off.
    connect: false,
    grpcWeb: false,
    acceptCompression: [],
    readMaxBytes: core.options.limits.eventBytes,
    interceptors: [reached],
    // Before anything of the body is read: strangers use up no memory.
    requestGate: (context) => enter(core, context),
  }
  const { handlers } = createConnectRouter(options).service(HookService, createService(core))
  const byPath = new Map(handlers.map((handler) => [handler.requestPath, handler]))

  return (request, response) => {
    const path = request.url.split('?', 1)[0]!
    const handler = byPath.get(path)
    if (!handler) return refuse(request, response, Code.Unimplemented, `there is no call ${path} here`)
    const values = createContextValues().set(OPENED, () =>
      sendHead(response, request.headers['content-type']),
    )
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
        // Whoever has gone hears no answer.
        if (!response.stream.destroyed) core.log.warn(`${path}: no answer could be sent: ${messageOf(error)}`)
      })
  }
}

/** What the library calls an internal error before our code was reached is a message that could not be read. */
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

/** The library names a limit of its own that nobody can set. */
function inOurWords(message: string): string {
  return message.replace('configured readMaxBytes', 'daemon.max_event_bytes in config.toml allows:')
}

/** As the specification says, and no more: some clients show a colon that was encoded as it came. */
function encodeMessage(text: string): string {
  return text.replace(/[^\x20-\x24\x26-\x7e]+/g, (part) =>
    Buffer.from(part).toString('hex').toUpperCase().replace(/../g, '%$&'),
  )
}

function sendHead(response: Http2ServerResponse, contentType: string | undefined): void {
  response.writeHead(200, { 'content-type': contentType ?? 'application/grpc+proto' })
  // The library sends its own head with the first message; it is the same one.
  response.writeHead = () => response
}

/** An answer without a body; who does not speak gRPC is told in the words of HTTP. */
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
