/** Every executor, one file each, loaded when a hook needs it. */

import type { Executor } from '../spec/executor.ts'
import type { Run } from '../spec/hook.ts'

/** Any executor; the caller passes it only hooks of its type. */
export type AnyExecutor = Pick<Executor<never>, 'run'>

interface Row {
  load: () => Promise<AnyExecutor>
  /** How many may run at once in one process. */
  permits: number
}

export const EXECUTORS: Readonly<Record<Exclude<Run['type'], 'remote'>, Row>> = {
  command: { load: () => import('./command.ts').then((m) => m.commandExecutor), permits: 64 },
  http: { load: () => import('./http.ts').then((m) => m.createHttpExecutor()), permits: 64 },
  prompt: { load: () => import('./prompt.ts').then((m) => m.promptExecutor), permits: 16 },
  agent: { load: () => import('./agent.ts').then((m) => m.agentExecutor), permits: 8 },
  callback: { load: () => import('./callback.ts').then((m) => m.callbackExecutor), permits: 128 },
  module: { load: () => import('./module.ts').then((m) => m.moduleExecutor), permits: 64 },
  outcome: {
    load: () => import('./outcome.ts').then((m) => m.outcomeExecutor),
    permits: Number.POSITIVE_INFINITY,
  },
}
