/**
 * `module` hooks of the warm engine: each file in threads of its own, so that none can harm the engine or another hook.
 */

import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { type Fingerprints, isCurrent } from '../../config/fingerprint.ts'
import { inherited } from '../../executors/hook-environment.ts'
import type { ModuleRun } from '../../executors/module.ts'
import { timedOut } from '../../executors/time-limit.ts'
import { permits } from '../../pipeline/run/run-once.ts'
import { messageOf } from '../../spec/errors.ts'
import type { Call, Executor, RawResult } from '../../spec/executor.ts'
import { type Failure, failure } from '../../spec/outcome.ts'
import type { WorkerAnswer, WorkerCall, WorkerStart } from './module-worker.ts'

export interface Modules {
  readonly executor: Executor<ModuleRun>
  close(): Promise<void>
}

export interface ModuleLimits {
  /** Megabytes of heap, and of buffers outside it. */
  memory: number
  /** Threads that run at once, and threads kept for later events. */
  running: number
  kept: number
  /** How long an unused thread is kept. */
  idle: number
}

const LIMITS: ModuleLimits = { memory: 128, running: 16, kept: 4, idle: 5 * 60_000 }

/** How long a module has to end by itself after the abort signal. */
const ABORT_GRACE_MS = 100
/**
 * After this time a terminated thread that still runs counts as stuck: some loops of compiled code cannot be
 * interrupted.
 */
const STUCK_AFTER_MS = 2000
/** Largest size of the process, with all threads. */
const MAX_RSS_MEGABYTES = 700
const LOOK_EVERY_MS = 250

interface Thread {
  key: string
  worker: Worker
  inputs?: Fingerprints
  env?: NodeJS.ProcessEnv
  ended?: Error
  usedAt: number
  /** Takes the answer to the running call. */
  finish?: ((answer: WorkerAnswer | Failure) => void) | undefined
}

/** `onStuck`: a thread cannot be ended; only ending the process does. */
export function createModules(
  stateDir: string,
  given: Partial<ModuleLimits> = {},
  onStuck: (sentence: string) => void = () => {},
): Modules {
  const limits = { ...LIMITS, ...given }
  const turns = permits(limits.running)
  /** Idle threads, the most recently used last. */
  let waiting: Thread[] = []
  const running = new Set<Thread>()
  let watch: NodeJS.Timeout | undefined
  const sweep = setInterval(() => {
    keep(waiting.filter(({ usedAt }) => Date.now() - usedAt < limits.idle))
  }, 30_000).unref()

  function keep(threads: Thread[]): void {
    const kept = threads.slice(-limits.kept)
    for (const thread of waiting) if (!kept.includes(thread)) end(thread)
    waiting = kept
  }

  function end({ key, worker }: Thread): void {
    const file = key.slice(0, key.indexOf('\0'))
    const stuck = setTimeout(() => onStuck(`the module ${file} cannot be stopped`), STUCK_AFTER_MS)
    void worker.terminate().then(() => clearTimeout(stuck))
  }

  /** Runs while modules run: a leak may be faster than the time limit. */
  function look(): void {
    if (running.size > 0 && process.memoryUsage.rss() > MAX_RSS_MEGABYTES * 1024 * 1024)
      for (const thread of running) end(thread)
    if (running.size > 0) return
    clearInterval(watch)
    watch = undefined
  }

  /** A thread with the current files. */
  function threadFor(call: Call<ModuleRun>): Thread {
    const hookDir = call.hook.origin.dir ?? dirname(call.hook.origin.file)
    const key = `${call.run.file}\0${hookDir}`
    const others: Thread[] = []
    let found: Thread | undefined
    for (const thread of waiting) {
      if (thread.key !== key) others.push(thread)
      else if (thread.ended || !isCurrent(thread.inputs!)) end(thread)
      else {
        if (found) others.push(found)
        found = thread
      }
    }
    waiting = others
    return found ?? start(key, { file: call.run.file, hookDir, stateDir }, limits.memory)
  }

  async function run(call: Call<ModuleRun>): Promise<RawResult | Failure> {
    if (call.signal.aborted) return timedOut(call.timeout)
    const thread = threadFor(call)
    running.add(thread)
    watch ??= setInterval(look, LOOK_EVERY_MS)
    const answer = await ask(thread, call)
    running.delete(thread)
    thread.usedAt = Date.now()
    if ('failed' in answer) {
      end(thread)
      return answer
    }
    if (answer.inputs) thread.inputs = answer.inputs
    if (answer.racy || answer.outside > limits.memory * 1024 * 1024) end(thread)
    else keep([...waiting, thread])
    return answer.failure ?? { value: answer.value }
  }

  return {
    executor: { type: 'module', run: (call) => turns.use(() => run(call), call) },
    async close() {
      clearInterval(sweep)
      clearInterval(watch)
      await Promise.all(waiting.map(({ worker }) => worker.terminate()))
      waiting = []
    },
  }
}

