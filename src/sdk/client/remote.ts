/** Hooks behind the daemon: registered by RPC, answered on one stream that is reopened whenever it breaks. */

import { create } from '@bufbuild/protobuf'
import { Code, ConnectError } from '@connectrpc/connect'
import {
  HookResponseSchema,
  type HookEvent as WireEvent,
  type HookResponse as WireResponse,
} from '../../host/gen/hooks_pb.ts'
import { type Queue, queue } from '../../host/grpc/queue.ts'
import { CrosshookError, messageOf } from '../../spec/errors.ts'
import { type Backend, handling, nextDepth, type Registration } from './backend.ts'
import { createConnection, type ServiceClient, type Target } from './connection.ts'
import { fromWire, toWire } from './wire.ts'

export interface RemoteOptions {
  /** Called whenever the daemon may have moved. */
  find(): Target
  ca?: string | undefined
  onTrouble?: ((sentence: string) => void) | undefined
}

const FIRST_PAUSE_MS = 100
const MAX_PAUSE_MS = 5_000

interface Known extends Registration {
  /** Its id at the daemon; a new one after a restart of the daemon. */
  at: string
}

export function remoteBackend(options: RemoteOptions): Backend {
  const { onTrouble = () => {} } = options
  const connection = createConnection(options.find, options.ca)
  const known = new Map<string, Known>()
  const closed = new AbortController()
  /** Registrations in progress: their events may arrive before their answer. */
  const underWay = new Set<Promise<unknown>>()
  let answers: Queue<WireResponse> | undefined
  let opened: Promise<void> | undefined
  let isOpen = false
  /** While a stream is open, its daemon is used. */
  const ask = async <T>(work: (client: ServiceClient) => Promise<T>): Promise<T> => {
    try {
      return await work(isOpen ? connection.current() : connection.look())
    } catch (error) {
      throw explain(error)
    }
  }

  /** Resolves when the daemon has first opened the stream. */
  const open = () =>
    (opened ??= new Promise<void>((resolve, reject) => void keepOpen(resolve, reject)).catch((error) => {
      opened = undefined
      throw error
    }))

  async function keepOpen(ready: () => void, failed: (error: unknown) => void): Promise<void> {
    let pause = FIRST_PAUSE_MS
    let wasOpen = false
    while (!closed.signal.aborted) {
      const own = queue<WireResponse>()
      answers = own
      // The client sends first.
      own.push(create(HookResponseSchema))
      try {
        const onHeader = () => {
          if (wasOpen) void registerAgain()
          wasOpen = true
          isOpen = true
          pause = FIRST_PAUSE_MS
          ready()
        }
        const events = connection.look().hookStream(own, { signal: closed.signal, onHeader })
        for await (const event of events) void answer(event, own)
      } catch (error) {
        if (closed.signal.aborted) return
        if (!wasOpen) return failed(explain(error))
        onTrouble(
          isOpen
            ? `the daemon's stream broke: ${messageOf(error)}`
            : `the daemon is away: ${messageOf(error)}`,
        )
      } finally {
        isOpen = false
      }
      own.end()
      await rest(pause, closed.signal)
      pause = Math.min(pause * 2, MAX_PAUSE_MS)
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

  async function register({ event, name = '', matcher = {}, config = {} }: Registration): Promise<string> {
    const { timeout, priority, failBehavior } = config
    const request = {
      eventType: event,
      name,
      matcher,
      config: {
        priority: priority ?? 0,
        timeoutMs: timeout ?? 0,
        async: config.async ?? false,
        failBehavior: failBehavior ?? '',
      },
    }
    const { hookId } = await ask((client) => client.registerHook(request))
    return hookId
  }

  async function during<T>(work: () => Promise<T>): Promise<T> {
    const done = work()
    underWay.add(done)
    try {
      return await done
    } finally {
      underWay.delete(done)
    }
  }

  /** A restarted daemon does not know our hooks. */
  async function registerAgain(): Promise<void> {
    // Later registrations go to this daemon directly.
    const before = [...known]
    try {
      const { hooks } = await ask((client) => client.listHooks({}))
      for (const [id, hook] of before)
        if (!hooks.some(({ hookId }) => hookId === hook.at)) await during(() => registerOneAgain(id, hook))
    } catch (error) {
      onTrouble(`hooks could not be registered again: ${messageOf(error)}`)
    }
  }

  /** One refused registration does not prevent the others. */
  async function registerOneAgain(id: string, hook: Known): Promise<void> {
    try {
      const hookId = await register(hook)
      hook.at = hookId
      if (!known.has(id)) await ask((client) => client.unregisterHook({ hookId }))
    } catch (error) {
      onTrouble(`the hook ${id} could not be registered again: ${messageOf(error)}`)
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
      const { removed } = await ask((client) => client.unregisterHook({ hookId: at }))
      return removed
    },
    async list() {
      const { hooks } = await ask((client) => client.listHooks({}))
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
      await ask((client) => client.setHookAuditLevel({ level }))
    },
    async executeTool(sessionId, tool, args) {
      nextDepth()
      const eventId = handling.getStore()?.eventId ?? ''
      const request = { sessionId, tool, eventId, args: Buffer.from(JSON.stringify(args)) }
      const done = await ask((client) => client.executeTool(request))
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
      const leave = (hookId: string) =>
        ask((client) => client.unregisterHook({ hookId }, { timeoutMs: 2000 }))
      await Promise.allSettled(ids.map(leave))
      answers?.end()
      closed.abort()
      connection.close()
    },
  }
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
