/** The thread of one `module` hook: loads its file once, answers calls one after another. See modules.ts. */

import { readdirSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { getHeapStatistics } from 'node:v8'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { type Fingerprints, fingerprint, isRacy } from '../../config/fingerprint.ts'
import { loadModule, type ModuleHook } from '../../executors/module.ts'
import { sessionStateDir } from '../../journal/session-state.ts'
import { messageOf } from '../../spec/errors.ts'
import type { HookEvent } from '../../spec/event.ts'
import { type Failure, failure, isFailure } from '../../spec/outcome.ts'
import { replaceEnvironment } from '../environment.ts'

export interface WorkerStart {
  file: string
  hookDir: string
  stateDir: string
}

export interface WorkerCall {
  event: HookEvent
  hookName: string
  /** Left out when it equals that of the previous call. */
  env?: Record<string, string | undefined>
}

export interface WorkerAnswer {
  value?: unknown
  failure?: Failure
  /** The files the module was made of; with the first answer. */
  inputs?: Fingerprints
  /** A file changed while it was read: this answer is valid, but the thread is not reused. */
  racy?: boolean
  /** What the module has added outside the heap, in bytes: the heap limit does not cover it. */
  outside: number
}

/** Most files of a hook's folder that are watched. */
const MAX_WATCHED_FILES = 500
const LEFT_OUT = new Set(['.git', 'node_modules'])

export function serveModule(port: MessagePort, { file, hookDir, stateDir }: WorkerStart): void {
  let loaded: Promise<ModuleHook | Failure> | undefined
  let inputs: Fingerprints | undefined = {}
  let startedAt = 0
  let running: Abortable = {}
  const outsideAtFirst = outside()
  let inBuffers = 0
  registerHooks({
    load(url, context, next) {
      if (inputs && url.startsWith('file:')) note(fileURLToPath(url.replace(/[?#].*$/, '')), inputs)
      return next(url, context)
    },
  })

  port.on('message', (message: WorkerCall | 'abort') => {
    if (message === 'abort') aborterOf(running).abort()
    else void respond(message)
  })

  async function respond({ event, hookName, env }: WorkerCall): Promise<void> {
    if (env) replaceEnvironment(env)
    process.cwd = () => event.work_dir
    const call: Abortable = (running = {})
    const answer: WorkerAnswer = { outside: 0 }
    let isLoaded = false
    try {
      if (!loaded) {
        startedAt = Date.now()
        noteFolder(hookDir, inputs!)
        note(file, inputs!)
        loaded = loadModule(file)
      }
      const hook = await loaded
      isLoaded = !isFailure(hook)
      const value = isFailure(hook)
        ? hook
        : await hook(event, {
            get state_dir() {
              return sessionStateDir(stateDir, hookName, event.session_id)
            },
            hook_dir: hookDir,
            get signal() {
              return aborterOf(call).signal
            },
          })
      if (isFailure(value)) answer.failure = value
      else answer.value = value
    } catch (thrown) {
      answer.failure = failure(messageOf(thrown))
    }
    if (inputs) {
      answer.inputs = inputs
      answer.racy = isRacy(inputs, startedAt)
      inputs = undefined
    }
    // A module that could not be loaded is tried again in a new thread: the cause may be temporary.
    if (!isLoaded) answer.racy = true
    answer.outside = Math.max(outside() - outsideAtFirst, inBuffers)
    send(answer)
    // Counts shared buffers too, which V8 does not. Known at the next answer only, because it takes longer than most modules.
    inBuffers = process.memoryUsage().arrayBuffers
  }

  function send(answer: WorkerAnswer): void {
    try {
      port.postMessage(answer)
    } catch (thrown) {
      const { value: _, ...rest } = answer
      const message = `The module answered with something that is not data: ${messageOf(thrown)}`
      port.postMessage({ ...rest, failure: failure(message, { retryable: false }) })
    }
  }
}

/** Buffers and memory of WebAssembly, in bytes. */
function outside(): number {
  return getHeapStatistics().external_memory
}

/** A call; most modules end before anybody asks for its signal. */
interface Abortable {
  aborter?: AbortController
}

function aborterOf(call: Abortable): AbortController {
  return (call.aborter ??= new AbortController())
}

/** Taken before the file is read, so that a later change is noticed. */
function note(path: string, inputs: Fingerprints): void {
  if (!(path in inputs)) inputs[path] = fingerprint(path)
}

/** A module may read files beside it when it is loaded. */
function noteFolder(folder: string, inputs: Fingerprints): void {
  let left = MAX_WATCHED_FILES
  const walk = (path: string, depth: number) => {
    note(path, inputs)
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      if (left-- <= 0 || LEFT_OUT.has(entry.name)) continue
      const below = join(path, entry.name)
      if (entry.isDirectory()) depth > 0 && walk(below, depth - 1)
      else note(below, inputs)
    }
  }
  walk(folder, 8)
}

if (parentPort && isStart(workerData)) serveModule(parentPort, workerData)

function isStart(data: unknown): data is WorkerStart {
  return typeof data === 'object' && data !== null && 'hookDir' in data && 'stateDir' in data
}
