/** `module` hooks in threads of their own, as in the warm engine: one that never ends keeps its time limit. */

import type { ModuleRun } from '../executors/module.ts'
import type { Executor } from '../spec/executor.ts'

/** Loaded with the first such hook; the end of the process ends the threads. */
export function moduleThreads(stateDir: () => string): { module: Executor<ModuleRun> } {
  let loading: Promise<Executor<ModuleRun>> | undefined
  const load = async () => (await import('../warm/modules.ts')).createModules(stateDir()).executor
  return {
    module: {
      type: 'module',
      async run(call) {
        loading ??= load()
        return (await loading).run(call)
      },
    },
  }
}
