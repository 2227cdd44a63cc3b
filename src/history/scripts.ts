/**
 * Runs hooks that are programs on past calls: confined, in an empty folder instead of the project, without network, and
 * with a total time limit.
 */

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Answer } from '../engine/attempt.ts'
import type { Planned } from '../engine/plan.ts'
import { createExecute } from '../pipeline/run/run-once.ts'
import type { HookEvent } from '../spec/event.ts'
import type { Host } from '../spec/executor.ts'
import type { Hook } from '../spec/hook.ts'
import type { Failure } from '../spec/outcome.ts'

export interface Scripts {
  run(planned: Planned, event: HookEvent, call: Limits): Promise<Answer>
  /** Why it is not run, if it is not. */
  refuses(hook: Hook): string | undefined
  /** Removes what they wrote. */
  close(): void
}

interface Limits {
  readonly signal: AbortSignal
  timeout: number
  attempt: number
}

export interface ScriptOptions {
  env: NodeJS.ProcessEnv
  /** Milliseconds for all runs together. */
  budget: number
  /** The hook as it may run: a project's hook from its trusted copy. */
  runnable(hook: Hook, workDir: string): Hook | Failure
}

/** The empty folder replaces the project. */
const SCRATCH_ONLY = { read: ['project'], write: ['project'] }

/** For one run, whatever the hook says. */
const RUN_LIMIT_MS = 10_000

export function createScripts({ env, budget, runnable }: ScriptOptions): Scripts {
  const scratch = mkdtempSync(join(tmpdir(), 'crosshook-replay-'))
  const folder = join(scratch, 'project')
  const home = join(scratch, 'home')
  for (const path of [folder, home]) mkdirSync(path, { mode: 0o700 })
  const execute = createExecute({ runnable })
  const host: Host = {
    env: { PATH: env.PATH ?? '', HOME: home, LANG: env.LANG ?? 'C.UTF-8' },
    stateDir: (hook, session) => {
      const path = join(scratch, 'state', encodeURIComponent(`${hook.name} ${session}`).slice(0, 200))
      mkdirSync(path, { recursive: true, mode: 0o700 })
      return path
    },
    allowedHosts: [],
    callbacks: new Map(),
    models: {},
    debug: () => {},
  }
  let used = 0
  return {
    async run({ hook, ...planned }, event, limits) {
      const started = performance.now()
      const { cache: _cache, ...rest } = hook
      const confined: Hook = { ...rest, sandbox: SCRATCH_ONLY, retries: 0 }
      const moved = { ...event, work_dir: folder, context: { ...event.context, replay: true } }
      const timeout = Math.min(limits.timeout, RUN_LIMIT_MS, Math.max(1, budget - used))
      try {
        return await execute(host, { ...planned, hook: confined }, moved, {
          signal: limits.signal,
          timeout,
          attempt: limits.attempt,
        })
      } finally {
        used += performance.now() - started
      }
    },
    refuses: ({ run }) =>
      run.type !== 'command'
        ? `hooks of type ${run.type} are never replayed`
        : used >= budget
          ? 'the time for programs is used up (--budget)'
          : undefined,
    close: () => rmSync(scratch, { recursive: true, force: true }),
  }
}
