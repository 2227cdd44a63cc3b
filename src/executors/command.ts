/** Runs a program: a hook's entry point, a line for a shell, or plain arguments. */

import { delimiter, dirname } from 'node:path'
import type { Call, Executor, RawResult } from '../spec/executor.ts'
import { type Run, USER_SHELL } from '../spec/hook.ts'
import { type Failure, failure, isFailure } from '../spec/outcome.ts'
import { type DetachedOptions, spawnDetached } from './detached.ts'
import { findEntryPoint } from './entry-point.ts'
import { environment } from './environment.ts'
import { type Limits, type Program, runProcess, type Start } from './process.ts'
import { findProgram, isSafe, SYSTEM_FOLDERS, safeFolders } from './safe-path.ts'
import type { Spawner } from './spawner.ts'
import { workFolder } from './work-folder.ts'

export type CommandRun = Extract<Run, { type: 'command' }>

export const commandExecutor = createCommandExecutor()

/** With a spawner programs cost this process less. */
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
              : runProcess(confined, limitsOf(call), spawner).then((result): RawResult | Failure => ({
                  ...result,
                  confined: true,
                })),
          )
        : runProcess(start, limitsOf(call), spawner)
      return folder.note === undefined ? running : running.then((result) => noted(result, folder.note!))
    },
  }
}

/**
 * Starts a hook that nobody waits for. It outlives this process, and its time limit holds all the same.
 * What it prints goes to `log`; the promise settles as soon as it runs.
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
  const projects = call.host.projects?.(call.event.work_dir) ?? [call.event.work_dir]
  const program = programOf(call.run, userShell(call.host.env, projects))
  if (isFailure(program)) return program
  const env = environment(call)
  const folders = safeFolders(env.PATH, projects)
  env.PATH = folders.join(delimiter)
  const file = call.hook.programs?.[program.file] ?? interpreter(program.file, folders)
  const { caller } = call.host
  return { ...program, file, cwd, env, input: call.input.text, ...(caller === undefined ? {} : { caller }) }
}

/** The system's own before any other of that name; Node is the one that runs this. */
function interpreter(name: string, folders: readonly string[]): string {
  if (name === 'node') return process.execPath
  return findProgram(name, SYSTEM_FOLDERS) ?? findProgram(name, folders) ?? name
}

async function sandboxed(start: Start, call: Call): Promise<Start | Failure> {
  return (await import('./confine/hook-policy.ts')).sandboxed(start, call)
}

/** SHELL comes from the agent as PATH does. */
function userShell({ SHELL }: NodeJS.ProcessEnv, projects: readonly string[]): string {
  return SHELL && isSafe(dirname(SHELL), projects) ? SHELL : '/bin/sh'
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
  return { signal, timeout, limit, onOverflow, awaitsOutput }
}
