/**
 * Records of machines, each once. The head of a machine's journal says how far it has come; appending locks it, so that
 * a repeated batch, sent to any hub, is recognised.
 */

import { type Acknowledged, type Batch, beginning, chainOn, encodeBatch } from '../../fleet/wire/batch.ts'
import { isNotable, isRemarkable, type SentRecord, sentSchema } from '../../fleet/wire/sent-record.ts'
import { CrosshookError, messageOf } from '../../spec/errors.ts'
import type { Sql, Value } from '../database/port.ts'
import { addRollups } from './hourly-sums.ts'

export interface Arrived {
  edge: string
  batch: Batch
  /** The batch as received. */
  bytes: Uint8Array
  records: readonly SentRecord[]
}

/** `refused`: the machine must continue from the acknowledged record, or has sent something else than before. */
export type Appended = Acknowledged & { refused?: 'missing' | 'altered' }

export const DAY_MS = 86_400_000

/** Every record is parsed before anything is written. Throws for a batch that no machine of ours sends. */
export function recordsOf({ first, lines }: Batch): SentRecord[] {
  return lines.map((line, i) => {
    try {
      const record = sentSchema.parse(JSON.parse(line))
      if (record.seq !== first + i) throw new Error(`it is record ${record.seq}`)
      return record
    } catch (error) {
      throw new CrosshookError(
        'bad_input',
        `Record ${first + i} cannot be read: ${messageOf(error).slice(0, 300)}`,
      )
    }
  })
}

/** At most one batch of each machine. */
export async function append(
  sql: Sql,
  tenant: string,
  shard: string,
  arrived: readonly Arrived[],
  now = Date.now(),
): Promise<Map<Arrived, Appended>> {
  const sorted = [...arrived].sort((a, b) => (a.edge < b.edge ? -1 : 1))
  const heads = await lockHeads(sql, tenant, sorted, now)
  const results = new Map<Arrived, Appended>()
  const kept: Kept[] = []
  const findings: Value[][] = []
  for (const item of sorted) {
    const { edge, batch } = item
    const found = judge(item, heads.get(`${edge}/${batch.epoch}`)!)
    results.set(item, found.answer)
    if (found.finding) {
      const { seq, what, message } = found.finding
      findings.push([tenant, edge, batch.epoch, seq, what, message, now])
    }
    if (found.skip !== undefined) kept.push({ ...item, skip: found.skip, chain: found.answer.chain })
  }
  await writeHeads(sql, tenant, kept, now)
  await writeBatches(sql, tenant, kept, now)
  await writeRows(sql, tenant, kept, now)
  await addRollups(sql, tenant, shard, kept)
  await sql.insertMany('journal_findings', FINDING, findings, 'ON CONFLICT DO NOTHING')
  return results
}

interface Kept extends Arrived {
  /** Leading records that were already stored. */
  skip: number
  /** After its last record. */
  chain: string
}

interface Judged {
  answer: Appended
  /** Undefined: nothing to write. */
  skip?: number
  finding?: { seq: number; what: 'altered' | 'lost'; message: string }
}

function judge({ batch }: Arrived, head: Acknowledged): Judged {
  const { first, prev, lines, lost } = batch
  const last = first + lines.length - 1
  const skip = head.seq - first + 1
  if (skip < 0 && (lost === undefined || lost.from !== head.seq + 1))
    return { answer: { ...head, refused: 'missing' } }
  if (skip > lines.length) return { answer: head }
  const isSame = chainOn(prev, lines.slice(0, Math.max(0, skip))) === head.chain
  if (!isSame) {
    const message = `records up to ${head.seq} were sent again and are not what they were`
    return { answer: { ...head, refused: 'altered' }, finding: { seq: head.seq, what: 'altered', message } }
  }
  if (skip === lines.length) return { answer: head }
  const answer = { seq: last, chain: chainOn(head.chain, lines.slice(Math.max(0, skip))) }
  if (skip >= 0) return { answer, skip }
  const message = `records ${head.seq + 1} to ${first - 1} never came: ${lost!.why}`
  return { answer, skip: 0, finding: { seq: head.seq + 1, what: 'lost', message } }
}

const HEAD = {
  tenant: 'text',
  edge: 'text',
  epoch: 'text',
  seq: 'bigint',
  chain: 'text',
  began_at: 'bigint',
  at: 'bigint',
} as const

