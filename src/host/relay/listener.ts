/** The relay's door: `engine.sock`, one connection for each event of an agent. */

import { messageOf } from '../../spec/errors.ts'
import type { Door, Listener } from '../host.ts'
import { stampOf } from './accepts.ts'
import type { Gate } from './caller.ts'
import { enginePlace } from './place.ts'
import { announce } from './predecessors.ts'
import { serveWarm, type WarmServer } from './warm-server.ts'

export type RelayDoor = WarmServer &
  Door & {
    /** Marks that this process was told to end: see predecessors.ts. */
    withdraw(): void
  }

type RelayListener = Listener<Parameters<Listener>[0], RelayDoor>

export const relayListener: RelayListener = (host) => listen(host)

/** For a resident behind the gate, which answers every user of the machine. */
export function gatedListener(gate: Gate): RelayListener {
  return (host) => listen(host, gate)
}

async function listen({ runtime, env, trouble }: Parameters<Listener>[0], gate?: Gate): Promise<RelayDoor> {
  const socket = enginePlace(runtime.paths.runtime)
  const isOutdated = stampOf(process.argv[1]) // a newer program replaces this one
  const server = await serveWarm({ runtime, socket, env, trouble, isOutdated, gate })
  const withdraw = announce(runtime.paths.runtime)
  return Object.assign(server, { withdraw, close: closing(server, withdraw) })
}

function closing({ close }: WarmServer, withdraw: () => void): () => Promise<void> {
  return async () => {
    withdraw()
    await close()
  }
}

/** For a host with other listeners: without the relay's socket, agents' calls take the cold path. */
export const optionalRelayListener: Listener = async (host) => {
  try {
    return await relayListener(host)
  } catch (error) {
    host.trouble(
      `the relay cannot be served, so that agents' calls start Node each time: ${messageOf(error)}`,
    )
    return { address: null, close: async () => {} }
  }
}
