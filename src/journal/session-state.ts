/** A folder for each hook in each session, in which a hook can remember things. */

import { mkdirSync, rmSync, statSync } from 'node:fs'
import { sep } from 'node:path'
import { sha256Hex } from '../fast/digest.ts'

/** The folder, made when it is not there. Names are hashed, since sessions and hooks may be called anything. */
export function sessionStateDir(stateDir: string, hookName: string, sessionId: string): string {
  const folder = `${sessionFolder(stateDir, sessionId)}${sep}${shortHash(hookName)}`
  const isThere = statSync(folder, { throwIfNoEntry: false })?.isDirectory()
  if (!isThere) mkdirSync(folder, { recursive: true, mode: 0o700 })
  return folder
}

/** When the session ends. */
export function removeSessionState(stateDir: string, sessionId: string): void {
  rmSync(sessionFolder(stateDir, sessionId), { recursive: true, force: true })
}

function sessionFolder(stateDir: string, sessionId: string): string {
  return `${stateDir}${sep}sessions${sep}${shortHash(sessionId)}`
}

/** Of the names that come again with each event. */
const hashes = new Map<string, string>()
const MOST_KNOWN = 1000

function shortHash(text: string): string {
  const known = hashes.get(text)
  if (known !== undefined) return known
  if (hashes.size >= MOST_KNOWN) hashes.clear()
  const hash = sha256Hex(text).slice(0, 32)
  hashes.set(text, hash)
  return hash
}
