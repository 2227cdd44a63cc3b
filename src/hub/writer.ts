/**
 * Combines batches of many machines into one transaction: those that arrive while one is written wait for the next.
 * Each contains at most one batch per machine.
 */

import type { Database } from './database/port.ts'
import { type Appended, type Arrived, append } from './store/journal.ts'

/** Approximate number of records per transaction. */
const MAX_RECORDS = 4000
/** Records that may wait; a machine whose batch would exceed this is told to try again. */
const MAX_WAITING = 100_000

interface Waiting {
  arrived: Arrived
  done: (answer: Appended) => void
  failed: (error: unknown) => void
}

export interface Writer {
  /** Resolves when it is durable. Undefined when too many wait. */
  write(tenant: string, arrived: Arrived): Promise<Appended> | undefined
}

export function createWriter(db: Database, shard: string): Writer {
  const queues = new Map<string, Waiting[]>()
  const writing = new Set<string>()
  let waiting = 0

  async function drain(tenant: string): Promise<void> {
    if (writing.has(tenant)) return
    writing.add(tenant)
    try {
      for (;;) {
        // Include what arrives in this turn of the event loop.
        await new Promise((resolve) => setImmediate(resolve))
        const items = take(queues.get(tenant) ?? [])
        if (items.length === 0) return
        await writeTogether(tenant, items)
      }
    } finally {
      writing.delete(tenant)
      if ((queues.get(tenant)?.length ?? 0) === 0) queues.delete(tenant)
      else void drain(tenant)
    }
  }

  function take(queue: Waiting[]): Waiting[] {
    const taken: Waiting[] = []
    const edges = new Set<string>()
    let records = 0
    for (let i = 0; i < queue.length && records < MAX_RECORDS; ) {
      const { edge, records: own } = queue[i]!.arrived
      if (edges.has(edge)) {
        i++
        continue
      }
      edges.add(edge)
      records += own.length
      taken.push(...queue.splice(i, 1))
    }
    return taken
  }

  async function writeTogether(tenant: string, items: readonly Waiting[]): Promise<void> {
    for (const { arrived } of items) waiting -= arrived.records.length
    try {
      const all = items.map(({ arrived }) => arrived)
      const answers = await db.within(tenant, (sql) => append(sql, tenant, shard, all))
      for (const { arrived, done } of items) done(answers.get(arrived)!)
    } catch (error) {
      for (const { failed } of items) failed(error)
    }
  }

  return {
    write(tenant, arrived) {
      if (waiting + arrived.records.length > MAX_WAITING) return undefined
      waiting += arrived.records.length
      return new Promise((done, failed) => {
        let queue = queues.get(tenant)
        if (!queue) queues.set(tenant, (queue = []))
        queue.push({ arrived, done, failed })
        void drain(tenant)
      })
    },
  }
}
