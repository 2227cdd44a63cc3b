/** A fixed answer: the matcher is the rule, and nothing is started. */

import type { Executor } from '../spec/executor.ts'
import type { Run } from '../spec/hook.ts'

export type OutcomeRun = Extract<Run, { type: 'outcome' }>

export const outcomeExecutor: Executor<OutcomeRun> = {
  type: 'outcome',
  run: ({ run }) => ({ value: run.outcome, fixed: true }),
}
