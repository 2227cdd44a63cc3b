/**
 * The hub: stateless except for open streams. Everything else is in the database, so any number of hubs can serve one
 * fleet.
 */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { hostname } from 'node:os'
import { getRequestListener } from '@hono/node-server'
import { type Address, formatAddress } from '../host/address.ts'
import { listening } from '../host/listening.ts'
import { sendProblem } from '../host/problem.ts'
import { messageOf } from '../spec/errors.ts'
import { type Bundles, createBundles } from './bundles.ts'
import { type HubChannels, NO_CHANNELS } from './channels.ts'
import { type Database, DatabaseDown } from './database/port.ts'
import { authenticate, createApp, problemOf } from './http/app.ts'
import { openStream } from './http/edge-routes.ts'
import { createKnownEdges, type KnownEdges } from './known-edges.ts'
import { createStreams, type Stream, type Streams } from './machine-streams.ts'
import { maintain } from './maintain.ts'
import { createOffers, type Offers } from './offers.ts'
import type { Providers } from './provider-hooks.ts'
import { moveRollouts } from './rollout.ts'
import { answeredSince } from './store/asks.ts'
import { type Edge, type Newcomer, revokedSince } from './store/edges.ts'
import { type Person, type Pulse, readPulse } from './store/tenants.ts'
import { type Answers, createAnswers } from './waiting-answers.ts'
import { createWriter, type Writer } from './writer.ts'

export interface Hub {
  readonly db: Database
  readonly streams: Streams
  readonly edges: KnownEdges
  readonly offers: Offers
  readonly writer: Writer
  readonly answers: Answers
  readonly bundles: Bundles
  /** Sends a machine its current policy, unless it has it. */
  tell(stream: Stream): Promise<void>
  /** Channels to people beside the page. */
  readonly channels: HubChannels
  enrolByIdentity(token: string, newcomer: Newcomer): Promise<{ by: string; edge: Edge }>
  personOfSession(request: Request): Promise<Person | undefined>
  providers?: Providers | undefined
  trouble(sentence: string): void
}

export interface HubOptions {
  db: Database
  listen: Address
  tls?: { cert: string; key: string }
  trouble(sentence: string): void
  channels?: HubChannels
  enrolByIdentity?: Hub['enrolByIdentity']
  personOfSession?: Hub['personOfSession']
  providers?: Providers
  /** Further routes: the page. */
  extend?: (app: ReturnType<typeof createApp>, hub: Hub) => void
}

export interface RunningHub {
  address: string
  hub: Hub
  close(): Promise<void>
}

const STREAM_PATH = '/fleet/stream'
/** How often to poll for changes, whatever hints came. */
const POLL_MS = 1000
const ROLLOUT_MS = 5000
const SEEN_MS = 5000
const MAINTAIN_MS = 3_600_000
/** Changes written just before the last poll may have been committed after it. */
const OVERLAP_MS = 30_000

export async function startHub(options: HubOptions): Promise<RunningHub> {
  const { db, trouble } = options
  const streams = createStreams()
  const offers = createOffers(db)
  const hub: Hub = {
    db,
    streams,
    offers,
    edges: createKnownEdges(db),
    writer: createWriter(db, hostname().slice(0, 40) + process.pid),
    answers: createAnswers(),
    bundles: createBundles(),
    async tell(stream) {
      const offer = await offers.offerFor(stream.tenant, stream.target)
      if (!offer || !isNewer(`${offer.revision}.${offer.stage}`, stream.told)) return
      stream.told = `${offer.revision}.${offer.stage}`
      streams.send(stream, offer.event)
    },
    channels: options.channels ?? NO_CHANNELS,
    enrolByIdentity: options.enrolByIdentity ?? refuseIdentity,
    personOfSession: options.personOfSession ?? (async () => undefined),
    providers: options.providers,
    trouble,
  }
  const app = createApp(hub)
  options.extend?.(app, hub)
  const listener = getRequestListener(app.fetch)
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    if (request.method === 'GET' && request.url === STREAM_PATH) void serveStream(hub, request, response)
    else void listener(request, response)
  }
  const limits = { keepAliveTimeout: 60_000, requestTimeout: 60_000, noDelay: true }
  const server = options.tls
    ? createSecureServer({ ...limits, ...options.tls }, answer)
    : createServer(limits, answer)
  server.maxRequestsPerSocket = 0
  server.listen({ port: options.listen.port, host: options.listen.host, backlog: 4096 })
  await listening(server, `--listen ${formatAddress(options.listen)}`)
  const watch = watchChanges(hub)
  await db.listen((tenant) => void watch.look(tenant))
  const timers = [
    every(POLL_MS, () => watch.look(), trouble),
    every(ROLLOUT_MS, () => moveAll(db), trouble),
    every(SEEN_MS, () => hub.edges.flush(), trouble),
    every(MAINTAIN_MS, () => maintain(db), trouble),
  ]
  await maintain(db)
  const { port } = server.address() as AddressInfo
  return {
    address: `${options.tls ? 'https' : 'http'}://${formatAddress({ host: options.listen.host, port })}`,
    hub,
    async close() {
      for (const timer of timers) clearInterval(timer)
      streams.stop()
      streams.closeAll()
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
      await hub.edges.flush().catch(() => {})
      hub.channels.close()
      await options.providers?.close()
      await db.close()
    },
  }
}

