/** Questions to a hub whose tables are full: 10,000 machines, ten million rows of the journal, a year of hourly sums. */

import pg from 'pg'
import { figure } from './crowd.ts'
import type { Figure } from './run.ts'
import { bytesOf, enrolByRows, percentile, startFleet, TENANT } from './setup.ts'

const ROUNDS = 40

export async function rows(count: number): Promise<Figure[]> {
  const fleet = await startFleet(1)
  try {
    await fleet.publish()
    const edges = await enrolByRows(fleet.url, 10_000)
    await fill(fleet.url, count)
    const time = async (path: string, isFilled: (answer: unknown) => boolean) => {
      const times: number[] = []
      for (let i = 0; i < ROUNDS; i++) {
        const began = performance.now()
        const answer = await fleet.admin.get(path)
        times.push(performance.now() - began)
        if (!isFilled(answer)) throw new Error(`${path} gave ${JSON.stringify(answer).slice(0, 200)}`)
      }
      return percentile(times, 0.95)
    }
    const some = (answer: unknown) => Array.isArray(answer) && answer.length > 0
    const hour = Date.now() - 3_600_000 * 24 * 20
    const figures: Figure[] = []
    const measure = async (name: string, path: string, isFilled = some) =>
      figures.push(
        figure(
          `${count.toLocaleString('en')} rows: ${name}, p95`,
          '< 500 ms',
          await time(path, isFilled),
          500,
          'ms',
        ),
      )
    await measure(
      'fleet status',
      '/v1/fleet/status',
      (answer) => (answer as { policies: unknown[] }).policies.length > 0,
    )
    await measure('newest denies', '/v1/fleet/journal?decision=deny&limit=100')
    await measure(
      'a hook in a day of last month',
      `/v1/fleet/journal?hook=hook-7&since=${hour}&until=${hour + 86_400_000}&limit=100`,
    )
    await measure('one machine', `/v1/fleet/journal?edge=${edges[77]!.id}&limit=100`)
    await measure('one agent and decision', '/v1/fleet/journal?agent=codex&decision=ask&limit=100')
    await measure(
      'analytics of 30 days by hook',
      `/v1/fleet/analytics?by=hook,decision&since=${Date.now() - 30 * 86_400_000}`,
    )
    await measure(
      'analytics of 7 days by hour',
      `/v1/fleet/analytics?by=hour,decision&of=events&since=${Date.now() - 7 * 86_400_000}`,
    )
    figures.push({
      measure: '… on the disk, with indexes',
      aim: '–',
      value: `${Math.round((await bytesOf(fleet.url, 'journal_rows')) / count)} bytes a row`,
      ok: true,
    })
    return figures
  } finally {
    await fleet.stop()
  }
}

/** The database generates the rows itself, because only reading is measured. */
async function fill(url: string, count: number): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query('SET synchronous_commit = off')
  await client.query("SET maintenance_work_mem = '512MB'")
  const indexes = await client.query<{ indexname: string; indexdef: string }>(
    "SELECT indexname, indexdef FROM pg_indexes WHERE tablename = 'journal_rows' AND indexname <> 'journal_rows_pkey'",
  )
  for (const { indexname } of indexes.rows) await client.query(`DROP INDEX ${indexname}`)
  // 30 days, most recent today, each in a partition as the hub makes them.
  const today = Math.floor(Date.now() / 86_400_000)
  for (let day = today - 30; day < today; day++)
    await client.query(
      `CREATE TABLE journal_rows_${day} PARTITION OF journal_rows FOR VALUES FROM (${day}) TO (${day + 1})`,
    )
  await client.query(
    `INSERT INTO journal_rows
     SELECT $1, floor(at / 86400000), 'sim' || lpad((n % 10000)::text, 8, '0'), 'e', n, at, (ARRAY['claude-code', 'codex', 'gemini-cli'])[1 + n % 3],
       'before_tool', 'Shell', (ARRAY['deny', 'ask', 'allow'])[1 + (n / 3) % 3], 'hook-' || (n % 40), 'blocked', 1,
       '{"seq":' || n || ',"event":"before_tool","session_id":"s","decision":"deny","hooks":[{"name":"hook","status":"blocked","duration_ms":1}]}'
     FROM (SELECT n, (extract(epoch FROM now()) * 1000)::bigint - ($2::bigint - n) * (30 * 86400000::bigint / $2::bigint) AS at
           FROM generate_series(1, $2::bigint) n) numbered`,
    [TENANT, count],
  )
  // PostgreSQL writes ON ONLY, which would leave the partitions without.
  for (const { indexdef } of indexes.rows) await client.query(indexdef.replace(' ON ONLY ', ' ON '))
  await client.query(
    `INSERT INTO rollups SELECT $1, h, 'hub', 1, CASE WHEN k = 0 THEN '' ELSE 'hook-' || k END, a, d, 500, 1, 900, 40, 300, 100, 50, 20, 10, 10, 5, 3, 1, 1, 0
     FROM generate_series((extract(epoch FROM now()) / 3600)::bigint - 24 * 365, (extract(epoch FROM now()) / 3600)::bigint) h,
       generate_series(0, 20) k, unnest(ARRAY['claude-code', 'codex', 'gemini-cli']) a, unnest(ARRAY['allow', 'deny']) d`,
    [TENANT],
  )
  await client.query(
    `INSERT INTO proofs SELECT $1, 'sim' || lpad(n::text, 8, '0'), a, '1.0', 5, 1, (n % 50 = 0)::int, '{}', 0
     FROM generate_series(0, 9999) n, unnest(ARRAY['claude-code', 'codex', 'gemini-cli']) a`,
    [TENANT],
  )
  await client.query('ANALYZE')
  await client.end()
}
