/**
 * Open streams of machines: server-sent events without a framework, so that an idle machine takes little memory. A
 * stream that cannot keep up is closed: the machine reconnects and asks what it missed.
 */

import type { ServerResponse } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Target } from '../fleet/wire/policy-manifest.ts'
import { createBound } from '../host/bounded-memory.ts'

export interface Stream {
  tenant: string
  target: Target
  response: ServerResponse
  /** The revision and stage that it was last sent. */
  told: string
}

export interface Streams {
  readonly count: number
  open(stream: Stream): Stream
  ofTenant(tenant: string): Iterable<Stream>
  of(tenant: string, edge: string): Stream | undefined
  send(stream: Stream, event: string): void
  close(tenant: string, edge: string, event?: string): void
  closeAll(): void
}

/** Proxies close connections that are silent for 30 seconds. */
const HEARTBEAT_MS = 25_000
const SLICES = 25
/** Bytes that a machine may leave unread. */
const MAX_UNREAD_BYTES = 256 * 1024
const HEAD = { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' }

/** Space for new objects: with more, the garbage of thousands of handshakes is most of a hub's memory. */
const NEW_SPACE_BYTES = 8 * 1024 * 1024
/** After this many new streams the garbage of their handshakes is collected, once no more come. */
const COLLECT_AFTER = 500
const COLLECT_MS = 3000
/** Streams between two checks of the space for new objects. */
const LOOK_EVERY = 50

export function createStreams(): Streams & { stop(): void } {
  const tenants = new Map<string, Map<string, Stream>>()
  const slices: Set<Stream>[] = Array.from({ length: SLICES }, () => new Set())
  let count = 0
  let slice = 0
  let opened = 0
  let openedBefore = 0
  let collectedAt = 0
  const bound = createBound(NEW_SPACE_BYTES)
  const collect = setInterval(() => {
    if (opened === openedBefore && opened - collectedAt > COLLECT_AFTER) {
      collectedAt = opened
      collectGarbage()
    }
    openedBefore = opened
  }, COLLECT_MS).unref()

  const beat = setInterval(() => {
    slice = (slice + 1) % SLICES
    for (const stream of slices[slice]!) send(stream, ':\n\n')
  }, HEARTBEAT_MS / SLICES)
  beat.unref()

  function send({ response }: Stream, event: string): void {
    if (response.writableLength > MAX_UNREAD_BYTES) response.destroy()
    else response.write(event)
  }

  function forget(stream: Stream): void {
    const edges = tenants.get(stream.tenant)
    if (edges?.get(stream.target.id) === stream) edges.delete(stream.target.id)
    for (const each of slices) if (each.delete(stream)) count--
  }

  return {
    get count() {
      return count
    },
    open(stream) {
      const { tenant, target, response } = stream
      let edges = tenants.get(tenant)
      if (!edges) tenants.set(tenant, (edges = new Map()))
      // The older one belongs to a connection that the machine has given up.
      edges.get(target.id)?.response.destroy()
      edges.set(target.id, stream)
      slices[count % SLICES]!.add(stream)
      count++
      opened++
      if (opened % LOOK_EVERY === 0) bound()
      response.on('close', () => forget(stream))
      response.on('error', () => response.destroy())
      response.writeHead(200, HEAD)
      return stream
    },
    ofTenant: (tenant) => tenants.get(tenant)?.values() ?? [],
    of: (tenant, edge) => tenants.get(tenant)?.get(edge),
    send,
    close(tenant, edge, event) {
      const stream = tenants.get(tenant)?.get(edge)
      if (!stream) return
      if (event === undefined) stream.response.destroy()
      else stream.response.end(event)
    },
    closeAll() {
      for (const edges of tenants.values()) for (const { response } of edges.values()) response.destroy()
    },
    stop() {
      clearInterval(beat)
      clearInterval(collect)
    },
  }
}

/** Node collects when it needs room; an idle hub never does, and would keep the garbage of many handshakes. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as () => void
  gc()
}
