/** Records are written when the agent has its answer: it waits for the decision, not for the journal. */

import { type Store, writeTogether } from '../journal/store.ts'
import { keep, type Recording } from '../runtime/record.ts'
import { messageOf } from '../spec/errors.ts'

export interface Keeper {
  keep(store: Store, recording: Recording): Promise<string[]>
  /** Writes what waits. */
  flush(): void
}

export function createKeeper(trouble: (sentence: string) => void): Keeper {
  let waiting: { store: Store; recording: Recording }[] = []
  const flush = () => {
    const items = waiting
    waiting = []
    for (const [store, group] of Map.groupBy(items, (item) => item.store)) writeGroup(store, group)
  }
  const writeGroup = (store: Store, group: typeof waiting) => {
    const sentences: string[] = []
    try {
      const error = writeTogether(store, () => {
        for (const { recording } of group) sentences.push(...keep(store, recording))
      })
      if (error) sentences.push(error.message)
    } catch (error) {
      sentences.push(`What happened could not be kept: ${messageOf(error)}`)
    }
    for (const sentence of sentences) trouble(sentence)
  }
  return {
    async keep(store, recording) {
      if (waiting.push({ store, recording }) === 1) setImmediate(flush)
      return []
    },
    flush,
  }
}
