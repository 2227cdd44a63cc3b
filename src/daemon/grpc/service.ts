/** The hook service: each call is checked, then handed to the core. */

import { create } from '@bufbuild/protobuf'
import { Code, ConnectError, type HandlerContext, type ServiceImpl } from '@connectrpc/connect'
import { AUDIT_LEVELS, type AuditLevel, describeHook } from '../../dialects/registry-programs.ts'
import { CrosshookError, type ErrorCode, messageOf } from '../../spec/errors.ts'
import type { Hook } from '../../spec/hook.ts'
import type { Core } from '../core.ts'
import { executeTool } from '../execute-tool.ts'
import {
  type HookResponse,
  type HookService,
  type RegisteredHook,
  RegisteredHookSchema,
} from '../gen/hooks_pb.ts'
import { allows, type Scope } from '../tokens.ts'
import { refusedOrigin } from '../web.ts'
import { OPENED } from './server.ts'

export function createService(core: Core): ServiceImpl<typeof HookService> {
  const { registry, streams } = core
  return {
    registerHook: guarded('admin', (request, { client }) => {
      const { eventType, matcher, config } = request
      const hook = registry.register({
        client,
        event: eventType,
        matcher: matcher && without(matcher, ['tool', 'pathPattern', 'commandPattern']),
        config: config && without(config, ['priority', 'timeoutMs', 'async', 'failBehavior']),
      })
      return { hookId: hook.name }
    }),
    unregisterHook: guarded('admin', ({ hookId }) => ({ removed: registry.unregister(hookId) })),
    listHooks: guarded('admin', () => ({ hooks: registry.hooks().map(describe) })),
    async *hookStream(requests, context) {
      const { client } = enter(core, context, 'admin')
      if (core.stopping) throw new ConnectError('the daemon is stopping', Code.Unavailable)
      const over = new AbortController()
      const end = () => over.abort()
      context.signal.addEventListener('abort', end, { once: true })
      const events = streams.open(client, over.signal)
      context.values.get(OPENED)()
      // Answers come in while events go out. Who has said its last word cannot answer: its stream is over.
      listen(core, client, requests)
        .catch((error: unknown) => core.log.info(`the stream of ${client} broke: ${messageOf(error)}`))
        .finally(end)
      try {
        yield* events
      } finally {
        end()
      }
    },
    fire: guarded('events', async ({ eventType, event }, { trace }) => {
      const given = parseObject(event, 'event')
      const result = await core.fire(eventType || String(given.event_type ?? ''), given, trace)
      return {
        decision: result.decision,
        ...(result.reason === null ? {} : { reason: result.reason }),
        result: Buffer.from(JSON.stringify(result)),
      }
    }),
    setHookAuditLevel: guarded('admin', ({ level }) => {
      if (!AUDIT_LEVELS.includes(level as AuditLevel))
        throw new CrosshookError('bad_input', `"${level}" is no audit level`, {
          fix: `Levels: ${AUDIT_LEVELS.join(', ')}.`,
        })
      registry.setAuditLevel(level as AuditLevel)
      return {}
    }),
    executeTool: guarded('admin', async ({ sessionId, eventId, tool, args: bytes }, { client }) => {
      const args = parseObject(bytes, 'args')
      const done = await executeTool(core, { client, sessionId, eventId, tool, args })
      const { success, output, exitCode, duration } = done
      return {
        success,
        output,
        ...(exitCode === undefined ? {} : { exitCode }),
        durationMs: BigInt(Math.round(duration)),
      }
    }),
  }

  function guarded<Request, Response>(
    scope: Scope,
    work: (request: Request, caller: Caller) => Response | Promise<Response>,
  ): (request: Request, context: HandlerContext) => Promise<Response> {
    return async (request, context) => {
      const caller = enter(core, context, scope)
      if (core.stopping) throw new ConnectError('the daemon is stopping', Code.Unavailable)
      try {
        return await withinDeadline(work(request, caller), context.signal)
      } catch (error) {
        throw toConnectError(error)
      }
    }
  }
}

