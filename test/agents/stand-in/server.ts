/** A model that follows a script: the same answers in the same order, and a log of all that it was told. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Api, type Body, type Step, type Turn, texts } from './turn.ts'

export interface Script {
  main: readonly Step[]
  /** For requests that hold `subMarker` and not `mainMarker`. */
  sub: readonly Step[]
  mainMarker: string
  subMarker: string
}

export interface Asked {
  who: 'main' | 'sub' | 'side'
  /** The step that was the answer. */
  step?: string
  told: string
  /** Every text of the request. */
  text: string
}

export interface StandIn {
  url: string
  asked: Asked[]
  /** Paths that nothing was known about. */
  unknown: string[]
  /** A new conversation. */
  play(script: Script): void
  close(): Promise<void>
}

export async function startStandIn(api: Api): Promise<StandIn> {
  let script: Script = { main: [], sub: [], mainMarker: 'x', subMarker: 'x' }
  let next = { main: 0, sub: 0 }
  let number = 0
  const standIn: Omit<StandIn, 'url'> = {
    asked: [],
    unknown: [],
    play(newScript) {
      script = newScript
      next = { main: 0, sub: 0 }
      standIn.asked.length = 0
      standIn.unknown.length = 0
    },
    close: () => closed(server),
  }

  const server = createServer(async (request, response) => {
    const body = await read(request)
    const path = (request.url ?? '/').split('?')[0]!
    const other = api.other(request.method ?? 'GET', path)
    if (other) return send(response, other.type, other.body)
    if (!api.asks(path)) {
      standIn.unknown.push(`${request.method} ${request.url}`)
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":{"message":"not found"}}')
      return
    }
    number += 1
    const { type, body: answer } = api.answer(
      answerTo(body, request.url ?? ''),
      body,
      number,
      request.url ?? '',
    )
    send(response, type, answer)
  })

  function answerTo(body: Body, path: string): Turn {
    const text = texts(body)
    if (api.isSideCall(body, path)) {
      standIn.asked.push({ who: 'side', told: '', text })
      return { text: 'A short answer.' }
    }
    const who = text.includes(script.subMarker) && !text.includes(script.mainMarker) ? 'sub' : 'main'
    const told = api.told(body)
    // Whoever asks on after the end of the script hears its last words again.
    const step = script[who][Math.min(next[who], script[who].length - 1)]
    next[who] += 1
    standIn.asked.push({ who, told, text, ...(step ? { step: step.id } : {}) })
    if (!step) return { text: 'There is nothing to do.' }
    return typeof step.turn === 'function' ? step.turn(told) : step.turn
  }

  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return { ...standIn, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

async function read(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as Body
  } catch {
    return {} // a GET, or something that no API here sends
  }
}

function send(response: ServerResponse, type: string, body: string): void {
  response.writeHead(200, { 'content-type': type }).end(body)
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise((done) => server.close(done))
}
