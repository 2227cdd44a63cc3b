/** The socket of the warm engine: one connection is one event. Calls that cannot be answered correctly are declined. */

import { createServer, type Server, type Socket } from 'node:net'
import { dirname } from 'node:path'
import { rememberWhileUnchanged } from '../../config/fingerprint.ts'
import { overHttp, overHttpFile } from '../../config/over-http.ts'
import { paths } from '../../config/paths.ts'
import { stateKey } from '../../config/state-key.ts'
import { messageOf } from '../../spec/errors.ts'
import { VERSION } from '../../version.ts'
import type { Assembly } from '../assemble.ts'
import type { Caller, Gate } from './caller.ts'
import {
  ANSWERED,
  createProver,
  DECLINED,
  encodeAnswer,
  HEARTBEAT,
  LEAVING,
  type Prove,
  parseEnvironment,
  requestReader,
  type WarmRequest,
} from './protocol.ts'
import { type Place, takePlace } from './socket.ts'
import { SCOPE } from './start.ts'

export interface WarmOptions {
  runtime: Pick<Assembly, 'answer'>
  /** Where to listen; takes the place of the process that listened there before. */
  socket: string
  /** Selects whose hooks the runtime knows. Calls from another home or configuration are declined. */
  env: NodeJS.ProcessEnv
  trouble: (sentence: string) => void
  /** Connections come through the gate, from every user of the machine: see caller.ts. */
  gate?: Gate | undefined
  /** Is there a newer version of this program? Checked before each answer. */
  isOutdated?: () => boolean
}

export interface WarmServer {
  /** The socket. */
  readonly address: string
  /** Connections that wait for an answer. */
  readonly working: number
  /** Events so far. */
  readonly served: number
  /** Time of the last event, in milliseconds since 1970. */
  readonly lastEvent: number
  /** False once another process listens at the socket. */
  holdsPlace(): boolean
  /** Resolves when an event shows that this program is outdated. */
  readonly outdated: Promise<void>
  /** Waits for running work. */
  close(): Promise<void>
}

const HEARTBEAT_EVERY_MS = 1000
const LARGE_PAYLOAD_BYTES = 1024 * 1024
/** The relay connects before it reads its own input, which an agent may be slow to write. */
const REQUEST_LIMIT_MS = 10 * 60_000