interface Caller {
  /** Whose hooks and streams belong together. */
  client: string
  trace: string | undefined
}

function enter(core: Core, { requestHeader, url }: HandlerContext, needed: Scope): Caller {
  const origin = refusedOrigin({
    host: URL.parse(url)?.host,
    origin: requestHeader.get('origin') ?? undefined,
    bound: core.options.grpc.host,
  })
  if (origin !== undefined) throw new ConnectError(origin, Code.PermissionDenied)
  const scope = core.tokens.scopeOf(requestHeader.get('authorization') ?? undefined)
  if (scope === undefined)
    throw new ConnectError(
      `the call has no valid token: send "authorization: Bearer TOKEN" with the content of ${core.tokens.adminFile}`,
      Code.Unauthenticated,
    )
  if (!allows(scope, needed))
    throw new ConnectError(
      `this token may only fire events; the call needs the scope "${needed}"`,
      Code.PermissionDenied,
    )
  const named = requestHeader.get('crosshook-client')
  return {
    client: named ? `client:${named.slice(0, 200)}` : `default:${scope}`,
    trace: requestHeader.get('traceparent') ?? undefined,
  }
}

async function listen(core: Core, client: string, requests: AsyncIterable<HookResponse>): Promise<void> {
  for await (const response of requests) {
    if (response.hookId === '' && response.eventId === '') continue
    if (!core.streams.answer(client, response))
      core.log.info(`an answer of ${client} for ${response.hookId} came when nothing waited for it`)
  }
}

function withinDeadline<T>(work: T | Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () =>
      reject(signal.reason instanceof Error ? signal.reason : new ConnectError('canceled', Code.Canceled))
    if (signal.aborted) late()
    signal.addEventListener('abort', late, { once: true })
    Promise.resolve(work)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', late))
  })
}

const CODES: Partial<Record<ErrorCode, Code>> = {
  usage: Code.InvalidArgument,
  bad_input: Code.InvalidArgument,
  unknown_event: Code.InvalidArgument,
  unknown_agent: Code.NotFound,
  not_found: Code.NotFound,
  limit: Code.ResourceExhausted,
  refused: Code.FailedPrecondition,
  store: Code.Unavailable,
}

function toConnectError(error: unknown): ConnectError {
  if (error instanceof ConnectError) return error
  if (!(error instanceof CrosshookError)) return ConnectError.from(error, Code.Internal)
  return new ConnectError(`${error.message} ${error.fix}`, CODES[error.code] ?? Code.Internal)
}

function parseObject(bytes: Uint8Array, what: string): Record<string, unknown> {
  if (bytes.length === 0) return {}
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'))
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>
  } catch (error) {
    throw new CrosshookError('bad_input', `${what} is not JSON: ${messageOf(error)}`)
  }
  throw new CrosshookError('bad_input', `${what} is JSON, but not an object`)
}

/** Unset fields of a message are empty, not absent. */
function without(message: object, fields: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(message).filter(
      ([name, value]) => fields.includes(name) && value !== '' && value !== undefined,
    ),
  )
}

function describe(hook: Hook): RegisteredHook {
  const { id, event, matcher, config } = describeHook(hook)
  return create(RegisteredHookSchema, {
    hookId: id,
    eventType: event,
    matcher: {
      ...(matcher.tool === undefined ? {} : { tool: matcher.tool }),
      ...(matcher.pathPattern === undefined ? {} : { pathPattern: matcher.pathPattern }),
      ...(matcher.commandPattern === undefined ? {} : { commandPattern: matcher.commandPattern }),
    },
    config: {
      priority: config.priority ?? 0,
      timeoutMs: config.timeout ?? 0,
      async: config.async ?? false,
      failBehavior: config.failBehavior ?? '',
    },
  })
}
