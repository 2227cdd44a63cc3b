/** A past tool call, as a hook would have received it before the tool ran. */

import type { HookEvent } from '../spec/event.ts'
import type { Decision } from '../spec/outcome.ts'

export interface PastCall {
  event: HookEvent
  source: 'journal' | 'transcript'
  /** The transcript in which it was found. */
  file?: string
  became: Became
  /** What is unknown about the call; it can still be judged by the rest. */
  lacks: readonly string[]
  /** Nothing of its input is known: no hook can judge it. */
  isBare?: true
}

/** How it ended. */
export interface Became {
  /** From the journal; otherwise `deny` when the transcript says it was refused, else `allow`. */
  decision: Decision
  /** The hook that decided, by the journal. */
  hook?: string
  reason?: string
  /** crosshook's hooks were asked: the journal has it. */
  isJournaled: boolean
  /** By the transcript. */
  ended?: 'ran' | 'failed' | 'refused'
}
