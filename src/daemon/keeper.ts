/** Records of events that end together are written together, and none is answered before its record is kept. */

import { appendTogether } from '../journal/intake.ts'
import type { Store } from '../journal/store.ts'
import { keep, type Recording } from '../runtime/record.ts'
import { messageOf } from '../spec/errors.ts'

interface Item {
  recording: Recording
  done: (sentences: string[]) => void
}

export interface Keeper {
  keep(store: Store, recording: Recording): Promise<string[]>
  /** Why the last records could not be kept; undefined when they were. */
  readonly trouble: string | undefined
}

export function createKeeper(): Keeper {
  let waiting: Item[] = []
  let trouble: string | undefined
  const flush = (store: Store) => {
    const items = waiting
    waiting = []
    const written = writeAll(store, items)
    trouble = written.trouble
    for (const [i, { done }] of items.entries()) done(written.sentences[i]!)
  }
  return {
    get trouble() {
      return trouble
    },
    keep: (store, recording) =>
      new Promise((done) => {
        if (waiting.push({ recording, done }) === 1) setImmediate(flush, store)
      }),
  }
}

/** Of each record, what a person should know. */
function writeAll(store: Store, items: readonly Item[]): { sentences: string[][]; trouble?: string } {
  const sentences: string[][] = []
  let trouble: string | undefined
  try {
    const error = appendTogether(store, () => {
      for (const { recording } of items) sentences.push(keep(store, recording))
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
