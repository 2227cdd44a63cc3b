/** A folder per hook and session, in which a hook can remember things. */

import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { sep } from 'node:path'
import { sha256Hex } from '../fast/digest.ts'

/** Creates the folder if needed. Names are hashed, since sessions and hooks may have any name. */
export function sessionStateDir(stateDir: string, hookName: string, sessionId: string, mode = 0o700): string {
  const folder = `${sessionFolder(stateDir, sessionId)}${sep}${shortHash(hookName)}`
  const isThere = statSync(folder, { throwIfNoEntry: false })?.isDirectory()
  if (!isThere) mkdirSync(folder, { recursive: true, mode })
  return folder
}

/** Called when the session ends. */
export function removeSessionState(stateDir: string, sessionId: string): void {
  rmSync(sessionFolder(stateDir, sessionId), { recursive: true, force: true })
}

/** How long a hook's memory is kept after its last change: not every session ends properly. */
const KEPT_MS = 30 * 86_400_000

/** Removes the memory of sessions that never ended; returns how many. */
export function collectSessions(stateDir: string, now = Date.now()): number {
  const folder = `${stateDir}${sep}sessions`
  if (!existsSync(folder)) return 0
  let removed = 0
  for (const name of readdirSync(folder)) {
    const path = `${folder}${sep}${name}`
    if (now - lastChange(path) < KEPT_MS) continue
    rmSync(path, { recursive: true, force: true })
    removed++
  }
  return removed
}

/** Last change of the folder and everything in it. */
function lastChange(folder: string): number {
  let last = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY
  for (const name of readdirSync(folder, { recursive: true }))
    last = Math.max(last, statSync(`${folder}${sep}${String(name)}`, { throwIfNoEntry: false })?.mtimeMs ?? 0)
  return last
}

function sessionFolder(stateDir: string, sessionId: string): string {
  return `${stateDir}${sep}sessions${sep}${shortHash(sessionId)}`
}

/** Cache for names that come with each event. */
const hashes = new Map<string, string>()
const MAX_CACHED = 1000

function shortHash(text: string): string {
  const known = hashes.get(text)
  if (known !== undefined) return known
  if (hashes.size >= MAX_CACHED) hashes.clear()
  const hash = sha256Hex(text).slice(0, 32)
  hashes.set(text, hash)
  return hash
}
