/**
 * `crosshook resident`: decides for every user of a machine, under its own user id. Started only by the gate of a
 * managed
 * installation; ends when told to or outdated, and the gate starts it again.
 */

import { fstatSync } from 'node:fs'
import { MANAGED } from '../../config/managed.ts'
import { createGateSpawner } from '../../executors/gate.ts'
import { logLines } from '../../pipeline/hook-log.ts'
import { CrosshookError } from '../../spec/errors.ts'
import type { Executor } from '../../spec/executor.ts'
import { failure } from '../../spec/outcome.ts'
import { createResident, openAll } from '../host.ts'
import { startEdge } from '../start-edge.ts'
import { callerEnvironment, callerReader } from './caller.ts'
import { gatedListener } from './listener.ts'
import { takeInElsewhere } from './take-in-elsewhere.ts'

/** File descriptor of the spawner, passed by the gate. */
const CONTROL = 3
const COLLECT_EVERY_MS = 60_000
/** A process of this size ends when idle, and a new one takes over. */
const MAX_RSS_BYTES = 600 * 1024 * 1024

export async function run({ env: given }: { env: Readonly<NodeJS.ProcessEnv> }): Promise<number> {
  const env = { ...given }
  const trouble = (sentence: string) => logLines(MANAGED.state, [sentence])
  if (process.getuid?.() === 0 || !fstatSync(CONTROL, { bigint: false }).isSocket())
    throw new CrosshookError('refused', 'the resident is started by crosshook-gate, and by nobody else', {
      fix: 'Install it with `sudo crosshook install --managed`.',
    })
  const ended = Promise.withResolvers<void>()
  const host = createResident(
    {
      env,
      source: 'hook',
      stays: true,
      managedOnly: true,
      memory: MANAGED.memory,
      trouble,
      executors: { agent: noAgent },
      onStuckModule(sentence) {
        trouble(`the resident ends: ${sentence}`)
        process.kill(process.pid, 'SIGKILL')
      },
    },
    createGateSpawner(CONTROL, (why) => {
      trouble(`the resident ends: its spawner is gone (${why})`)
      ended.resolve()
    }),
  )
  const [door] = await openAll(host, [
    gatedListener({ reader: callerReader, environment: callerEnvironment }),
  ])
  const stopTakingIn = takeInElsewhere(host.runtime.journal(), trouble)
  startEdge(env)
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.once(signal, () => void host.runtime.stopAsking().then(ended.resolve))
  const look = setInterval(() => {
    if (door.working === 0) globalThis.gc?.()
    if (door.working === 0 && process.memoryUsage.rss() > MAX_RSS_BYTES) ended.resolve()
  }, COLLECT_EVERY_MS)
  await Promise.race([door.outdated, ended.promise])
  clearInterval(look)
  stopTakingIn()
  await door.close()
  await host.close()
  return 0
}

/** An agent hook's tools would read files with the resident's rights on behalf of the caller. */
const noAgent: Executor<never> = {
  type: 'agent' as never,
  run: () => failure('agent hooks do not run in a managed installation', { retryable: false }),
}