const NONE = Buffer.alloc(0)

async function serveStream(hub: Hub, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const { tenant, edge } = await authenticate(hub, {
      authorization: request.headers.authorization,
      method: 'GET',
      path: STREAM_PATH,
      body: NONE,
    })
    const has = String(request.headers['last-event-id'] ?? '0.0')
    // The request lives as long as the stream: free its headers.
    request.rawHeaders.length = 0
    request.headers = {}
    await openStream(hub, { tenant, edge, has, response })
  } catch (error) {
    // An open stream stays open: it is updated when the database is back.
    if (response.headersSent) hub.trouble(`a machine could not be told its policy: ${messageOf(error)}`)
    else sendProblem(response, problemOf(hub, error))
  }
}

/** Polls the change counters and tells this hub's machines what changed for them. */
function watchChanges(hub: Hub) {
  const { db, streams, answers, offers } = hub
  const known = new Map<string, Pulse>()
  const seenAt = new Map<string, number>()
  let looking: Promise<void> | undefined
  let again = false

  async function once(): Promise<void> {
    for (const pulse of await readPulse(db)) {
      const before = known.get(pulse.tenant)
      const { tenant } = pulse
      const since = (seenAt.get(tenant) ?? Date.now()) - OVERLAP_MS
      const now = Date.now()
      if (before?.policy !== pulse.policy) {
        await offers.refresh(tenant)
        for (const stream of streams.ofTenant(tenant)) await hub.tell(stream)
      }
      if (before && before.edges !== pulse.edges)
        for (const id of await db.within(tenant, (sql) => revokedSince(sql, tenant, since)))
          streams.close(tenant, id, 'event: revoked\ndata: {}\n\n')
      if (before?.asks !== pulse.asks && (answers.has(tenant) || hub.channels.waits(tenant)))
        for (const row of await db.within(tenant, (sql) => answeredSince(sql, tenant, since))) {
          answers.tell(tenant, row)
          hub.channels.answered(tenant, row)
        }
      // Only when all of it was done: what failed is checked again.
      known.set(tenant, pulse)
      seenAt.set(tenant, now)
    }
  }

  return {
    /** One poll at a time; hints that come meanwhile cause one more. */
    look(_tenant?: string): Promise<void> {
      if (looking) {
        again = true
        return looking
      }
      looking = (async () => {
        do {
          again = false
          await once()
        } while (again)
      })()
        .catch((error: unknown) => {
          if (!(error instanceof DatabaseDown)) hub.trouble(`changes could not be read: ${messageOf(error)}`)
        })
        .finally(() => {
          looking = undefined
        })
      return looking
    },
  }
}

async function moveAll(db: Database): Promise<void> {
  for (const { tenant } of await readPulse(db)) await moveRollouts(db, tenant)
}

function every(ms: number, work: () => Promise<void>, trouble: (sentence: string) => void): NodeJS.Timeout {
  let running = false
  return setInterval(() => {
    if (running) return
    running = true
    work()
      .catch((error: unknown) => {
        if (!(error instanceof DatabaseDown)) trouble(`the hub could not do its rounds: ${messageOf(error)}`)
      })
      .finally(() => {
        running = false
      })
  }, ms).unref()
}

/** Compares `revision.stage`. */
function isNewer(one: string, other: string): boolean {
  const [revision = 0, stage = 0] = one.split('.').map(Number)
  const [before = 0, beforeStage = 0] = other.split('.').map(Number)
  return revision > before || (revision === before && stage > beforeStage)
}

async function refuseIdentity(): Promise<never> {
  const { CrosshookError } = await import('../spec/errors.ts')
  throw new CrosshookError('refused', 'This is no token of this hub.', {
    fix: 'Ask for one: crosshook fleet token.',
  })
}
