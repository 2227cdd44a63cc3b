/** Group commit: records of events that end in one turn of the event loop are written together, before their answers leave. */

import type { Journal } from '../journal/port.ts'
import { keep, type Recording } from '../pipeline/record.ts'
import { messageOf } from '../spec/errors.ts'

interface Item {
  recording: Recording
  done: (sentences: string[]) => void
}

export interface Keeper {
  keep(journal: Journal, recording: Recording): Promise<string[]>
  /** Why the last records could not be kept; undefined when they were. */
  readonly trouble: string | undefined
  /** Whenever nothing has come for a while, what waits for the database is taken in. Until the function is called. */
  takeInWhenIdle(journal: Journal, trouble: (sentence: string) => void): () => void
}

/** So many bytes may wait while there is no idle moment. It is more than is kept: what is beyond that need only be counted. */
const MAX_WAITING_BYTES = 80 * 1024 * 1024
/** How often to look for an idle moment, in milliseconds. */
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
    for (const [i, { done }] of items.entries()) done(written.sentences[i]!)
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

/** Of each record, what a person should know. */
function writeAll(journal: Journal, items: readonly Item[]): { sentences: string[][]; trouble?: string } {
  const sentences: string[][] = []
  let trouble: string | undefined
  try {
    const error = journal.appendTogether(() => {
      for (const { recording } of items) sentences.push(keep(journal, recording))
    })
    trouble = error?.message
  } catch (error) {
    // Whatever went wrong, nobody waits for ever.
    trouble = `What happened could not be kept: ${messageOf(error)}`
  }
  if (trouble === undefined) return { sentences }
  const said = trouble
  return { sentences: items.map((_, i) => [...(sentences[i] ?? []), said]), trouble }
}
