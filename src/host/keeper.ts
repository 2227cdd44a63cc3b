/**
 * Group commit: records of events that end in one turn of the event loop are written together before their answers
 * leave.
 */

import type { Journal } from '../journal/port.ts'
import { keep, type Recording } from '../pipeline/record.ts'
import { messageOf } from '../spec/errors.ts'

interface Item {
  recording: Recording
  done: (sentences: string[]) => void
}

export interface Keeper {
  keep(journal: Journal, recording: Recording): Promise<string[]>
  /** Why the last records could not be stored; undefined when they were. */
  readonly trouble: string | undefined
  /**
   * Moves waiting records to the database whenever the process has been idle for a while, until the returned function
   * is called.
   */
  takeInWhenIdle(journal: Journal, trouble: (sentence: string) => void): () => void
}

/**
 * Most bytes that may wait without an idle moment. More than the journal keeps: beyond that, records only need to be
 * counted.
 */
const MAX_WAITING_BYTES = 80 * 1024 * 1024
/** How often to check for an idle moment. */
const LOOK_EVERY_MS = 1000

export function createKeeper(): Keeper {
  let waiting: Item[] = []
  let trouble: string | undefined
  let isIdle = true
  let kept = 0
  const flush = (journal: Journal) => {
    const items = waiting
    waiting = []
    const written = writeAll(journal, items)
    trouble = written.trouble
    for (let i = 0; i < items.length; i++) items[i]!.done(written.sentences[i]!)
  }
  return {
    get trouble() {
      return trouble
    },
    keep: (journal, recording) =>
      new Promise((done) => {
        isIdle = false
        kept++
        if (waiting.push({ recording, done }) === 1) setImmediate(flush, journal)
      }),
    takeInWhenIdle(journal, say) {
      journal.letWait(MAX_WAITING_BYTES)
      const look = setInterval(() => {
        const before = kept
        if (isIdle)
          void journal.takeInSoon(0, () => kept === before).then((sentences) => sentences.forEach(say))
        isIdle = true
      }, LOOK_EVERY_MS).unref()
      return () => clearInterval(look)
    },
  }
}

/** Per record, what a person should know. */
function writeAll(journal: Journal, items: readonly Item[]): { sentences: string[][]; trouble?: string } {
  const sentences: string[][] = []
  let trouble: string | undefined
  try {
    const error = journal.appendTogether(() => {
      for (const { recording } of items) sentences.push(keep(journal, recording))
    })
    trouble = error?.message
  } catch (error) {
    // Whatever went wrong, every waiting event must be answered.
    trouble = `The record of an event could not be written: ${messageOf(error)}`
  }
  if (trouble === undefined) return { sentences }
  const said = trouble
  return { sentences: items.map((_, i) => [...(sentences[i] ?? []), said]), trouble }
}