/** Inserts the heads of new journals, and locks all of them until the end of the transaction. */
async function lockHeads(
  sql: Sql,
  tenant: string,
  arrived: readonly Arrived[],
  now: number,
): Promise<Map<string, Acknowledged>> {
  const rows = await sql.insertMany<Acknowledged & { edge: string; epoch: string }>(
    'journal_heads',
    HEAD,
    arrived.map(({ edge, batch: { epoch, first } }) => [
      tenant,
      edge,
      epoch,
      first - 1,
      beginning(edge, epoch),
      now,
      now,
    ]),
    'ON CONFLICT (tenant, edge, epoch) DO UPDATE SET at = excluded.at RETURNING edge, epoch, seq, chain',
  )
  return new Map(rows.map(({ edge, epoch, seq, chain }) => [`${edge}/${epoch}`, { seq, chain }]))
}

async function writeHeads(sql: Sql, tenant: string, kept: readonly Kept[], now: number): Promise<void> {
  await sql.insertMany(
    'journal_heads',
    HEAD,
    kept.map(({ edge, batch: { epoch, first, lines }, chain }) => [
      tenant,
      edge,
      epoch,
      first + lines.length - 1,
      chain,
      now,
      now,
    ]),
    'ON CONFLICT (tenant, edge, epoch) DO UPDATE SET seq = excluded.seq, chain = excluded.chain, at = excluded.at',
  )
}

async function writeBatches(sql: Sql, tenant: string, kept: readonly Kept[], now: number): Promise<void> {
  await sql.insertMany(
    'journal_batches',
    {
      tenant: 'text',
      day: 'bigint',
      edge: 'text',
      epoch: 'text',
      first_seq: 'bigint',
      last_seq: 'bigint',
      chain: 'text',
      revision: 'bigint',
      received_at: 'bigint',
      bytes: 'bytea',
    },
    kept.map(({ edge, batch, bytes, skip, chain }) => {
      const { epoch, first, lines, revision } = batch
      const stored =
        skip === 0 ? bytes : encodeBatch({ ...batch, first: first + skip, lines: lines.slice(skip) })
      return [
        tenant,
        dayOf(now),
        edge,
        epoch,
        first + skip,
        first + lines.length - 1,
        chain,
        revision,
        now,
        stored,
      ]
    }),
  )
}

async function writeRows(sql: Sql, tenant: string, kept: readonly Kept[], now: number): Promise<void> {
  const rows = kept.flatMap(({ edge, batch: { epoch, revision, lines, first }, records, skip }) =>
    records
      .slice(skip)
      .filter(isNotable)
      .map((record): Value[] => {
        const hook = record.hooks.find(isRemarkable)
        return [
          tenant,
          dayOf(now),
          edge,
          epoch,
          record.seq,
          Date.parse(record.at),
          record.agent ?? '',
          record.event,
          record.tool_name ?? '',
          record.decision,
          hook?.name ?? '',
          hook?.status ?? '',
          revision,
          lines[record.seq - first]!,
        ]
      }),
  )
  await sql.insertMany(
    'journal_rows',
    {
      tenant: 'text',
      day: 'bigint',
      edge: 'text',
      epoch: 'text',
      seq: 'bigint',
      at: 'bigint',
      agent: 'text',
      event: 'text',
      tool: 'text',
      decision: 'text',
      hook: 'text',
      status: 'text',
      revision: 'bigint',
      body: 'text',
    },
    rows,
  )
}

const FINDING = {
  tenant: 'text',
  edge: 'text',
  epoch: 'text',
  seq: 'bigint',
  what: 'text',
  message: 'text',
  at: 'bigint',
} as const

export function dayOf(ms: number): number {
  return Math.floor(ms / DAY_MS)
}

/** Where a machine continues; undefined when nothing of this journal was received. */
export async function headOf(
  sql: Sql,
  tenant: string,
  edge: string,
  epoch: string,
): Promise<Acknowledged | undefined> {
  const [row] = await sql.all<Acknowledged>(
    'SELECT seq, chain FROM journal_heads WHERE tenant = $1 AND edge = $2 AND epoch = $3',
    [tenant, edge, epoch],
  )
  return row
}
