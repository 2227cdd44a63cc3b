/** Asks a model one question about the event. */

import type { Executor } from '../spec/executor.ts'
import type { Run } from '../spec/hook.ts'
import { putQuestion } from './model-prompt.ts'

export type PromptRun = Extract<Run, { type: 'prompt' }>

export const promptExecutor: Executor<PromptRun> = {
  type: 'prompt',
  run: (call) => putQuestion(call, { tools: {}, maxTurns: 1 }),
}
