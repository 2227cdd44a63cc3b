/** Hooks behind the daemon: registered by RPC, answered on one stream that is opened again whenever it breaks. */

import { randomUUID } from 'node:crypto'
import { create } from '@bufbuild/protobuf'
import { type Client, Code, ConnectError, createClient, type Interceptor } from '@connectrpc/connect'
import { createGrpcTransport } from '@connectrpc/connect-node'
import {
  HookResponseSchema,
  HookService,
  type HookEvent as WireEvent,
  type HookResponse as WireResponse,
} from '../../daemon/gen/hooks_pb.ts'
import { type Queue, queue } from '../../daemon/grpc/queue.ts'
import { CrosshookError, messageOf } from '../../spec/errors.ts'
import { type Backend, handling, nextDepth, type Registration } from './backend.ts'
import { fromWire, toWire } from './wire.ts'

export interface RemoteOptions {
  /** host:port, or a URL. */
  address: string
  token: string
  ca?: string | undefined
  onTrouble?: ((sentence: string) => void) | undefined
}

const FIRST_PAUSE = 100
const LONGEST_PAUSE = 5_000

interface Known extends Registration {
  /** The id at the daemon; a new one after the daemon was started anew. */
  at: string
}

export function remoteBackend(options: RemoteOptions): Backend {
  const { onTrouble = () => {} } = options
  const client = connect(options)
  const known = new Map<string, Known>()
  const closed = new AbortController()
  /** Registrations under way: their events may come before their answer does. */
  const underWay = new Set<Promise<unknown>>()
  let answers: Queue<WireResponse> | undefined
  let opened: Promise<void> | undefined

  /** Resolves when the daemon has opened the stream for the first time. */
  const open = () => (opened ??= new Promise((resolve, reject) => void keepOpen(resolve, reject)))

  async function keepOpen(ready: () => void, failed: (error: unknown) => void): Promise<void> {
    let pause = FIRST_PAUSE
    let wasOpen = false
    while (!closed.signal.aborted) {
      const own = queue<WireResponse>()
      answers = own
      // The client speaks first.
      own.push(create(HookResponseSchema))
      try {
        const onHeader = () => {
          if (wasOpen) void registerAgain()
          wasOpen = true
          pause = FIRST_PAUSE
          ready()
        }
        for await (const event of client.hookStream(own, { signal: closed.signal, onHeader }))
          void answer(event, own)
      } catch (error) {
        if (closed.signal.aborted) return
        if (!wasOpen) {
          opened = undefined
          return failed(explain(error))
        }
        onTrouble(`the daemon's stream broke: ${messageOf(error)}`)
      }
      own.end()
      await rest(pause, closed.signal)
      pause = Math.min(pause * 2, LONGEST_PAUSE)
    }
  }

  async function answer(event: WireEvent, to: Queue<WireResponse>): Promise<void> {
    const find = () => [...known.values()].find(({ at }) => at === event.hookId)
    let hook = find()
    if (!hook) {
      await Promise.allSettled(underWay)
      hook = find()
    }
    const about = { hookId: event.hookId, eventId: event.eventId }
    if (!hook)
      return to.push(create(HookResponseSchema, { ...about, error: 'no such hook is registered here' }))
    const { handler } = hook
    try {
      const payload = fromWire(event)
      const depth = Number((payload.metadata as Record<string, unknown>).execute_tool_depth ?? 0)
      const call = async () => (handler as (event: unknown) => unknown)(payload)
      to.push(toWire(await handling.run({ eventId: event.eventId, depth }, call), about))
    } catch (error) {
      onTrouble(`the hook ${event.hookId} failed: ${messageOf(error)}`)
      to.push(create(HookResponseSchema, { ...about, error: messageOf(error) }))
    }
  }

  async function register({ event, matcher = {}, config = {} }: Registration): Promise<string> {
    const { timeout, priority, failBehavior } = config
    const { hookId } = await client.registerHook({
      eventType: event,
      matcher,
      config: {
        priority: priority ?? 0,
        timeoutMs: timeout ?? 0,
        async: config.async ?? false,
        failBehavior: failBehavior ?? '',
      },
    })
    return hookId
  }

  async function during<T>(work: () => Promise<T>): Promise<T> {
    const done = work()
    underWay.add(done)
    try {
      return await done
    } catch (error) {
      throw explain(error)
    } finally {
      underWay.delete(done)
    }
  }

  /** A daemon that was started anew knows nothing of our hooks. */
  async function registerAgain(): Promise<void> {
    try {
      const { hooks } = await client.listHooks({})
      for (const hook of known.values())
        if (!hooks.some(({ hookId }) => hookId === hook.at))
          await during(async () => {
            hook.at = await register(hook)
          })
    } catch (error) {
      onTrouble(`hooks could not be registered again: ${messageOf(error)}`)
    }
  }

  return {
    async register(registration) {
      await open()
      return during(async () => {
        const id = await register(registration)
        known.set(id, { ...registration, at: id })
        return id
      })
    },
    async unregister(id) {
      const at = known.get(id)?.at ?? id
      known.delete(id)
      const { removed } = await client.unregisterHook({ hookId: at }).catch((error: unknown) => {
        throw explain(error)
      })
      return removed
    },
    async list() {
      const { hooks } = await client.listHooks({}).catch((error: unknown) => {
        throw explain(error)
      })
      const names = new Map([...known].map(([id, { at }]) => [at, id]))
      return hooks.map(({ hookId, eventType, matcher, config }) => ({
        id: names.get(hookId) ?? hookId,
        event: eventType,
        matcher: {
          ...(matcher?.tool === undefined ? {} : { tool: matcher.tool }),
          ...(matcher?.pathPattern === undefined ? {} : { pathPattern: matcher.pathPattern }),
          ...(matcher?.commandPattern === undefined ? {} : { commandPattern: matcher.commandPattern }),
        },
        config: {
          ...(config?.priority ? { priority: config.priority } : {}),
          ...(config?.timeoutMs ? { timeout: config.timeoutMs } : {}),
          ...(config?.async ? { async: true } : {}),
          ...(config?.failBehavior ? { failBehavior: config.failBehavior as 'continue' | 'block' } : {}),
        },
      }))
    },
    async setAuditLevel(level) {
      await client.setHookAuditLevel({ level }).catch((error: unknown) => {
        throw explain(error)
      })
    },
    async executeTool(sessionId, tool, args) {
      nextDepth()
      const eventId = handling.getStore()?.eventId ?? ''
      const request = { sessionId, tool, eventId, args: Buffer.from(JSON.stringify(args)) }
      const done = await client.executeTool(request).catch((error: unknown) => {
        throw explain(error)
      })
      const { success, output, exitCode, durationMs } = done
      return {
        success,
        output,
        ...(exitCode === undefined ? {} : { exitCode }),
        duration: Number(durationMs),
      }
    },
    async close() {
      const ids = [...known.values()].map(({ at }) => at)
      known.clear()
      await Promise.allSettled(ids.map((hookId) => client.unregisterHook({ hookId }, { timeoutMs: 2000 })))
      answers?.end()
      closed.abort()
    },
  }
}

function connect({ address, token, ca }: RemoteOptions): Client<typeof HookService> {
  const id = randomUUID()
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

const CODES: Partial<Record<Code, ConstructorParameters<typeof CrosshookError>[0]>> = {
  [Code.ResourceExhausted]: 'limit',
  [Code.InvalidArgument]: 'bad_input',
  [Code.NotFound]: 'not_found',
  [Code.Unavailable]: 'no_daemon',
}

function explain(error: unknown): CrosshookError {
  if (error instanceof CrosshookError) return error
  const { code, rawMessage } = ConnectError.from(error)
  return new CrosshookError(CODES[code] ?? 'refused', rawMessage, { cause: error })
}

function rest(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms * (0.75 + Math.random() / 2))
    signal.addEventListener('abort', done)
  })
}
