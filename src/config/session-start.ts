/**
 * The folder in which a session began. Its project's hooks hold for the whole session, wherever the agent goes: a `cd`
 * to another folder, or to a repository inside this one, takes no guard away.
 */

import { sha256Hex } from '../fast/digest.ts'
import { within } from '../fast/within.ts'
import { readText } from '../spec/read-file.ts'
import { isMac, mac, readStateKey, stateKey } from './state-key.ts'
import { writeWhole } from './write-whole.ts'

export interface SessionStarts {
  /** The folder in which it began; the given one where this is its first event. */
  of(sessionId: string, workDir: string, isBeginning: boolean): string
}

const MOST_KNOWN = 1000

export function openSessionStarts(stateDir: string): SessionStarts {
  const known = new Map<string, string>()
  return {
    of(sessionId, workDir, isBeginning) {
      if (sessionId === '') return workDir
      const kept = isBeginning ? undefined : (known.get(sessionId) ?? read(stateDir, sessionId))
      const start = kept ?? workDir
      if (known.size > MOST_KNOWN) known.clear()
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
    return undefined // its first event, or a state folder that cannot be read
  }
}

function write(stateDir: string, sessionId: string, start: string): void {
  try {
    const proof = mac(stateKey(stateDir), 'session', `${sessionId}\0${start}`)
    writeWhole(fileOf(stateDir, sessionId), `${proof}\n${start}\n`)
  } catch {
    // A state folder that cannot be written is told of where records are kept; this process remembers.
  }
}
