/**
 * A small process that runs hooks' programs for a large one, for which starting a process and following its pipes is
 * slow. One request and one answer per program. See relay/spawner.c.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import { constants } from 'node:os'
import { messageOf } from '../spec/errors.ts'
import type { RawResult } from '../spec/executor.ts'
import { type Failure, failure } from '../spec/outcome.ts'
import type { Limits, Start } from './process.ts'
import {
  ENDED,
  EXITED,
  endMessage,
  NOT_STARTED,
  OVERFLOWED,
  READY,
  replyReader,
  SIGNALLED,
  type SpawnerReply,
  startMessage,
} from './spawner-messages.ts'
import { timedOut } from './time-limit.ts'

export interface Spawner {
  /** Undefined when nothing was run, so that Node may start the program. */
  run(start: Start, limits: Limits): Promise<RawResult | Failure | undefined> | undefined
  close(): void
}

interface Waiting {
  limits: Limits
  settle(outcome: RawResult | Failure | undefined): void
}

interface Link {
  readonly child: ChildProcess
  readonly waiting: Map<number, Waiting>
  send(message: Buffer): void
  /** Ends the spawner and what it runs. */
  drop(): void
}

const VERSION = 1
/** It ends a program within 600 ms. If it does not answer by then, it hangs. */
const HUNG_AFTER_MS = 1200
/** After this many deaths without an answer in between, the spawner is not started again. */
const MAX_DEATHS = 3

export function createSpawner(relay: string): Spawner {
  let link: Link | undefined
  let isOver = process.platform === 'win32'
  let deaths = 0
  let lastId = 0

  function begin(): Link {
    let isReady = false
    let complaint: string | undefined
    const child = spawn(relay, ['spawner'], {
      cwd: '/',
      env: {},
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
      detached: true,
    })
    const control = controlOf(child)
    const waiting = new Map<number, Waiting>()
    const own: Link = {
      child,
      waiting,
      send: (message) => void control?.write(message),
      drop() {
        child.kill('SIGKILL')
        control?.destroy()
      },
    }

    function answer(reply: SpawnerReply): void {
      if (reply.kind === READY) {
        if (reply.code !== VERSION) throw new Error(`it speaks version ${reply.code}, not ${VERSION}`)
        isReady = true
        return
      }
      deaths = 0
      const asked = waiting.get(reply.id)
      if (waiting.delete(reply.id) && waiting.size === 0) setReferenced(child, false)
      asked?.settle(outcomeOf(reply, asked.limits))
    }

    function over(why: string): void {
      if (link === own) link = undefined
      if (++deaths >= MAX_DEATHS) isOver = true
      // A spawner that was never ready has run nothing.
      for (const { limits, settle } of waiting.values())
        settle(isReady ? lost(complaint ?? why, limits) : undefined)
      waiting.clear()
    }

    const read = replyReader(answer)
    control?.on('error', () => {}) // it is gone, which `close` reports
    control?.on('data', (chunk: Buffer) => {
      try {
        read(chunk)
      } catch (thrown) {
        complaint ??= messageOf(thrown)
        own.drop()
      }
    })
    child.once('error', (error) => over(messageOf(error)))
    // After all of its output.
    child.once('close', (code, signal) => over(signal ?? `exit code ${code}`))
    setReferenced(child, false)
    return own
  }

  return {
    run(start, limits) {
      const id = (lastId % 0xffffffff) + 1
      const message = isOver ? undefined : startMessage(id, start, limits)
      if (!message) return undefined
      lastId = id
      try {
        link ??= begin()
      } catch {
        return undefined // no resources now; starting by Node will report the reason
      }
      return follow(link, id, message, limits)
    },
    close() {
      isOver = true
      if (link) controlOf(link.child)?.destroy()
      link = undefined
    },
  }
}

function follow(
  link: Link,
  id: number,
  message: Buffer,
  limits: Limits,
): Promise<RawResult | Failure | undefined> {
  return new Promise((resolve) => {
    let patience: NodeJS.Timeout | undefined
    const onAbort = () => {
      link.send(endMessage(id))
      patience = setTimeout(link.drop, HUNG_AFTER_MS)
    }
    const settle = (outcome: RawResult | Failure | undefined) => {
      limits.signal.removeEventListener('abort', onAbort)
      clearTimeout(patience)
      resolve(outcome)
    }
    // First, so that the program starts while the rest is done.
    link.send(message)
    if (link.waiting.size === 0) setReferenced(link.child, true)
    link.waiting.set(id, { limits, settle })
    if (limits.signal.aborted) onAbort()
    else limits.signal.addEventListener('abort', onAbort, { once: true })
  })
}

/** Undefined for a program that was not started. */
export function outcomeOf(reply: SpawnerReply, limits: Limits): RawResult | Failure | undefined {
  switch (reply.kind) {
    case EXITED:
    case SIGNALLED:
      return {
        exit_code: reply.kind === EXITED ? reply.code : null,
        signal: reply.kind === EXITED ? null : signalName(reply.code),
        stdout: reply.stdout,
        stderr: reply.stderr,
        ...(reply.truncated && { truncated: true }),
        ...(reply.stderrTruncated && { stderr_truncated: true }),
        ...(reply.garbled && { garbled: true }),
      }
    case NOT_STARTED:
      return undefined // when started by Node, the system reports why
    case OVERFLOWED:
      return failure(`hook output exceeded ${limits.limit} bytes`)
    case ENDED:
      return limits.signal.aborted
        ? timedOut(limits.timeout)
        : failure('There was no memory for what the hook prints')
    default:
      return lost(`it answered ${reply.kind}, which means nothing`, limits)
  }
}

/** The program may have done anything, so its decision is unknown. */
function lost(why: string, { signal, timeout }: Limits): Failure {
  if (signal.aborted) return timedOut(timeout)
  return failure(`The process that runs hooks' programs ended while this hook ran (${why})`)
}

function signalName(number: number): string {
  const found = Object.entries(constants.signals).find(([, each]) => each === number)
  return found ? found[0] : `SIG${number}`
}

/** While nothing runs, it does not keep this process alive. */
function setReferenced(child: ChildProcess, isReferenced: boolean): void {
  const method = isReferenced ? 'ref' : 'unref'
  child[method]()
  controlOf(child)?.[method]()
}

/** Undefined when the system could not create the process. */
function controlOf(child: ChildProcess): Socket | undefined {
  return child.stdio?.[3] as Socket | undefined
}
