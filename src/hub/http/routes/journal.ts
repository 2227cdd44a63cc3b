/** What machines recorded: searched, counted, exported. */

import { decodeBatch } from '../../../fleet/wire/batch.ts'
import { CrosshookError } from '../../../spec/errors.ts'
import { edgesNamed } from '../../store/edges.ts'
import {
  ANALYTICS_BY,
  type AnalyticsBy,
  analytics,
  batchesAfter,
  findings,
  type RowFilter,
  searchRows,
} from '../../store/search.ts'
import { get, limitIn, type PersonCall, type PersonRoute } from '../route.ts'

const TEXTS = ['edge', 'agent', 'hook', 'decision', 'event', 'tool'] as const
const TIMES = ['since', 'until'] as const

export const JOURNAL_ROUTES: readonly PersonRoute[] = [
  get('/v1/fleet/journal', 'What was not a plain allow, newest first', journal, [
    ...TEXTS,
    ...TIMES,
    'limit',
  ]),
  get('/v1/fleet/findings', 'Gaps in journals, and records that were altered', listFindings),
  get('/v1/fleet/export', 'Every record, page by page', exportPage, ['after', 'settled']),
  get('/v1/fleet/analytics', 'Sums per hour, hook, agent and decision', counts, ['by', 'since', 'of']),
]

async function journal({ hub, person: { tenant }, url }: PersonCall) {
  const filter: RowFilter = { limit: limitIn(url, 100, 1000) }
  for (const name of TEXTS) {
    const value = url.searchParams.get(name)
    if (value) filter[name] = value
  }
  for (const name of TIMES) {
    const value = url.searchParams.get(name)
    if (value !== null && Number.isFinite(Number(value))) filter[name] = Number(value)
  }
  return hub.db.within(tenant, async (sql) => {
    const rows = await searchRows(sql, tenant, filter)
    const names = await edgesNamed(sql, tenant, [...new Set(rows.map(({ edge }) => edge))])
    return rows.map(({ body, ...row }) => ({
      ...row,
      machine: names.get(row.edge)?.name ?? row.edge,
      record: JSON.parse(body) as unknown,
    }))
  })
}

async function listFindings({ hub, person: { tenant } }: PersonCall) {
  return hub.db.within(tenant, async (sql) => {
    const rows = await findings(sql, tenant)
    const names = await edgesNamed(sql, tenant, [...new Set(rows.map(({ edge }) => edge))])
    return rows.map((row) => ({ ...row, machine: names.get(row.edge)?.name ?? row.edge }))
  })
}

/** Another hub may still be writing earlier records: an export that continues from its end leaves out the newest. */
const SETTLED_MS = 60_000

/** The cursor is the last batch returned: time of arrival, machine, first record. */
async function exportPage({ hub, person: { tenant }, url }: PersonCall) {
  const [at = '0', edge = '', seq = '0'] = (url.searchParams.get('after') ?? '0').split('/')
  const until = url.searchParams.get('settled') === '1' ? Date.now() - SETTLED_MS : undefined
  const { batches, names } = await hub.db.within(tenant, async (sql) => {
    const after = { at: Number(at) || 0, edge, seq: Number(seq) || 0 }
    const batches = await batchesAfter(sql, tenant, after, until)
    return { batches, names: await edgesNamed(sql, tenant, [...new Set(batches.map((each) => each.edge))]) }
  })
  const last = batches.at(-1)
  return {
    lines: batches.flatMap(({ edge, revision, bytes }) => {
      const about = JSON.stringify({ edge, machine: names.get(edge)?.name ?? '', revision }).slice(0, -1)
      return decodeBatch(bytes).lines.map((line) => `${about},${line.slice(1)}`)
    }),
    next: last ? `${last.received_at}/${last.edge}/${last.first_seq}` : null,
  }
}

async function counts({ hub, person: { tenant }, url }: PersonCall) {
  const by = (url.searchParams.get('by') ?? 'hook,decision').split(',').filter((name) => name !== '')
  const wrong = by.find((name) => !(ANALYTICS_BY as readonly string[]).includes(name))
  if (wrong !== undefined)
    throw new CrosshookError('usage', `Nothing is counted by "${wrong}".`, {
      fix: `Use ${ANALYTICS_BY.join(', ')}.`,
    })
  const since = Number(url.searchParams.get('since') ?? Date.now() - 7 * 86_400_000)
  const events = url.searchParams.get('of') === 'events'
  return hub.db.within(tenant, (sql) => analytics(sql, tenant, { by: by as AnalyticsBy[], since, events }))
}
