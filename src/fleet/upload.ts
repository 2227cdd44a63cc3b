/**
 * Sends the journal to the hub, in order. The hub says how far it has come, so that a kill on either side, at any
 * moment, loses and duplicates nothing.
 */

import type { Journal, JournalRecord } from '../journal/port.ts'
import type { Enrolment } from './enrolment.ts'
import { type HubClient, HubError } from './hub-client.ts'
import type { PolicyState } from './policy-state.ts'
import { type Acknowledged, beginning, chainOn, encodeBatch, MAX_RECORDS } from './wire/batch.ts'
import { lineOf } from './wire/sent-record.ts'

export interface Uploader {
  /** Sends what there is, batch by batch. Returns the number of records. */
  drain(state: PolicyState, signal: AbortSignal): Promise<number>
}

/** Characters per batch, before compression. */
const MAX_TEXT_BYTES = 4 * 1024 * 1024

export function createUploader(client: HubClient, journal: Journal, { id, since }: Enrolment): Uploader {
  let known: (Acknowledged & { epoch: string }) | undefined

  async function headOf(epoch: string): Promise<Acknowledged & { epoch: string }> {
    if (known?.epoch === epoch) return known
    const text = (await client.call('GET', `/fleet/journal?epoch=${encodeURIComponent(epoch)}`)).toString(
      'utf8',
    )
    const { head } = JSON.parse(text) as { head: Acknowledged | null }
    const start = { seq: epoch === since.epoch ? since.seq : 0, chain: beginning(id, epoch) }
    return (known = { epoch, ...(head ?? start) })
  }

  async function sendNext({ revision, journal: scope }: PolicyState, signal: AbortSignal): Promise<number> {
    const epoch = journal.epoch()
    const head = await headOf(epoch)
    const records = together(journal.list({ after: head.seq, isOldestFirst: true, limit: MAX_RECORDS }))
    const first = records[0]?.seq
    if (first === undefined) return 0
    const lines = records.map((record) => lineOf(record, scope))
    const lost =
      first > head.seq + 1 ? { lost: { from: head.seq + 1, why: 'the journal no longer had them' } } : {}
    const body = encodeBatch({ version: 1, epoch, first, prev: head.chain, revision, lines, ...lost })
    // Unless the hub's answer says so, its position is asked for again.
    known = undefined
    try {
      const answer = JSON.parse(
        (await client.call('POST', '/fleet/journal', body, signal)).toString('utf8'),
      ) as Acknowledged
      // A hub that accepted nothing is not sent the same again and again.
      if (!(answer.seq >= first)) return 0
      if (answer.seq === first + lines.length - 1 && answer.chain === chainOn(head.chain, lines))
        known = { epoch, ...answer }
      return lines.length
    } catch (error) {
      // Sent by another process, or our last answer was lost: continue from the hub's position.
      if (error instanceof HubError && error.status === 409) return 0
      throw error
    }
  }

  return {
    async drain(state, signal) {
      let sent = 0
      while (!signal.aborted) {
        const some = await sendNext(state, signal)
        sent += some
        if (some === 0) break
      }
      return sent
    },
  }
}

/** The leading records without a gap that fit into one batch. */
function together(records: readonly JournalRecord[]): JournalRecord[] {
  let size = 0
  const end = records.findIndex((record, i) => {
    size += JSON.stringify(record).length
    return i > 0 && (record.seq !== records[i - 1]!.seq + 1 || size > MAX_TEXT_BYTES)
  })
  return records.slice(0, end === -1 ? records.length : end)
}
