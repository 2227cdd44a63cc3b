/**
 * Remembers the folder in which a session began. That project's hooks apply for the whole session: a `cd` to another
 * folder, or to a repository inside this one, removes no guard.
 */

import { sha256Hex } from '../fast/digest.ts'
import { within } from '../fast/within.ts'
import { readText } from '../spec/read-file.ts'
import { isMac, mac, readStateKey, stateKey } from './state-key.ts'
import { writeWhole } from './write-whole.ts'

export interface SessionStarts {
  /** The folder in which the session began; the given one at its first event. */
  of(sessionId: string, workDir: string, isBeginning: boolean): string
}

const MAX_CACHED = 1000

export function openSessionStarts(stateDir: string): SessionStarts {
  const known = new Map<string, string>()
  return {
    of(sessionId, workDir, isBeginning) {
      if (sessionId === '') return workDir
      const kept = isBeginning ? undefined : (known.get(sessionId) ?? read(stateDir, sessionId))
      const start = kept ?? workDir
      if (known.size > MAX_CACHED) known.clear()
      known.set(sessionId, start)
      if (kept === undefined) write(stateDir, sessionId, start)
      return start
    },
  }
}

function fileOf(stateDir: string, sessionId: string): string {
  return within(stateDir, `sessions/${sha256Hex(sessionId).slice(0, 32)}/start`)
}

function read(stateDir: string, sessionId: string): string | undefined {
  try {
    const [proof, start = ''] = readText(fileOf(stateDir, sessionId)).split('\n')
    const key = readStateKey(stateDir)
    return key && isMac(proof, key, 'session', `${sessionId}\0${start}`) ? start : undefined
  } catch {
    return undefined // first event, or an unreadable state folder
  }
}

function write(stateDir: string, sessionId: string, start: string): void {
  try {
    const proof = mac(stateKey(stateDir), 'session', `${sessionId}\0${start}`)
    writeWhole(fileOf(stateDir, sessionId), `${proof}\n${start}\n`)
  } catch {
    // The journal reports a state folder that cannot be written; this process keeps the folder in memory.
  }
}
