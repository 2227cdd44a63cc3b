/** Records of events that end together are written together, and none is answered before its record is kept. */

import { read, type Store, writeTogether } from '../journal/store.ts'
import { keep, type Recording } from '../runtime/record.ts'
import { messageOf } from '../spec/errors.ts'

/** Fewer and larger moves from the log of the database to its file than a short process makes. */
export function tuneStore(store: Store): void {
  if (store.error === undefined) read(store, (db) => db.exec('PRAGMA wal_autocheckpoint = 2048'))
}

export function createKeeper(): (store: Store, recording: Recording) => Promise<string[]> {
  let batch: { recording: Recording; done: (sentences: string[]) => void }[] = []
  const flush = (store: Store) => {
    const items = batch
    batch = []
    const answers: string[][] = []
    let trouble: string[] = []
    try {
      const error = writeTogether(store, () => {
        for (const { recording } of items) answers.push(keep(store, recording))
      })
      if (error) trouble = [error.message]
    } catch (error) {
      // Whatever went wrong, nobody waits for ever.
      trouble = [`What happened could not be kept: ${messageOf(error)}`]
    }
    for (const [i, { done }] of items.entries()) done([...(answers[i] ?? []), ...trouble])
  }
  return (store, recording) =>
    new Promise((done) => {
      if (batch.push({ recording, done }) === 1) setImmediate(flush, store)
    })
}
