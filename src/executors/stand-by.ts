/**
 * Processes that wait to become a hook's program. A large process takes long to start another one: it does so before
 * there is an event. The relay is what waits; see `stand-by` in relay/relay.c.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import type { Duplex } from 'node:stream'
import type { Start } from './process.ts'

export interface StandBy {
  /** A process that becomes this program; undefined when none waits, or the program does not suit. */
  take(start: Start): Taken | undefined
  close(): void
}

export interface Taken {
  child: ChildProcess
  /** Did it become the program? Known once it has ended by itself. */
  hasBegun(): boolean
}

/** Those that wait. Hooks that run at once beyond them are started as ever. */
const KEPT = 2
/** Starting one takes a processor: the answer of the hook that was just run, and what it lets happen, come first. */
const PAUSE = 20
const MOST_BYTES = 1024 * 1024

export function createStandBy(relay: string): StandBy {
  const waiting = new Set<ChildProcess>()
  let isOver = process.platform === 'win32'
  let pause: NodeJS.Timeout | undefined

  function fillLater(): void {
    if (!isOver && waiting.size < KEPT) pause ??= setTimeout(fill, PAUSE).unref()
  }

  function fill(): void {
    pause = undefined
    const child = begin(relay)
    // One that cannot start, or does not wait, is not a relay that knows how to.
    const isNone = () => {
      if (waiting.delete(child)) isOver = true
    }
    waiting.add(child)
    child.once('error', isNone).once('exit', isNone)
    fillLater()
  }

  return {
    take(start) {
      const [child] = waiting
      const message = child && messageFor(start)
      if (!message) {
        fillLater()
        return undefined
      }
      waiting.delete(child)
      child.once('exit', fillLater)
      return hand(child, message)
    },
    close() {
      isOver = true
      clearTimeout(pause)
      for (const child of waiting) for (const stream of child.stdio) stream?.destroy()
      waiting.clear()
    },
  }
}

/** As runProcess starts a program, and with the descriptor on which it is told which. */
function begin(relay: string): ChildProcess {
  const child = spawn(relay, ['stand-by'], {
    cwd: '/',
    env: {},
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    detached: true,
  })
  setReferenced(child, false)
  // It may be gone when it is told what to run: then it has not begun.
  control(child)?.on('error', () => {})
  return child
}

function hand(child: ChildProcess, message: Buffer): Taken {
  let said = ''
  setReferenced(child, true)
  control(child).write(message)
  // Nobody needs to know before, and each piece of news would take this process away from what it does.
  child.once('exit', () =>
    control(child).on('data', (chunk: Buffer) => {
      said += chunk.toString('latin1')
    }),
  )
  return { child, hasBegun: () => said === 'G' }
}

function messageFor({ file, args, cwd, env, input }: Start): Buffer | undefined {
  // Where to look without a PATH is up to the C library, of which there are several.
  if (!file.includes('/') && !env.PATH) return undefined
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  const texts = [cwd, file, ...args, ...variables]
  if (texts.some((text) => text.includes('\0'))) return undefined
  const textBytes = Buffer.from(`${texts.join('\0')}\0`)
  const inputBytes = Buffer.from(input)
  if (textBytes.length + inputBytes.length > MOST_BYTES) return undefined
  const head = Buffer.alloc(16)
  for (const [i, size] of [args.length + 1, variables.length, textBytes.length, inputBytes.length].entries())
    head.writeUInt32LE(size, 4 * i)
  return Buffer.concat([head, textBytes, inputBytes])
}

function control(child: ChildProcess): Duplex {
  return child.stdio[3] as Duplex
}

/** One that waits keeps nobody from ending. */
function setReferenced(child: ChildProcess, isReferenced: boolean): void {
  const method = isReferenced ? 'ref' : 'unref'
  child[method]()
  for (const stream of child.stdio) (stream as { ref?(): void; unref?(): void } | null)?.[method]?.()
}
