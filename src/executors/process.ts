/** The life of one child process: start, input, output, time limit, end. */

import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { now as clock } from '../fast/clock.ts'
import type { RawResult } from '../spec/executor.ts'
import { type Failure, failure, isFailure } from '../spec/outcome.ts'
import { endGroup } from './end-group.ts'
import { openInput } from './input-file.ts'
import { collect } from './output.ts'
import { programOver, programStarted, readyKeeper } from './program-keeper.ts'
import { startFailure } from './start-failure.ts'
import { timedOut } from './time-limit.ts'

export interface Program {
  file: string
  args: readonly string[]
}

export interface Start extends Program {
  cwd: string
  env: Record<string, string>
  /** What it reads on stdin. */
  input: string
  /** The connection whose user it runs as: see gate.ts. */
  caller?: number
}

export interface Limits {
  signal: AbortSignal
  timeout: number
  /** Bytes of stdout, and of stderr. */
  limit: number
  onOverflow: 'fail' | 'truncate'
  awaitsOutput: boolean
  /** What it leaves behind goes on. */
  childrenStay: boolean
}

/** Longest pause between two writes of children that keep the output of an ended process open. */
const WRITE_GAP_MS = 20
/** Longest time to wait for such children. */
const LINGER_MS = 200

export async function runProcess(start: Start, limits: Limits): Promise<RawResult | Failure> {
  if (limits.signal.aborted) return timedOut(limits.timeout)
  readyKeeper()
  const child = begin(start)
  if (isFailure(child)) return child
  const { pid } = child
  if (pid === undefined) return follow(child, start, limits)
  programStarted(pid)
  const outcome = await follow(child, start, limits)
  programOver(pid, limits.childrenStay)
  return outcome
}

function follow(child: ChildProcess, start: Start, limits: Limits): Promise<RawResult | Failure> {
  return new Promise((resolve) => {
    const stdout = collect(child.stdout as Readable, limits.limit, overflow)
    const stderr = collect(child.stderr as Readable, limits.limit, overflow)
    let ended = false
    let quiet: NodeJS.Timeout | undefined
    const onAbort = () => stop(timedOut(limits.timeout))
    limits.signal.addEventListener('abort', onAbort, { once: true })

    child.once('error', (error) => finish(startFailure(error, start)))
    child.once('close', (code, signal) => finish(result(code, signal)))
    if (!limits.awaitsOutput) {
      child.once('exit', (code, signal) => {
        limits.signal.removeEventListener('abort', onAbort)
        whenQuiet(() => finish(result(code, signal)))
      })
    }

    function result(code: number | null, signal: string | null): RawResult {
      return {
        exit_code: code,
        signal,
        stdout: stdout.text(),
        stderr: stderr.text(),
        ...(stdout.isCut() && { truncated: true }),
        ...(stderr.isCut() && { stderr_truncated: true }),
        ...(stdout.isGarbled() && { garbled: true }),
      }
    }

    function overflow(): void {
      if (limits.onOverflow === 'fail') stop(failure(`hook output exceeded ${limits.limit} bytes`))
    }

    /** Output from now on does not count. */
    function stop(reason: Failure): void {
      if (ended || child.pid === undefined) return
      ended = true
      endGroup(child.pid, hasEnded).then(() => settle(reason))
    }

    function hasEnded(): boolean {
      return child.exitCode !== null || child.signalCode !== null
    }

    function finish(outcome: RawResult | Failure): void {
      if (ended) return
      ended = true
      settle(outcome)
    }

    function settle(outcome: RawResult | Failure): void {
      limits.signal.removeEventListener('abort', onAbort)
      clearTimeout(quiet)
      for (const stream of child.stdio) stream?.destroy()
      resolve(outcome)
    }

    /** What the process itself wrote is in the pipe by now; `close` comes first unless children keep it open. */
    function whenQuiet(then: () => void): void {
      const deadline = clock() + LINGER_MS
      const wait = (seen: number) => {
        quiet = setTimeout(() => {
          // A busy event loop runs timers before it reads, so check only after it has read.
          setImmediate(() => {
            if (ended) return
            const now = stdout.received() + stderr.received()
            if (now === seen || clock() > deadline) then()
            else wait(now)
          })
        }, WRITE_GAP_MS)
      }
      wait(stdout.received() + stderr.received())
    }
  })
}

function begin(start: Start): ChildProcess | Failure {
  const input = openInput(start.input, start.env)
  try {
    const child = spawn(start.file, start.args, {
      cwd: start.cwd,
      env: start.env,
      stdio: [input ?? 'pipe', 'pipe', 'pipe'],
      detached: true, // its own process group, so that all of it can be killed
      windowsHide: true,
    })
    child.stdin?.on('error', () => {}) // EPIPE: it ended without reading its input
    child.stdin?.end(start.input)
    return child
  } catch (thrown) {
    return startFailure(thrown, start)
  } finally {
    if (input !== undefined) closeSync(input)
  }
}
