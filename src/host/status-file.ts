/** The running daemon's description of itself, for other processes of its user. */

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeDurably } from '../journal/write-durably.ts'
import { readText } from '../spec/read-file.ts'
import { isLocked } from './daemon-lock.ts'

export interface DaemonStatus {
  running: true
  pid: number
  socket: string | null
  http: string
  grpc: string
  /** File of the admin token. */
  token_file: string
  /** File of the token that may only fire events. */
  events_token_file: string
}

export function writeStatus(stateDir: string, status: DaemonStatus): void {
  writeDurably(file(stateDir), `${JSON.stringify(status)}\n`)
}

export function forgetStatus(stateDir: string): void {
  rmSync(file(stateDir), { force: true })
}

/** Undefined when no daemon runs. A killed one leaves its file but not its lock. */
export function readStatus(stateDir: string): DaemonStatus | undefined {
  let text: string
  try {
    text = readText(file(stateDir))
  } catch {
    return undefined // never started, or stopped
  }
  return isLocked(stateDir) ? (JSON.parse(text) as DaemonStatus) : undefined
}

function file(stateDir: string): string {
  return join(stateDir, 'daemon.json')
}
