/** Machines that only listen, each on a socket of its own: the cheapest client there is, so that the hub is what is measured. */

import { connect, type Socket } from 'node:net'
import { authorize } from '../../src/fleet/wire/signed-request.ts'
import { limited, type SimulatedEdge, TENANT } from './setup.ts'

export interface Listener {
  edge: SimulatedEdge
  /** Which hub it talks to. */
  at: number
  /** `revision.stage` that it was told last, and when. */
  told: string
  toldAt: number
  isOpen: boolean
}

export interface Crowd {
  listeners: Listener[]
  /** Resolves when all of them are connected. */
  allOpen(): Promise<void>
  /** Resolves when all were told of this revision. */
  allTold(revision: number): Promise<void>
  /** Connections that did not become a stream: why, and how many. */
  failures: Map<string, number>
  close(): void
}

const EMPTY = Buffer.alloc(0)
const LIMIT_SECONDS = 240

/** `reconnect`: at most, in milliseconds, before a machine whose stream ended comes back; to the next hub in the list. */
export function gather(
  edges: readonly SimulatedEdge[],
  urls: readonly string[],
  { together = 500, reconnect = 10_000 } = {},
): Crowd {
  const hosts = urls.map((url) => new URL(url))
  let closed = false
  let open = 0
  let wake = () => {}
  const failures = new Map<string, number>()
  const failed = (why: string) => failures.set(why, (failures.get(why) ?? 0) + 1)
  // A counter, because checking all machines at each event would take longer than what is measured.
  let awaited = 0
  let missing = 0
  const sockets = new Set<Socket>()
  const listeners = edges.map(
    (edge, i): Listener => ({ edge, at: i % hosts.length, told: '0.0', toldAt: 0, isOpen: false }),
  )

  // As many handshakes at a time as a real network would let through at once.
  const queue = [...listeners]
  let busy = 0
  const next = () => {
    while (busy < together && queue.length > 0 && !closed) {
      busy++
      dial(queue.shift()!)
    }
  }

  function dial(listener: Listener): void {
    const { hostname, port, host } = hosts[listener.at % hosts.length]!
    const socket = connect(Number(port), hostname)
    sockets.add(socket)
    let isDone = false
    const done = () => {
      if (isDone) return
      isDone = true
      busy--
      next()
    }
    let rest = ''
    socket.setEncoding('latin1')
    socket.on('connect', () => {
      const request = { method: 'GET', path: '/fleet/stream', body: EMPTY }
      const authorization = authorize(listener.edge.key, { tenant: TENANT, edge: listener.edge.id }, request)
      socket.write(
        `GET /fleet/stream HTTP/1.1\r\nhost: ${host}\r\nauthorization: ${authorization}\r\nlast-event-id: ${listener.told}\r\n\r\n`,
      )
    })
    socket.on('data', (chunk: string) => {
      if (!listener.isOpen) {
        if (!chunk.startsWith('HTTP/1.1 200')) {
          failed(chunk.split('\r\n')[0]!)
          socket.destroy()
          return
        }
        listener.isOpen = true
        open++
        done()
        wake()
      }
      rest += chunk
      for (const [, id] of rest.matchAll(/^id: (\d+\.\d+)$/gm)) {
        const before = revisionOf(listener)
        listener.told = id!
        listener.toldAt = performance.now()
        if (before < awaited && revisionOf(listener) >= awaited) missing--
        wake()
      }
      rest = rest.slice(-40).replace(/^id: \d+\.\d+$/gm, '')
    })
    socket.on('error', (error) => {
      failed((error as NodeJS.ErrnoException).code ?? error.message)
    })
    socket.on('close', () => {
      sockets.delete(socket)
      done()
      if (listener.isOpen) open--
      listener.isOpen = false
      if (closed) return
      // Another hub, after a while that differs from machine to machine.
      listener.at++
      setTimeout(() => {
        queue.push(listener)
        next()
      }, Math.random() * reconnect)
    })
  }

  next()
  const until = (isSo: () => boolean) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (!isSo()) return
        wake = () => {}
        resolve()
      }
      wake = look
      look()
    })
  return {
    listeners,
    failures,
    allOpen: () =>
      limited(
        'all machines are connected',
        LIMIT_SECONDS,
        until(() => open === listeners.length),
        () => `${open} of ${listeners.length} are; ${JSON.stringify([...failures])}`,
      ),
    allTold(revision) {
      awaited = revision
      missing = listeners.filter((listener) => revisionOf(listener) < revision).length
      return limited(
        `all machines are told of revision ${revision}`,
        LIMIT_SECONDS,
        until(() => missing === 0),
        () => `${missing} are not, ${open} are connected; ${JSON.stringify([...failures])}`,
      )
    },
    close() {
      closed = true
      for (const socket of sockets) socket.destroy()
    },
  }
}

function revisionOf({ told }: Listener): number {
  return Number(told.split('.')[0])
}