function start(key: string, data: WorkerStart, memory: number): Thread {
  const worker = new Worker(workerFile(), {
    workerData: data,
    env: {},
    stdin: false,
    stdout: true,
    stderr: true,
    execArgv: ['--disable-warning=ExperimentalWarning'],
    resourceLimits: { maxOldGenerationSizeMb: memory, maxYoungGenerationSizeMb: 8, stackSizeMb: 4 },
  })
  // What a hook prints is discarded.
  worker.stdout.resume()
  worker.stderr.resume()
  const thread: Thread = { key, worker, usedAt: Date.now() }
  worker.on('message', (answer: WorkerAnswer) => thread.finish?.(answer))
  worker.on('error', (error) => {
    thread.ended = error
    thread.finish?.(failure(explain(error)))
  })
  worker.on('exit', (code) => {
    thread.ended ??= new Error(`the module ended its thread with code ${code}`)
    thread.finish?.(failure(explain(thread.ended)))
  })
  return thread
}

function ask(thread: Thread, call: Call<ModuleRun>): Promise<WorkerAnswer | Failure> {
  const { worker } = thread
  const { signal, timeout, event, hook, host } = call
  return new Promise((resolve) => {
    let late: NodeJS.Timeout | undefined
    const finish = (answer: WorkerAnswer | Failure) => {
      clearTimeout(late)
      thread.finish = undefined
      signal.removeEventListener('abort', onAbort)
      worker.unref()
      resolve(answer)
    }
    const onAbort = () => {
      worker.postMessage('abort')
      // An answer comes too late now; the end of the thread still counts.
      thread.finish = (answer) => 'failed' in answer && finish(answer)
      late = setTimeout(() => finish(timedOut(timeout)), ABORT_GRACE_MS)
    }
    thread.finish = finish
    worker.ref()
    signal.addEventListener('abort', onAbort, { once: true })
    const message: WorkerCall = { event, hookName: hook.name }
    const env = inherited(host)
    if (!sameEnvironment(thread.env, env)) message.env = { ...(thread.env = env) }
    try {
      worker.postMessage(message)
    } catch (thrown) {
      finish(failure(messageOf(thrown), { retryable: false }))
    }
  })
}

function explain(error: Error): string {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'The module used more memory than it may' : error.message
}

function sameEnvironment(a: NodeJS.ProcessEnv | undefined, b: NodeJS.ProcessEnv): boolean {
  if (a === b) return true
  if (a === undefined) return false
  const names = Object.keys(b)
  return Object.keys(a).length === names.length && names.every((name) => a[name] === b[name])
}

/** Beside this file as source, library or bundle. */
function workerFile(): string {
  const places = [
    './module-worker.ts',
    './module-worker.js',
    './host-relay-module-worker.js',
    '../cli/lazy/host-relay-module-worker.js',
  ]
  const found = places
    .map((place) => fileURLToPath(new URL(place, import.meta.url)))
    .find((path) => existsSync(path))
  if (found === undefined) throw new Error('the program for module hooks is missing: install crosshook again')
  return found
}
