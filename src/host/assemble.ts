/** The composition root: every door gets its pipeline here, so that all of them run the same hooks the same way. */

import type { ModuleRun } from '../executors/module.ts'
import { createPipeline, type Pipeline, type PipelineOptions } from '../pipeline/pipeline.ts'
import type { Executor } from '../spec/executor.ts'
import { lazy } from '../spec/lazy.ts'
import type { Modules } from './relay/modules.ts'

export interface Assembly extends Omit<Pipeline, 'close'> {
  /** Lets go of the journal at once, and ends the threads of module hooks. */
  close(): Promise<void>
}

export interface AssembleOptions extends PipelineOptions {
  /** Called when a module hook cannot be stopped: only the end of the process ends it. */
  onStuckModule?: (sentence: string) => void
}

export function assemble({ onStuckModule, executors, ...options }: AssembleOptions): Assembly {
  const modules = lazy(async (): Promise<Modules> => {
    const { createModules } = await import('./relay/modules.ts')
    return createModules(pipeline.paths.state, {}, onStuckModule)
  })
  const module: Executor<ModuleRun> = {
    type: 'module',
    run: async (call) => (await modules.get()).executor.run(call),
  }
  const pipeline = createPipeline({ ...options, executors: { module, ...executors } })
  return {
    ...pipeline,
    async close() {
      pipeline.close()
      await (await modules.started())?.close()
    },
  }
}
