/**
 * The resident process: one assembly behind any number of listeners. The warm engine that the relay's cold path starts
 * listens for the relay alone; the daemon listens for the relay, HTTP and gRPC.
 */

import { createCommandExecutor } from '../executors/command.ts'
import { createSpawner, type Spawner } from '../executors/spawner.ts'
import { type AssembleOptions, type Assembly, assemble } from './assemble.ts'
import { ownRelay } from './relay/hook-command.ts'

/** What every listener may use. */
export interface Resident {
  /** Environment of the process: selects whose hooks apply. An event's own environment comes with the event. */
  readonly env: NodeJS.ProcessEnv
  readonly runtime: Assembly
  trouble(sentence: string): void
  close(): Promise<void>
}

/** A way for events to come in. To add one: a file that exports a Listener, and its place in the list of a program. */
export type Listener<H extends Resident = Resident, D extends Door = Door> = (host: H) => Promise<D>

/** An open listener. */
export interface Door {
  /** Address for the status; null when it could not be opened and the host runs without it. */
  readonly address: string | null
  /** Waits for running work. */
  close(): Promise<void>
}

export function createResident(
  options: AssembleOptions & Pick<Resident, 'trouble'>,
  spawner: Spawner | undefined = ownSpawner(),
): Resident {
  const command = createCommandExecutor(spawner)
  const runtime = assemble({
    main: process.argv[1],
    ...options,
    executors: { command, ...options.executors },
  })
  return {
    env: options.env,
    runtime,
    trouble: options.trouble,
    async close() {
      spawner?.close()
      await runtime.close()
    },
  }
}

/** Starting processes from a large process is slow, so the small spawner does it. */
function ownSpawner(): Spawner | undefined {
  const relay = ownRelay()
  return relay === undefined ? undefined : createSpawner(relay)
}

/** Opens every listener or none: when one fails, the others are closed again. */
export async function openAll<H extends Resident, T extends readonly Listener<H>[]>(
  host: H,
  listeners: readonly [...T],
): Promise<{ [I in keyof T]: Awaited<ReturnType<T[I]>> }> {
  const doors: Door[] = []
  try {
    for (const open of listeners) doors.push(await open(host))
  } catch (error) {
    await Promise.all(doors.map((door) => door.close()))
    throw error
  }
  return doors as never
}
