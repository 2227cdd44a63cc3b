/** `crosshook engine`: a host for the relay alone. Ends when idle, replaced or outdated. */

import { fingerprint } from '../../config/fingerprint.ts'
import { paths, settingsFiles } from '../../config/paths.ts'
import { readSettings } from '../../config/settings.ts'
import { logLines } from '../../pipeline/hook-log.ts'
import { messageOf } from '../../spec/errors.ts'
import { createResident, openAll } from '../host.ts'
import { startEdge } from '../start-edge.ts'
import { answers } from './is-listening.ts'
import { type RelayDoor, relayListener } from './listener.ts'
import { enginePlace } from './place.ts'
import { endPredecessors } from './predecessors.ts'
import { endTurn } from './start.ts'
import { takeInElsewhere } from './take-in-elsewhere.ts'

const IDLE_MINUTES = 15
const LOOK_EVERY_MS = 2000
/** Garbage is collected between two events, after this many of them. */
const COLLECT_AFTER_EVENTS = 300
/**
 * A daemon that answers a ping within this time is busy, as when hundreds of questions come at once, and does not hang.
 * It has already lost the relay's socket, so nobody waits meanwhile.
 */
const BUSY_DAEMON_LIMIT_MS = 60_000
/** A process of this size ends when idle, and a new one takes over. */
const MAX_RSS_BYTES = 300 * 1024 * 1024

export async function run(args: {
  flag(name: string): boolean
  env: Readonly<NodeJS.ProcessEnv>
}): Promise<number> {
  const env = { ...args.env }
  const where = paths(env)
  const trouble = (sentence: string) => logLines(where.state, [sentence])
  try {
    if (!args.flag('replace') && (await answers(enginePlace(where.runtime)))) return 0
    const onStuckModule = (sentence: string) => {
      // A thread that cannot be ended blocks even `process.exit`. Relays whose answers are lost take the cold path.
      trouble(`the warm engine ends: ${sentence}`)
      process.kill(process.pid, 'SIGKILL')
    }
    const host = createResident({ env, source: 'hook', stays: true, trouble, onStuckModule })
    const [door] = await openAll(host, [relayListener])
    const stopTakingIn = takeInElsewhere(host.runtime.journal(), trouble)
    endTurn(where.runtime)
    startEdge(env)
    if (args.flag('replace')) void endHanging(where, trouble)
    await Promise.race([door.outdated, told().then(() => host.runtime.stopAsking()), unneeded(door, where)])
    stopTakingIn()
    await door.close()
    await host.close()
    return 0
  } finally {
    endTurn(where.runtime)
  }
}

/** The process that this one replaced did not react. It is left alone when it is the daemon and answers there. */
async function endHanging(
  { runtime, state }: ReturnType<typeof paths>,
  trouble: (sentence: string) => void,
): Promise<void> {
  const isSpared = async (pid: number) => {
    const { answersPing } = await import('../request.ts')
    const { readStatus } = await import('../status-file.ts')
    const daemon = readStatus(state)
    return daemon?.pid === pid && (await answersPing(daemon, BUSY_DAEMON_LIMIT_MS))
  }
  try {
    for (const pid of await endPredecessors(runtime, isSpared))
      trouble(`process ${pid} hung, and was ended when this engine took its place`)
  } catch (error) {
    trouble(`the engine that hangs could not be ended: ${messageOf(error)}`)
  }
}

function told(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => resolve())
  })
}

/** Resolves when idle for long, replaced, or grown too large. */
function unneeded(door: RelayDoor, where: ReturnType<typeof paths>): Promise<void> {
  const files = settingsFiles(where)
  let known: { mark: string; idle: number } | undefined
  const idleTime = async () => {
    const mark = files.map((file) => fingerprint(file)).join()
    if (known?.mark !== mark) {
      const { idle_minutes: minutes } = (await readSettings(files, where.home)).settings.daemon
      known = { mark, idle: (typeof minutes === 'number' ? minutes : IDLE_MINUTES) * 60_000 }
    }
    return known.idle
  }
  let collectedAt = 0
  return new Promise((resolve, reject) => {
    const look = async () => {
      const idle = await idleTime()
      if (door.working > 0) return
      if (door.served - collectedAt > COLLECT_AFTER_EVENTS) {
        collectedAt = door.served
        globalThis.gc?.()
      }
      const isIdle = Date.now() - door.lastEvent > idle
      if (isIdle || !door.holdsPlace() || process.memoryUsage.rss() > MAX_RSS_BYTES) resolve()
    }
    setInterval(() => void look().catch(reject), LOOK_EVERY_MS).unref()
  })
}
