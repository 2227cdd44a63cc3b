/** The composition root: every door gets its pipeline here, so that all of them run the same hooks in the same way. */

import type { ModuleRun } from '../executors/module.ts'
import { useKeeperBeside } from '../executors/program-keeper.ts'
import type { Ask } from '../pipeline/ask.ts'
import type { Context } from '../pipeline/context.ts'
import { createPipeline, type Pipeline, type PipelineOptions } from '../pipeline/pipeline.ts'
import { redact, redactDeep } from '../redact/redact.ts'
import type { Executor } from '../spec/executor.ts'
import { lazy } from '../spec/lazy.ts'
import type { Modules } from './relay/modules.ts'

export interface Assembly extends Omit<Pipeline, 'close'> {
  /** Refuses every event that waits for a person's answer, because the process is about to end. */
  stopAsking(): Promise<void>
  /** Releases the journal and ends the threads of module hooks. */
  close(): Promise<void>
}

export interface AssembleOptions extends PipelineOptions {
  /** Called when a module hook cannot be stopped: only ending the process stops it. */
  onStuckModule?: (sentence: string) => void
  /** Where dist/cli/main.cjs is: the keeper of programs is found beside it. */
  main?: string | undefined
  /** Wraps the wait for a person's answer. */
  whileAsking?: (context: Context, wait: () => ReturnType<Ask>) => ReturnType<Ask>
}

export function assemble(given: AssembleOptions): Assembly {
  const { onStuckModule, whileAsking, executors, main, ...options } = given
  if (main !== undefined) useKeeperBeside(main)
  const modules = lazy(async (): Promise<Modules> => {
    const { createModules } = await import('./relay/modules.ts')
    return createModules(pipeline.paths.state, {}, onStuckModule)
  })
  const module: Executor<ModuleRun> = {
    type: 'module',
    run: async (call) => (await modules.get()).executor.run(call),
  }
  const asking = lazy(async () => {
    const { createAsking } = await import('../ask/port.ts')
    return createAsking({
      stateDir: pipeline.paths.state,
      startHost: hostStarter(options),
      redact,
      redactDeep,
    })
  })
  /** Only for an agent that waits: `fire` and `check` report that a person would be asked. */
  const ask: Ask = async (context) => {
    if (!context.agent || context.services.silent || !AGENT_DOORS.has(context.door)) return undefined
    const wait = async () => (await asking.get()).ask(context)
    return whileAsking ? whileAsking(context, wait) : wait()
  }
  const pipeline = createPipeline({ ask, ...options, executors: { module, ...executors } })
  return {
    ...pipeline,
    async stopAsking() {
      ;(await asking.started())?.stop()
    },
    async close() {
      pipeline.close()
      await (await modules.started())?.close()
    },
  }
}

/** Doors that agents call. */
const AGENT_DOORS: ReadonlySet<string> = new Set(['hook', 'daemon'])

/** Starts the daemon for questions that need it. Undefined where none may be started. */
function hostStarter({ env, source }: Pick<PipelineOptions, 'env' | 'source'>): (() => void) | undefined {
  if (source === 'daemon') return () => {} // this process is the daemon
  if (env.CROSSHOOK_NO_DAEMON === '1') return undefined
  return () => void import('./start-host.ts').then(({ startHost }) => startHost(env))
}
