/**
 * Tells the keeper (relay/keeper.c) of the programs that this process starts by itself: it ends them when this process is
 * killed, and what they leave behind. On the cold path the relay has started it; elsewhere it is started before the
 * first program.
 */

import { writeSync } from 'node:fs'
import { endGroup, hasGroup } from './end-group.ts'
import { startKeeper } from './program-keeper-process.ts'

export const STARTED = 1
/** What it left behind goes on. */
export const OVER = 2
export const OVER_BUT_LEFT = 3

/** What is being made a service has time to leave the group. */
const LEFT_GRACE_MS = 100

/** False when nobody hears any more. */
export type Tell = (message: Buffer) => boolean

let tell: Tell | undefined
let isAsked = false
let ownMain: string | undefined

/** The relay has started one, which reads what is written there. */
export function useKeeper(descriptor: number): void {
  if (!(Number.isInteger(descriptor) && descriptor > 2)) return
  isAsked = true
  tell = (message) => {
    try {
      return writeSync(descriptor, message) === message.length
    } catch {
      return false // it is gone
    }
  }
}

/** Where dist/cli/main.cjs is. Without it there is no keeper: whoever runs from a project must not start what lies there. */
export function useKeeperBeside(main: string): void {
  ownMain = main
}

/** Before a program is started: nobody could tell the keeper of one that this process did not outlive. */
export function readyKeeper(): void {
  if (isAsked) return
  isAsked = true
  try {
    if (ownMain !== undefined) tell = startKeeper(ownMain)
  } catch {
    tell = undefined // there is no room for it: this process ends what it can
  }
}

export function programStarted(pid: number): void {
  if (tell) say(STARTED, pid)
}

/** The program itself has ended. Nobody waits for the end of what it left behind. */
export function programOver(pid: number, childrenStay: boolean): void {
  if (tell && say(childrenStay ? OVER : OVER_BUT_LEFT, pid)) return
  if (!childrenStay && hasGroup(pid))
    setTimeout(() => void endGroup(pid, () => !hasGroup(pid)), LEFT_GRACE_MS)
}

function say(kind: number, pid: number): boolean {
  const message = Buffer.alloc(5, kind)
  message.writeUInt32LE(pid, 1)
  const isHeard = tell?.(message) ?? false
  if (!isHeard) tell = undefined
  return isHeard
}
