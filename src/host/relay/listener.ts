/** The relay's door: `engine.sock`, one connection for each event of an agent. */

import { realpathSync, type Stats, statSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { rememberWhileUnchanged } from '../../config/fingerprint.ts'
import { messageOf } from '../../spec/errors.ts'
import type { Door, Listener } from '../host.ts'
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

/** Was the program on disk replaced since this process started? `file` is what Node was started with. */
function stampOf(file: string | undefined): () => boolean {
  if (file === undefined) return () => false
  const path = realpathSync(file)
  const known = statSync(path)
  // Replaced while this process started: either version may have been loaded.
  if (known.ctimeMs > performance.timeOrigin) return () => true
  return rememberWhileUnchanged(path, () => !isSame(path, known))
}

function isSame(path: string, known: Stats): boolean {
  try {
    const found = statSync(path, { throwIfNoEntry: false })
    return found?.ino === known.ino && found.size === known.size && found.ctimeMs === known.ctimeMs
  } catch {
    return false // no longer accessible
  }
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
