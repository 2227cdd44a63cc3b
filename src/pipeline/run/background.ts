/** Hooks that nobody waits for. A program outlives this process; anything else runs on in it. */

import { join } from 'node:path'
import { loadDialect } from '../../dialects/list.ts'
import type { Planned } from '../../engine/plan.ts'
import { sha256Hex } from '../../fast/digest.ts'
import { messageOf } from '../../spec/errors.ts'
import type { HookEvent } from '../../spec/event.ts'
import type { Host } from '../../spec/executor.ts'
import type { Hook } from '../../spec/hook.ts'
import { type Failure, isFailure } from '../../spec/outcome.ts'
import type { DebugLines } from './debug.ts'
import type { Execute } from './execute.ts'

export interface BackgroundStart {
  planned: Planned
  event: HookEvent
  host: Host
  execute: Execute
  runnable(hook: Hook, workDir: string): Hook | Failure
  state: string
  trouble: (sentence: string) => void
  lines: DebugLines | undefined
}

/** Settles when it runs, or for anything but a program when it is done; never rejects. */
export function startInBackground(start: BackgroundStart): Promise<void> {
  const { planned, trouble, lines } = start
  lines?.started(planned.hook)
  return begin(start).catch((error: unknown) =>
    trouble(`background hook "${planned.hook.name}" did not start: ${messageOf(error)}`),
  )
}

async function begin(start: BackgroundStart): Promise<void> {
  const { planned, event, host, execute, runnable, state, trouble } = start
  const hook = runnable(planned.hook, event.work_dir)
  if (isFailure(hook)) {
    trouble(`background hook "${planned.hook.name}" failed: ${hook.message}`)
    return
  }
  const signal = AbortSignal.timeout(hook.timeout)
  const limits = { signal, timeout: hook.timeout, attempt: 1 }
  if (hook.run.type === 'command') {
    const { startDetached } = await import('../../executors/command.ts')
    const { format } = await loadDialect(hook.format)
    const call = { hook, run: hook.run, event, input: format!.encode(event, hook, host.env), host, ...limits }
    const log = join(state, 'background', `${sha256Hex(hook.name).slice(0, 16)}.log`)
    const { outputFilter } = await import('./output-filter.ts')
    const filter = outputFilter()
    // Without the program that takes secrets out of it, nothing is kept.
    const started = await startDetached(call, filter ? { log, filter } : { log: '/dev/null' })
    if (isFailure(started)) trouble(`background hook "${hook.name}" failed to start: ${started.message}`)
    return
  }
  const answer = planned.direct
    ? { outcome: await planned.direct(event) }
    : await execute(host, planned, event, limits)
  if (isFailure(answer.outcome)) trouble(`background hook "${hook.name}" failed: ${answer.outcome.message}`)
}
