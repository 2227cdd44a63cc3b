/**
 * Programs of hooks in a managed installation: the spawner beside the gate (relay/gate.c) runs each as the user at the
 * other end of the event's connection. This process must never start a hook's program by itself.
 */

import { Socket } from 'node:net'
import { getSystemErrorMessage } from 'node:util'
import { messageOf } from '../spec/errors.ts'
import type { RawResult } from '../spec/executor.ts'
import { type Failure, failure } from '../spec/outcome.ts'
import type { Limits } from './process.ts'
import { outcomeOf, type Spawner } from './spawner.ts'
import {
  endMessage,
  NOT_STARTED,
  READY,
  replyReader,
  type SpawnerReply,
  startMessage,
} from './spawner-messages.ts'

interface Waiting {
  file: string
  limits: Limits
  settle(outcome: RawResult | Failure): void
}

const VERSION = 1

/** `lost` is called when the spawner is gone: the gate then restarts both. */
export function createGateSpawner(descriptor: number, lost: (why: string) => void): Spawner {
  const control = new Socket({ fd: descriptor, readable: true, writable: true })
  const waiting = new Map<number, Waiting>()
  let lastId = 0

  function answer(reply: SpawnerReply): void {
    if (reply.kind === READY) {
      if (reply.code !== VERSION) throw new Error(`the spawner speaks version ${reply.code}, not ${VERSION}`)
      return
    }
    const asked = waiting.get(reply.id)
    waiting.delete(reply.id)
    asked?.settle(
      reply.kind === NOT_STARTED ? notStarted(asked.file, reply.code) : outcomeOf(reply, asked.limits)!,
    )
  }

  const read = replyReader(answer)
  const end = (why: string) => {
    for (const { settle } of waiting.values())
      settle(failure(`The process that runs hooks' programs is gone (${why})`))
    waiting.clear()
    lost(why)
  }
  control.on('data', (chunk: Buffer) => {
    try {
      read(chunk)
    } catch (error) {
      control.destroy()
      end(messageOf(error))
    }
  })
  control.on('error', (error) => end(error.message))
  control.on('end', () => end('it closed the connection'))

  return {
    run(start, limits) {
      if (start.caller === undefined)
        return Promise.resolve(failure('There is no caller as whom it could run', { retryable: false }))
      const id = (lastId % 0xffffffff) + 1
      const message = startMessage(id, start, limits)
      if (!message)
        return Promise.resolve(failure('Its input is too large to be passed on', { retryable: false }))
      lastId = id
      return new Promise((resolve) => {
        const onAbort = () => void control.write(endMessage(id))
        const settle = (outcome: RawResult | Failure) => {
          limits.signal.removeEventListener('abort', onAbort)
          resolve(outcome)
        }
        control.write(message)
        waiting.set(id, { file: start.file, limits, settle })
        if (limits.signal.aborted) onAbort()
        else limits.signal.addEventListener('abort', onAbort, { once: true })
      })
    },
    close: () => void control.destroy(),
  }
}

function notStarted(file: string, code: number): Failure {
  return failure(`${file} cannot be started as the user who called: ${getSystemErrorMessage(-code)}`, {
    retryable: false,
  })
}
