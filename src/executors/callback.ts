/** Runs a function of the program that embeds us: its own, or one registered by name. */

import type { Call, Executor, RawResult } from '../spec/executor.ts'
import type { Run } from '../spec/hook.ts'
import { type Failure, failure } from '../spec/outcome.ts'
import { withinTime } from './time-limit.ts'

export type CallbackRun = Extract<Run, { type: 'callback' }>

export const callbackExecutor: Executor<CallbackRun> = {
  type: 'callback',
  run(call: Call<CallbackRun>): Promise<RawResult | Failure> | RawResult | Failure {
    const { run, event, host } = call
    const own = run.call
    if (own) return withinTime(call, () => own(event))
    const named = host.callbacks.get(run.name)
    if (named) return withinTime(call, () => named(event, call.input.value ?? event))
    return failure(`No callback named '${run.name}' is registered: register it, or correct the name`, {
      retryable: false,
    })
  },
}
