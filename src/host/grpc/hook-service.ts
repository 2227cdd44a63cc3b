/** The hook service: checks each call and passes it to the core. */

import { create } from '@bufbuild/protobuf'
import { Code, ConnectError, type HandlerContext, type ServiceImpl } from '@connectrpc/connect'
import { AUDIT_LEVELS, type AuditLevel, describeHook } from '../../dialects/registry-programs.ts'
import { CrosshookError, messageOf } from '../../spec/errors.ts'
import type { Hook } from '../../spec/hook.ts'
import { parseJson } from '../../spec/json.ts'
import type { Core } from '../core.ts'
import { executeTool } from '../execute-tool.ts'
import {
  type HookResponse,
  type HookService,
  type RegisteredHook,
  RegisteredHookSchema,
} from '../gen/hooks_pb.ts'
import type { Ends } from '../peer.ts'
import { toProblem } from '../problem.ts'
import { ENDS, OPENED } from './adapter.ts'
import { CALLER, type Caller } from './admit-call.ts'

export function createService(core: Core): ServiceImpl<typeof HookService> {
  const { registry, streams } = core
  return {
    registerHook: guarded((request, { client }) => {
      const { eventType, name, matcher, config } = request
      const hook = registry.register({
        client,
        event: eventType,
        name,
        matcher: matcher && without(matcher, ['tool', 'pathPattern', 'commandPattern']),
        config: config && without(config, ['priority', 'timeoutMs', 'async', 'failBehavior']),
      })
      return { hookId: hook.name }
    }),
    async unregisterHook(request, context) {
      const ends = context.values.get(ENDS)
      return guarded(async ({ hookId }: { hookId: string }, { client }) => {
        if (!isOwn(registry.hooks(), hookId, client)) await refuseAgentAt(ends)
        return { removed: registry.unregister(hookId) }
      })(request, context)
    },
    listHooks: guarded(() => ({ hooks: registry.hooks().map(describe) })),
    async *hookStream(requests, context) {
      const { client } = context.values.get(CALLER)
      const over = new AbortController()
      const end = () => over.abort()
      context.signal.addEventListener('abort', end, { once: true })
      const events = streams.open(client, over.signal)
      context.values.get(OPENED)()
      // Answers come in while events go out. A client that has closed its side cannot answer, so its stream ends.
      let broken: ConnectError | undefined
      listen(core, client, requests)
        .catch((error: unknown) => {
          core.log.info(`the stream of ${client} broke: ${messageOf(error)}`)
          broken = asSent(error)
        })
        .finally(end)
      try {
        yield* events
      } finally {
        end()
      }
      if (broken) throw broken
    },
    fire: guarded(async ({ eventType, event }, { trace }) => {
      const given = parseObject(event, 'event')
      const result = await core.fire(eventType || String(given.event_type ?? ''), given, trace)
      return {
        decision: result.decision,
        ...(result.reason === null ? {} : { reason: result.reason }),
        result: Buffer.from(JSON.stringify(result)),
      }
    }),
    setHookAuditLevel: guarded(({ level }, { client }) => {
      if (!AUDIT_LEVELS.includes(level as AuditLevel))
        throw new CrosshookError('bad_input', `"${level}" is no audit level`, {
          fix: `Levels: ${AUDIT_LEVELS.join(', ')}.`,
        })
      registry.setAuditLevel(level as AuditLevel, client)
      return {}
    }),
    executeTool: guarded(async ({ sessionId, eventId, tool, args: bytes }, { client, trace }, signal) => {
      const args = parseObject(bytes, 'args')
      const done = await executeTool(core, { client, sessionId, eventId, tool, args, trace, signal })
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
    work: (request: Request, caller: Caller, signal: AbortSignal) => Response | Promise<Response>,
  ): (request: Request, context: HandlerContext) => Promise<Response> {
    return async (request, context) => {
      try {
        const { values, signal } = context
        return await withinDeadline(work(request, values.get(CALLER), signal), signal)
      } catch (error) {
        throw toConnectError(core, error)
      }
    }
  }
}

/** Was the hook registered under this name? Everybody without a name of their own has the same one. */
function isOwn(hooks: readonly Hook[], id: string, client: string): boolean {
  const run = hooks.find(({ name }) => name === id)?.run
  return client.startsWith('client:') && run?.type === 'remote' && run.client === client
}

/** An agent may have a script of its own take away the hooks of others: the token is in a file. */
async function refuseAgentAt(ends: Ends): Promise<void> {
  const { agentBehind, forPeopleAlone } = await import('../peer.ts')
  const agent = await agentBehind(ends)
  if (agent !== undefined) throw forPeopleAlone(agent)
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

/** HTTP status → gRPC code. */
const CODES: Readonly<Record<number, Code>> = {
  400: Code.InvalidArgument,
  403: Code.FailedPrecondition,
  404: Code.NotFound,
  429: Code.ResourceExhausted,
  503: Code.Unavailable,
}

function toConnectError(core: Core, error: unknown): ConnectError {
  if (error instanceof ConnectError) return error
  const { status, detail, fix } = toProblem(error)
  const code = CODES[status] ?? Code.Internal
  if (code === Code.Internal)
    core.log.error(`a call failed: ${String((error as Error | undefined)?.stack ?? error)}`)
  const sentence = /[.!?]$/.test(detail) ? detail : `${detail}.`
  return new ConnectError(fix === undefined ? sentence : `${sentence} ${fix}`, code)
}

/** A client's unreadable message is not an internal error. */
function asSent(error: unknown): ConnectError {
  const { code, rawMessage } = ConnectError.from(error, Code.InvalidArgument)
  return new ConnectError(rawMessage, code === Code.Internal ? Code.InvalidArgument : code)
}

const OBJECT_FIX = 'Send the bytes of a JSON object, such as {"command": "ls"}.'

function parseObject(bytes: Uint8Array, what: string): Record<string, unknown> {
  if (bytes.length === 0) return {}
  try {
    // Invalid UTF-8 is refused, so that it is not read as another text; a byte order mark is no part of it.
    const value = parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>
  } catch (error) {
    throw new CrosshookError('bad_input', `"${what}" is not JSON: ${messageOf(error)}.`, { fix: OBJECT_FIX })
  }
  throw new CrosshookError('bad_input', `"${what}" is JSON, but not an object.`, { fix: OBJECT_FIX })
}

/** Unset fields of a message are empty, not absent. */
function without(message: object, fields: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(message).filter(
      // On the wire an unset text is empty and an unset number is 0.
      ([name, value]) => fields.includes(name) && value !== '' && value !== 0 && value !== undefined,
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
