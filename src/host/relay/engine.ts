/** `crosshook engine`: the warm process behind the relay. Ends when idle, when replaced, and when outdated. */

import { AsyncLocalStorage } from 'node:async_hooks'
import { connect } from 'node:net'
import { fingerprint } from '../../config/fingerprint.ts'
import { paths } from '../../config/paths.ts'
import { readSettings } from '../../config/settings.ts'
import { createCommandExecutor } from '../../executors/command.ts'
import { createSpawner } from '../../executors/spawner.ts'
import { logLines } from '../../pipeline/log.ts'
import { assemble } from '../assemble.ts'
import { ownRelay } from './command.ts'
import { enginePlace } from './place.ts'
import { serveWarm, type WarmServer } from './serve.ts'
import { stampOf } from './stamp.ts'
import { endTurn } from './start.ts'
import { takeInElsewhere } from './take-in.ts'

const IDLE_MINUTES = 15
const LOOK = 2000
/** Memory is cleared between two events once so many have come. */
const TIDY_AFTER = 300
/** A process that has grown so large makes room for a new one as soon as it has nothing to do. */
const MOST_MEMORY = 300 * 1024 * 1024

export async function run(args: { flag(name: string): boolean }): Promise<number> {
  const env = { ...process.env }
  const where = paths(env)
  const isOutdated = stampOf(process.argv[1])
  const socket = enginePlace(where.runtime)
  const trouble = (sentence: string) => logLines(where.state, [sentence])
  try {
    if (!args.flag('replace') && (await answers(socket))) return 0
    const onStuckModule = (sentence: string) => {
      // A thread that cannot be ended keeps even `process.exit` waiting. The relays whose answers are lost take the cold path.
      logLines(where.state, [`the warm engine ends: ${sentence}`])
      process.kill(process.pid, 'SIGKILL')
    }
    const relay = ownRelay()
    const spawner = relay === undefined ? undefined : createSpawner(relay)
    const runtime = assemble({
      env,
      source: 'hook',
      stays: true,
      trouble,
      onStuckModule,
      executors: { command: createCommandExecutor(spawner) },
    })
    const server = await serveWarm({ runtime, socket, env, trouble, isOutdated, within: environmentOf() })
    const stopTakingIn = takeInElsewhere(runtime.store(), trouble)
    endTurn(where.runtime)
    await Promise.race([server.outdated, told(), unneeded(server, [where.settings, where.managedSettings])])
    stopTakingIn()
    await server.close()
    spawner?.close()
    await runtime.close()
    return 0
  } finally {
    endTurn(where.runtime)
  }
}

/** Code that asks for `process.env` while it works on an event sees that event's, and may change what it sees. */
function environmentOf(): <T>(env: NodeJS.ProcessEnv, work: () => T) => T {
  const events = new AsyncLocalStorage<{ env: NodeJS.ProcessEnv; copy?: NodeJS.ProcessEnv }>()
  const own = process.env
  const seen = () => {
    const event = events.getStore()
    if (event) event.copy ??= { ...event.env }
    return event?.copy ?? own
  }
  Object.defineProperty(process, 'env', { configurable: true, get: seen })
  return (env, work) => events.run({ env }, work)
}

function told(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => resolve())
  })
}

/** Idle for long, replaced by another, or grown too large. */
function unneeded(server: WarmServer, settingsFiles: readonly string[]): Promise<void> {
  let known: { mark: string; idle: number } | undefined
  const idleTime = async () => {
    const mark = settingsFiles.map((file) => fingerprint(file)).join()
    if (known?.mark !== mark) {
      const { idle_minutes: minutes } = (await readSettings(settingsFiles)).settings.daemon
      known = { mark, idle: (typeof minutes === 'number' ? minutes : IDLE_MINUTES) * 60_000 }
    }
    return known.idle
  }
  let tidied = 0
  return new Promise((resolve, reject) => {
    const look = async () => {
      const idle = await idleTime()
      if (server.working > 0) return
      if (server.served - tidied > TIDY_AFTER) {
        tidied = server.served
        globalThis.gc?.()
      }
      const isIdle = Date.now() - server.lastEvent > idle
      if (isIdle || !server.holdsPlace() || process.memoryUsage.rss() > MOST_MEMORY) resolve()
    }
    setInterval(() => void look().catch(reject), LOOK).unref()
  })
}

/** Does an engine listen there already? */
function answers(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = connect(socket)
      .once('connect', () => {
        connection.destroy()
        resolve(true)
      })
      .once('error', () => resolve(false))
  })
}