export async function serveWarm(options: WarmOptions): Promise<WarmServer> {
  const { runtime, env, trouble, gate, isOutdated = () => false } = options
  const { state } = paths(env)
  const prover = createProver(stateKey(state))
  const callersOverHttp = rememberWhileUnchanged(dirname(overHttpFile(state)), () => overHttp(state))
  const working = new Set<Socket>()
  /** Connections and their arrival times. */
  const open = new Map<Socket, number>()
  let lastEvent = Date.now()
  let served = 0
  let leaving = false
  let beat: NodeJS.Timeout | undefined
  const { promise: outdated, resolve: foundOutdated } = Promise.withResolvers<void>()
  // The relay closes its side after a large payload; the answer comes after that.
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const head = gate?.reader()
    const reader = requestReader()
    open.set(socket, Date.now())
    // Nobody else would answer, and the first event of a new process may take longer than the relay waits for a
    // heartbeat.
    if (gate) socket.write(HEARTBEAT)
    let leaver: AbortController | undefined
    const gone = () => {
      leaver ??= new AbortController()
      if (socket.destroyed) leaver.abort()
      return leaver.signal
    }
    // One timer for all connections, kept running: events follow each other closely.
    beat ??= setInterval(tick, HEARTBEAT_EVERY_MS).unref()
    socket.on('error', () => socket.destroy()) // the relay is gone; nobody waits
    socket.on('close', () => {
      open.delete(socket)
      working.delete(socket)
      leaver?.abort()
      // Collect the garbage of a large payload now, while nobody waits, rather than while the next one is read.
      if (socket.bytesRead > LARGE_PAYLOAD_BYTES) setImmediate(() => globalThis.gc?.({ type: 'minor' }))
    })
    let isWhole = false
    const take = (request: WarmRequest | undefined) => {
      if (!request) return
      isWhole = true
      void respond(socket, request, gone, head?.caller())
    }
    socket.on('end', () => {
      if (isWhole) return
      take(reader.end())
      if (!isWhole) socket.end() // the caller has gone
    })
    socket.on('data', (chunk) => {
      // Keeps reading, so that the end of the connection is noticed.
      if (isWhole) return
      try {
        const rest = head ? head.add(chunk) : chunk
        if (rest.length > 0) take(reader.add(rest))
      } catch (error) {
        trouble(`The warm engine was sent a broken request: ${messageOf(error)}`)
        isWhole = true
        decline(socket, DECLINED, messageOf(error))
      }
    })
  })
  const place = await takePlace(server, options.socket)

  async function respond(
    socket: Socket,
    request: WarmRequest,
    gone: () => AbortSignal,
    caller?: Caller,
  ): Promise<void> {
    lastEvent = Date.now()
    served++
    const sent = parseEnvironment(request.env)
    const eventEnv = gate && caller ? gate.environment(caller, sent) : sent
    if (!leaving && isOutdated()) {
      leaving = true
      foundOutdated()
    }
    const prove = prover(request.challenge)
    if (leaving) return decline(socket, LEAVING, 'the engine ends', prove)
    const why = whyNot(request, eventEnv, caller ? undefined : env)
    if (why !== undefined) return decline(socket, DECLINED, why, prove)
    working.add(socket)
    // Parsing it may block this thread's heartbeat for a while.
    if (request.payload.length > LARGE_PAYLOAD_BYTES) socket.write(HEARTBEAT)
    const { agent, event, cwd, payload, parent } = request
    const call = {
      agent,
      cwd,
      door: 'hook' as const,
      parent,
      gone,
      env: eventEnv,
      read: () => payload,
      ...(caller ? { caller: caller.connection } : {}),
      ...(event === undefined ? {} : { event }),
      required: () => (callersOverHttp()[agent] === undefined ? undefined : requiredOf(agent, eventEnv)),
    }
    try {
      const reply = await runtime.answer(call)
      socket.end(encodeAnswer(ANSWERED, reply, prove))
    } catch (error) {
      trouble(messageOf(error))
      decline(socket, DECLINED, messageOf(error), prove)
    } finally {
      working.delete(socket)
    }
  }

  function tick(): void {
    const oldest = Date.now() - REQUEST_LIMIT_MS
    for (const [socket, since] of open) {
      if (working.has(socket)) socket.write(HEARTBEAT)
      else if (since < oldest) socket.destroy()
    }
    if (open.size > 0) return
    clearInterval(beat)
    beat = undefined
  }

  return {
    address: options.socket,
    outdated,
    get working() {
      return working.size
    },
    get served() {
      return served
    },
    get lastEvent() {
      return lastEvent
    },
    holdsPlace: () => place.isHeld(),
    async close() {
      leaving = true
      await closeServer(server, place, open.keys(), working)
    },
  }
}

/** Why this call is declined; `env` selects whose hooks the engine knows, unless it serves everybody. */
function whyNot(
  { version }: WarmRequest,
  eventEnv: NodeJS.ProcessEnv,
  env: NodeJS.ProcessEnv | undefined,
): string | undefined {
  if (version !== VERSION) return `the engine is version ${VERSION}, the relay ${version}`
  if (env && !sameScope(eventEnv, env)) return 'the engine serves another home or configuration'
  if (eventEnv.CROSSHOOK_DEBUG === '1') return 'debug lines come from the cold path'
  return undefined
}

function sameScope(a: NodeJS.ProcessEnv, b: NodeJS.ProcessEnv): boolean {
  for (let i = 0; i < SCOPE.length; i++) if (a[SCOPE[i]!] !== b[SCOPE[i]!]) return false
  return true
}

async function requiredOf(agent: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  return (await import('../required.ts')).required(agent, env)
}

function decline(socket: Socket, status: number, why: string, prove?: Prove): void {
  socket.end(encodeAnswer(status, { stdout: '', stderr: why, exit_code: 0 }, prove))
}

/** No new connections; idle ones are closed, working ones are awaited. */
async function closeServer(
  server: Server,
  place: Place,
  open: Iterable<Socket>,
  working: ReadonlySet<Socket>,
): Promise<void> {
  place.leave()
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  for (const socket of open) if (!working.has(socket) && socket.bytesRead === 0) socket.destroy()
  await closed
}
