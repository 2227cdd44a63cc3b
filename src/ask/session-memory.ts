/** What a session has recently asked and was refused: for rate limits, and to recognise a reworded question. */

import { join } from 'node:path'
import { makeFolder } from '../config/make-folder.ts'
import { stateKey } from '../config/state-key.ts'
import { sha256Hex } from '../fast/digest.ts'
import type { Act } from '../spec/act.ts'
import { readSealed, replaceSealed } from './sealed-file.ts'

interface Remembered {
  /** Times of questions, in milliseconds since 1970. */
  asked: number[]
  /** When the person was last told that this session asks too much. */
  flooded: number
  denied: { id: string; acts: string; digest: string }[]
}

export interface SessionMemory {
  /** Counts a question; false when there are too many per minute. */
  mayAsk(now: number, perMinute: number): boolean
  /** True once a minute, so that the person is told once. */
  isNewFlood(now: number): boolean
  noteDenied(id: string, acts: string, digest: string): void
  /** A refused question with other words but the same acts. */
  deniedBefore(acts: string, digest: string): string | undefined
}

export const PER_MINUTE = 60
const MINUTE_MS = 60_000
/** Most refused questions that are remembered. */
const MAX_DENIED = 50

export function sessionMemory(stateDir: string, agent: string, session: string): SessionMemory {
  const folder = join(stateDir, 'asks', 'sessions')
  const file = join(folder, `${sha256Hex(`${agent}\0${session}`).slice(0, 32)}.session`)
  const sealing = { key: stateKey(stateDir) }
  const read = (): Remembered => {
    const found = readSealed<Remembered>(file, sealing)
    return found === undefined || found === 'forged' ? { asked: [], flooded: 0, denied: [] } : found
  }
  const write = (value: Remembered) => {
    makeFolder(folder)
    replaceSealed(file, value, sealing)
  }
  return {
    mayAsk(now, perMinute) {
      const known = read()
      const asked = known.asked.filter((at) => now - at < MINUTE_MS)
      if (asked.length >= perMinute) return false
      write({ ...known, asked: [...asked, now] })
      return true
    },
    isNewFlood(now) {
      const known = read()
      if (now - known.flooded < MINUTE_MS) return false
      write({ ...known, flooded: now })
      return true
    },
    noteDenied(id, acts, digest) {
      const known = read()
      write({ ...known, denied: [...known.denied, { id, acts, digest }].slice(-MAX_DENIED) })
    },
    deniedBefore: (acts, digest) =>
      acts === ''
        ? undefined
        : read().denied.findLast((each) => each.acts === acts && each.digest !== digest)?.id,
  }
}

/** Equal for calls that do the same to the same things, however written. Empty when nothing is known. */
export function actsKey(acts: readonly Act[]): string {
  const telling = acts.filter(
    ({ does, path, host }) => does !== 'run' || path !== undefined || host !== undefined,
  )
  const words = telling.map(({ does, path, host }) => `${does}\0${path ?? ''}\0${host ?? ''}`)
  return words.length === 0 ? '' : sha256Hex([...new Set(words)].sort().join('\n'))
}
