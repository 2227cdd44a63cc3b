/** Records through two hubs into PostgreSQL with fsync: batches of many machines, then all of it sent again. */

import { createClient } from '../../src/fleet/hub-client.ts'
import { beginning, chainOn, encodeBatch } from '../../src/fleet/wire/batch.ts'
import type { Figure } from './run.ts'
import { bytesOf, enrolByRows, startFleet, TENANT } from './setup.ts'

const BATCH = 200
const MACHINES = 50

export async function journal(perSecondAim: number): Promise<Figure[]> {
  const fleet = await startFleet(2)
  try {
    const edges = await enrolByRows(fleet.url, MACHINES)
    const rounds = 40
    // Prepared before the measurement: in a fleet the machines do this work.
    const batches = edges.map((edge, machine) => {
      let prev = beginning(edge.id, 'e')
      return Array.from({ length: rounds }, (_, round) => {
        const first = round * BATCH + 1
        const lines = Array.from({ length: BATCH }, (_, i) => recordLine(machine, first + i))
        const body = encodeBatch({ version: 1, epoch: 'e', first, prev, revision: 1, lines })
        prev = chainOn(prev, lines)
        return body
      })
    })
    const clients = edges.map((edge, i) =>
      createClient(edge.key, { url: fleet.hubs[i % 2]!.url, tenant: TENANT, id: edge.id }),
    )
    const send = async (list: typeof batches) => {
      const began = performance.now()
      await Promise.all(
        list.map(async (own, machine) => {
          for (const body of own) await clients[machine]!.call('POST', '/fleet/journal', body)
        }),
      )
      return (performance.now() - began) / 1000
    }
    const total = MACHINES * rounds * BATCH
    const seconds = await send(batches)
    await send(batches.map((own) => own.slice(-10)))
    const [sum] = await fleet.admin.get<{ n: number }[]>('/v1/fleet/analytics?by=&of=events&since=0')
    const stored = sum!.n
    return [
      {
        measure: `journal, deduplicated and durable (${total} records, 1 in 10 not a plain allow)`,
        aim: '≥ 10,000 rows/s',
        value: `${Math.round(total / seconds)} rows/s`,
        ok: total / seconds >= Math.min(10_000, perSecondAim),
      },
      {
        measure: '… on the disk: batches, and rows of what was not a plain allow',
        aim: '–',
        value: `${Math.round((await bytesOf(fleet.url, 'journal_batches')) / total)} and ${Math.round((await bytesOf(fleet.url, 'journal_rows')) / (total / 10))} bytes each`,
        ok: true,
      },
      {
        measure: `${MACHINES * 10 * BATCH} records sent again`,
        aim: '0 new',
        value: `${stored - total} new`,
        ok: stored === total,
      },
    ]
  } finally {
    await fleet.stop()
  }
}

export function recordLine(machine: number, seq: number): string {
  const isDenied = seq % 10 === 0
  return JSON.stringify({
    seq,
    id: `${machine}-${seq}`,
    at: new Date(Date.now() - 3_600_000 + seq).toISOString(),
    event: 'before_tool',
    agent: ['claude-code', 'codex', 'gemini-cli'][machine % 3],
    session_id: `session-${machine}-${Math.floor(seq / 50)}`,
    tool_name: 'Shell',
    decision: isDenied ? 'deny' : 'allow',
    duration_ms: (seq % 37) / 3,
    source: 'hook',
    input_digest: `sha256:${String(seq * 7919).padStart(64, '0')}`,
    hooks: [
      { name: 'no-danger', status: isDenied ? 'blocked' : 'allowed', duration_ms: 0.4 },
      { name: 'audit', status: 'allowed', duration_ms: 3.1 },
    ],
  })
}
