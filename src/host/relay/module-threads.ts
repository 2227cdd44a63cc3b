/** `module` hooks of a short process in threads of their own, as in the warm engine: one that never ends keeps its time limit. */

import type { ModuleRun } from '../../executors/module.ts'
import type { Executor } from '../../spec/executor.ts'
import type { Modules } from './modules.ts'

export interface ModuleThreads {
  readonly executors: { module: Executor<ModuleRun> }
  /** For a process that goes on: the end of a process ends its threads. */
  close(): Promise<void>
}

/** Loaded with the first such hook. */
export function moduleThreads(stateDir: () => string): ModuleThreads {
  let loading: Promise<Modules> | undefined
  const load = async () => (await import('./modules.ts')).createModules(stateDir())
  return {
    executors: {
      module: {
        type: 'module',
        async run(call) {
          loading ??= load()
          return (await loading).executor.run(call)
        },
      },
    },
    close: async () => (await loading)?.close(),
  }
}
