/** Calls a JavaScript or TypeScript file in this process. Node strips the types. */

import { statSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { messageOf } from '../spec/errors.ts'
import type { HookEvent } from '../spec/event.ts'
import type { Call, Executor, RawResult } from '../spec/executor.ts'
import type { Run } from '../spec/hook.ts'
import { answerOf, type Failure, failure, isFailure } from '../spec/outcome.ts'
import { readText } from '../spec/read-file.ts'
import { withinTime } from './time-limit.ts'

export type ModuleRun = Extract<Run, { type: 'module' }>

export interface ModuleContext {
  /** A folder private to this hook and session. */
  readonly state_dir: string
  readonly hook_dir: string
  /** Aborted at the time limit. */
  readonly signal: AbortSignal
}

export type ModuleHook = (event: HookEvent, context: ModuleContext) => unknown

export const moduleExecutor: Executor<ModuleRun> = {
  type: 'module',
  async run(call: Call<ModuleRun>): Promise<RawResult | Failure> {
    const { run, event, hook, host, signal } = call
    const outcome = await withinTime(call, () =>
      runModule(run.file, event, {
        get state_dir() {
          return host.stateDir(hook, event.session_id)
        },
        hook_dir: hook.origin.dir ?? dirname(hook.origin.file),
        signal,
      }),
    )
    return !isFailure(outcome) && isFailure(outcome.value) ? outcome.value : outcome
  },
}

/** Result of the file's function; a `Failure` when it has none. */
export async function runModule(file: string, event: HookEvent, context: ModuleContext): Promise<unknown> {
  const hook = await loadModule(file)
  return isFailure(hook) ? hook : hook(event, context)
}

/** Loaded again when the file changes. Its own imports stay as first loaded. */
export async function loadModule(file: string): Promise<ModuleHook | Failure> {
  let exports: Record<string, unknown>
  try {
    const { mtimeNs, size } = statSync(file, { bigint: true })
    const url = `${pathToFileURL(file).href}?v=${mtimeNs}-${size}`
    exports = await importQuietly(url, readText(file))
  } catch (thrown) {
    return failure(`Cannot load ${file}: ${messageOf(thrown)}`, { retryable: false })
  }
  const found = exports.default ?? exports.hook ?? exports.run
  if (typeof found === 'function')
    return async (event, context) => dataOf(await (found as ModuleHook)(event, context))
  return failure(`${file} exports no function: export it as default, 'hook' or 'run'`, { retryable: false })
}

/** Here and not in the format, because a copy for another thread has lost what the object was. */
function dataOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? answerOf(value) : value
}

/** Below a package.json without `type`, Node would warn on stderr, which an agent may read as an answer. */
async function importQuietly(url: string, source: string): Promise<Record<string, unknown>> {
  const format = /\.ts\?/.test(url) ? 'module-typescript' : 'module'
  const isPlain = /\.[jt]s\?/.test(url) && /^\s*(?:export|import)\b/m.test(source)
  const hooks = registerHooks({
    load: (each, context, next) => next(each, isPlain && each === url ? { ...context, format } : context),
  })
  try {
    return await import(/* @vite-ignore */ url)
  } finally {
    hooks.deregister()
  }
}
