/** A call of a tool in the past, as a hook would have been given it before the tool ran. */

import type { HookEvent } from '../spec/event.ts'
import type { Decision } from '../spec/outcome.ts'

export interface PastCall {
  event: HookEvent
  source: 'journal' | 'transcript'
  /** The transcript in which it was found. */
  file?: string
  became: Became
  /** What of the call is not known; it can be judged by what is there. */
  lacks: readonly string[]
  /** Nothing of its input is known: no hook can judge it. */
  isBare?: true
}

/** What became of it. */
export interface Became {
  /** By the journal; else `deny` when the transcript says that it was refused, and `allow` when it went on. */
  decision: Decision
  /** The hook that decided, by the journal. */
  hook?: string
  reason?: string
  /** Hooks of crosshook were asked: the journal has it. */
  isJournaled: boolean
  /** By the transcript. */
  ended?: 'ran' | 'failed' | 'refused'
}
