/** Runs a program: a hook's entry point, a line for a shell, or plain arguments. */

import { delimiter, dirname } from 'node:path'
import { now } from '../fast/clock.ts'
import type { Call, Executor, RawResult } from '../spec/executor.ts'
import { type Run, USER_SHELL } from '../spec/hook.ts'
import { type Failure, failure, isFailure } from '../spec/outcome.ts'
import { type DetachedOptions, spawnDetached } from './detached.ts'
import { findEntryPoint } from './entry-point.ts'
import { environment, workFolder } from './hook-environment.ts'
import { type Limits, type Program, runProcess, type Start } from './process.ts'
import { findProgram, isSafe, SYSTEM_FOLDERS, safeFolders } from './safe-path.ts'
import type { Spawner } from './spawner.ts'

export type CommandRun = Extract<Run, { type: 'command' }>

export const commandExecutor = createCommandExecutor()

/** With a spawner, programs cost this process less. */
export function createCommandExecutor(spawner?: Spawner): Executor<CommandRun> {
  return {
    type: 'command',
    run(call: Call<CommandRun>): Promise<RawResult | Failure> | Failure {
      const folder = workFolder(call.event.work_dir)
      const start = prepare(call, folder.path)
      if (isFailure(start)) return start
      const running = call.hook.sandbox
        ? sandboxed(start, call).then((confined) =>
            isFailure(confined)
              ? confined
              : runProgram(confined, limitsOf(call), spawner).then((result): RawResult | Failure => ({
                  ...result,
                  confined: true,
                })),
          )
        : runProgram(start, limitsOf(call), spawner)
      return folder.note === undefined ? running : running.then((result) => noted(result, folder.note!))
    },
  }
}

/** Uses the spawner if there is one and it can, else Node. */
async function runProgram(start: Start, limits: Limits, spawner?: Spawner): Promise<RawResult | Failure> {
  const outcome = limits.signal.aborted ? undefined : await spawner?.run(start, limits)
  return outcome ?? runProcess(start, limits)
}

/**
 * Starts a background hook. It outlives this process but keeps its time limit. Its output goes to `log`; the promise
 * settles as soon as it runs.
 */
export async function startDetached(
  call: Call<CommandRun>,
  options: Omit<DetachedOptions, 'timeout'>,
): Promise<{ pid: number } | Failure> {
  const prepared = prepare(call, workFolder(call.event.work_dir).path)
  if (isFailure(prepared)) return prepared
  const start = call.hook.sandbox ? await sandboxed(prepared, call) : prepared
  return isFailure(start) ? start : spawnDetached(start, { ...options, timeout: call.timeout })
}

function noted(result: RawResult | Failure, note: string): RawResult | Failure {
  return isFailure(result)
    ? { ...result, message: `${result.message} (${note})` }
    : { ...result, notes: [note] }
}

function prepare(call: Call<CommandRun>, cwd: string): Start | Failure {
  const { host, hook, event } = call
  const env = environment(call)
  const search = searchFor(env.PATH, host, event.work_dir)
  const program = programOf(call.run, search.shell)
  if (isFailure(program)) return program
  env.PATH = search.path
  const file = hook.programs?.[program.file] ?? interpreter(program.file, search.folders)
  const { caller } = host
  return { ...program, file, cwd, env, input: call.input.text, ...(caller === undefined ? {} : { caller }) }
}

interface Search {
  /** Folders that programs may be searched in, and the same as a PATH. */
  folders: readonly string[]
  path: string
  /** The user's shell. */
  shell: string
  at: number
}

/** PATH and SHELL come from the agent: the parts of them that programs may be searched with. */
function searchFor(path: string | undefined, { env, projects }: Call['host'], workDir: string): Search {
  const { SHELL } = env
  const key = `${path}\0${SHELL}\0${workDir}`
  const known = searches.get(key)
  if (known && now() - known.at < SEARCH_CACHE_MS) return known
  const around = projects?.(workDir) ?? [workDir]
  const folders = safeFolders(path, around)
  const shell = SHELL && isSafe(dirname(SHELL), around) ? SHELL : '/bin/sh'
  const found = { folders, path: folders.join(delimiter), shell, at: now() }
  if (searches.size >= MAX_SEARCHES) searches.clear()
  searches.set(key, found)
  return found
}

/** Permissions of PATH folders and repositories change rarely, but programs are started at every event. */
const SEARCH_CACHE_MS = 5000
const MAX_SEARCHES = 200
const searches = new Map<string, Search>()

/** A path is used as is. For a name, the system's own program comes first; `node` is the running one. */
function interpreter(name: string, folders: readonly string[]): string {
  if (name.includes('/')) return name
  if (name === 'node') return process.execPath
  return findProgram(name, SYSTEM_FOLDERS) ?? findProgram(name, folders) ?? name
}

async function sandboxed(start: Start, call: Call): Promise<Start | Failure> {
  return (await import('./confine/hook-policy.ts')).sandboxed(start, call)
}

function programOf(run: CommandRun, shell: string): Program | Failure {
  if ('entry' in run) return findEntryPoint(run.entry)
  if ('command' in run) {
    const file = run.shell === USER_SHELL ? shell : run.shell
    return { file, args: [...run.args, run.command] }
  }
  const [file, ...args] = run.argv
  return file ? { file, args } : failure('The hook names no program: its argv is empty', { retryable: false })
}

function limitsOf({ hook, signal, timeout }: Call): Limits {
  const { output_limit: limit, on_overflow: onOverflow, awaits_output: awaitsOutput } = hook
  return { signal, timeout, limit, onOverflow, awaitsOutput, childrenStay: hook.children_stay === true }
}
