/** Streams of SDK processes: events go out on a client's newest stream, answers come back on any of them. */

import { randomUUID } from 'node:crypto'
import { create } from '@bufbuild/protobuf'
import type { Call, Executor, RawResult } from '../../spec/executor.ts'
import type { Run } from '../../spec/hook.ts'
import { type Failure, failure } from '../../spec/outcome.ts'
import { type HookEvent, HookEventSchema, type HookResponse } from '../gen/hooks_pb.ts'
import { readTrace, type Trace } from '../trace.ts'
import { type Queue, queue } from './queue.ts'
import { readResponse } from './response.ts'

type RemoteRun = Extract<Run, { type: 'remote' }>

export interface Streams {
  readonly executor: Executor<RemoteRun>
  readonly count: number
  /** Events for this client from now on, until the signal. */
  open(client: string, signal: AbortSignal): AsyncIterable<HookEvent>
  /** False when no event waits for it. */
  answer(client: string, response: HookResponse): boolean
  /** Of the named event; without a name, of the session's open event that is nested deepest in tool calls of hooks. */
  callerOf(client: string, sessionId: string, eventId: string): { depth: number; trace: Trace | undefined }
  closeAll(): void
}

interface Waiting {
  client: string
  hookId: string
  sessionId: string
  depth: number
  trace: Trace | undefined
  stream: Queue<HookEvent>
  settle(result: RawResult | Failure): void
}

/** So that a client that reads nothing cannot fill our memory. */
const MAX_UNREAD_EVENTS = 1000

export function createStreams(told: { modified(hookId: string, fields: readonly string[]): void }): Streams {
  const streams = new Map<string, Queue<HookEvent>[]>()
  /** By event id, oldest first. */
  const open = new Map<string, Waiting>()

  function run(call: Call<RemoteRun>): Promise<RawResult | Failure> | RawResult | Failure {
    const { run: remote, hook, event, signal } = call
    const stream = streams.get(remote.client)?.at(-1)
    if (!stream)
      return failure(
        `its program is not connected. Start it again, or take the hook away: crosshook daemon forget ${remote.hook_id}`,
        { retryable: false },
      )
    if (stream.length >= MAX_UNREAD_EVENTS)
      return failure('its program does not read its events', { retryable: false })
    const eventId = randomUUID()
    const message = toMessage(call, eventId)
    if (hook.mode === 'background') {
      stream.push(message)
      return { value: undefined }
    }
    return new Promise((resolve) => {
      const settle = (result: RawResult | Failure) => {
        open.delete(eventId)
        signal.removeEventListener('abort', late)
        resolve(result)
      }
      const late = () => settle(failure(`timed out after ${hook.timeout} ms`, { kind: 'timed_out' }))
      signal.addEventListener('abort', late)
      const about = { client: remote.client, hookId: remote.hook_id, sessionId: event.session_id }
      const { context } = event
      const trace = readTrace((name) => context[name] as string)
      open.set(eventId, { ...about, depth: depthIn(context), trace, stream, settle })
      stream.push(message)
    })
  }

  return {
    executor: { type: 'remote', run },
    get count() {
      return [...streams.values()].reduce((sum, list) => sum + list.length, 0)
    },
    open(client, signal) {
      const stream = queue<HookEvent>()
      streams.set(client, [...(streams.get(client) ?? []), stream])
      const close = () => {
        const left = (streams.get(client) ?? []).filter((other) => other !== stream)
        if (left.length > 0) streams.set(client, left)
        else streams.delete(client)
        stream.end()
        for (const waiting of [...open.values()])
          if (waiting.stream === stream)
            waiting.settle(failure('its program disconnected before it answered', { retryable: false }))
      }
      if (signal.aborted) close()
      else signal.addEventListener('abort', close, { once: true })
      return stream
    },
    answer(client, response) {
      const waiting = response.eventId === '' ? oldest(client, response.hookId) : open.get(response.eventId)
      if (waiting?.client !== client) return false
      if (response.hookId !== '' && response.hookId !== waiting.hookId) return false
      const result = readResponse(response)
      if ('value' in result && result.modified) told.modified(waiting.hookId, result.modified)
      waiting.settle('value' in result ? { value: result.value } : result)
      return true
    },
    callerOf(client, sessionId, eventId) {
      const named = open.get(eventId)
      if (named?.client === client) return named
      let deepest: { depth: number; trace: Trace | undefined } = { depth: 0, trace: undefined }
      for (const waiting of open.values())
        if (waiting.client === client && waiting.sessionId === sessionId && waiting.depth >= deepest.depth)
          deepest = waiting
      return deepest
    },
    closeAll() {
      for (const list of streams.values()) for (const stream of list) stream.end()
    },
  }

  function oldest(client: string, hookId: string): Waiting | undefined {
    for (const waiting of open.values())
      if (waiting.client === client && waiting.hookId === hookId) return waiting
    return undefined
  }
}

/** Number of nested tool calls of hooks that led to this event. */
export const DEPTH_FIELD = 'execute_tool_depth'

function depthIn(context: Record<string, unknown>): number {
  const depth = context[DEPTH_FIELD]
  return typeof depth === 'number' ? depth : 0
}

function toMessage({ run, hook, event, input }: Call<RemoteRun>, eventId: string): HookEvent {
  const at = Date.parse(event.timestamp)
  return create(HookEventSchema, {
    hookId: run.hook_id,
    eventType: hook.native_event ?? event.event_type,
    sessionId: event.session_id,
    timestamp: BigInt(Number.isNaN(at) ? Date.now() : at),
    payload: Buffer.from(input.text),
    eventId,
  })
}
