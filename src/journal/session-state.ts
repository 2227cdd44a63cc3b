/** A folder for each hook in each session, in which a hook can remember things. */

import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sha256Hex } from '../spec/digest.ts'

/** The folder, made when it is not there. Names are hashed, since sessions and hooks may be called anything. */
export function sessionStateDir(stateDir: string, hookName: string, sessionId: string): string {
  const folder = join(sessionFolder(stateDir, sessionId), shortHash(hookName))
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return folder
}

/** When the session ends. */
export function removeSessionState(stateDir: string, sessionId: string): void {
  rmSync(sessionFolder(stateDir, sessionId), { recursive: true, force: true })
}

function sessionFolder(stateDir: string, sessionId: string): string {
  return join(stateDir, 'sessions', shortHash(sessionId))
}

function shortHash(text: string): string {
  return sha256Hex(text).slice(0, 32)
}
