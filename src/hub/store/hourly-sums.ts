/** Hourly sums of the records of machines. */

import type { Batch } from '../../fleet/wire/batch.ts'
import type { SentRecord } from '../../fleet/wire/sent-record.ts'
import type { Sql } from '../database/port.ts'
import { DURATION_BOUNDS, DURATION_COLUMNS } from '../database/tables.ts'

const HOUR_MS = 3_600_000

interface Counted {
  batch: Batch
  records: readonly SentRecord[]
  skip: number
}

/** What the hooks of a trial policy would have decided about an event, together. */
export const SHADOW = '(shadow)'

/** Per hour, revision, hook, agent and decision. The empty hook name stands for the event as a whole. */
interface Sum {
  key: [hour: number, revision: number, hook: string, agent: string, decision: string]
  n: number
  failures: number
  sum: number
  max: number
  classes: number[]
}

/** `skip`: leading records of a batch that were already counted. */
export async function addRollups(
  sql: Sql,
  tenant: string,
  shard: string,
  kept: readonly Counted[],
): Promise<void> {
  const sums = new Map<string, Sum>()
  for (const { batch, records, skip } of kept)
    for (const record of records.slice(skip)) {
      const hour = Math.floor(Date.parse(record.at) / HOUR_MS)
      const agent = record.agent ?? ''
      const failures = record.hooks.filter(({ status }) => isFailed(status)).length
      add(sums, [hour, batch.revision, '', agent, record.decision], record.duration_ms, failures > 0)
      const tried = record.hooks.flatMap(({ shadow }) => shadow ?? [])
      if (tried.length > 0) {
        const strongest = (['deny', 'ask', 'allow'] as const).find((decision) => tried.includes(decision))!
        add(sums, [hour, batch.revision, SHADOW, agent, strongest], record.duration_ms, failures > 0)
      }
      for (const { name, status, duration_ms, asked } of record.hooks) {
        const decision = status === 'blocked' ? 'deny' : asked ? 'ask' : 'allow'
        add(sums, [hour, batch.revision, name, agent, decision], duration_ms, isFailed(status))
      }
    }
  const added = ['n', 'failures', 'ms_sum', ...DURATION_COLUMNS].map(
    (name) => `${name} = rollups.${name} + excluded.${name}`,
  )
  const max =
    'ms_max = CASE WHEN rollups.ms_max > excluded.ms_max THEN rollups.ms_max ELSE excluded.ms_max END'
  await sql.insertMany(
    'rollups',
    {
      tenant: 'text',
      hour: 'bigint',
      shard: 'text',
      revision: 'bigint',
      hook: 'text',
      agent: 'text',
      decision: 'text',
      n: 'bigint',
      failures: 'bigint',
      ms_sum: 'double precision',
      ms_max: 'double precision',
      ...Object.fromEntries(DURATION_COLUMNS.map((name) => [name, 'bigint' as const])),
    },
    [...sums.entries()]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(
        ([
          ,
          {
            key: [hour, ...key],
            n,
            failures,
            sum,
            max,
            classes,
          },
        ]) => [tenant, hour, shard, ...key, n, failures, sum, max, ...classes],
      ),
    `ON CONFLICT (tenant, hour, shard, revision, hook, agent, decision) DO UPDATE SET ${[...added, max].join(', ')}`,
  )
}

function add(sums: Map<string, Sum>, key: Sum['key'], ms: number, failed: boolean): void {
  const text = JSON.stringify(key)
  let sum = sums.get(text)
  if (!sum)
    sums.set(text, (sum = { key, n: 0, failures: 0, sum: 0, max: 0, classes: DURATION_COLUMNS.map(() => 0) }))
  sum.n++
  if (failed) sum.failures++
  sum.sum += ms
  sum.max = Math.max(sum.max, ms)
  const place = DURATION_BOUNDS.findIndex((bound) => ms <= bound)
  sum.classes[place === -1 ? DURATION_BOUNDS.length : place]!++
}

function isFailed(status: string): boolean {
  return status === 'failed' || status === 'timed_out'
}
