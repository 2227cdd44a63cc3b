/** Searches events, newest first; and shows one event with everything about it. */

import type { SearchFilter, SearchResult } from '../../journal/port.ts'
import { momentOf } from '../../spec/duration.ts'
import { DECISIONS, type Decision } from '../../spec/outcome.ts'
import type { Core } from '../core.ts'
import { Refusal } from '../problem.ts'
import { oneEvent } from '../views/one-event.ts'
import type { RouteContext } from './routes.ts'

export const SEARCH_QUERY = [
  ...[
    'limit',
    'before',
    'session',
    'hook',
    'decision',
    'event',
    'agent',
    'tool',
    'project',
    'text',
    'failed',
  ],
  ...['since', 'until'],
] as const

const MAX_RECORDS = 500
/** Rows searched before other work gets its turn. */
const ROWS_AT_ONCE = 4000
/** How long one request searches. Then it answers with what it has, and `next` says where to go on. */
const SEARCH_LIMIT_MS = 200

export async function getSearch({ runtime }: Core, c: RouteContext): Promise<Response> {
  const query = c.req.query()
  const filter = filterOf(query)
  const limit = Math.min(wholeNumber(query.limit ?? '100', 'limit'), MAX_RECORDS)
  const journal = runtime.journal()
  const end = Date.now() + SEARCH_LIMIT_MS
  let before = query.before === undefined ? undefined : wholeNumber(query.before, 'before')
  const records: SearchResult['records'] = []
  for (;;) {
    const found = journal.search(filter, {
      limit: limit - records.length,
      rows: ROWS_AT_ONCE,
      ...(before === undefined ? {} : { before }),
    })
    records.push(...found.records)
    if (found.next === null || records.length >= limit || Date.now() > end)
      return c.json({ records, next: found.next, first: found.first, last: found.last })
    before = found.next
    await new Promise((resolve) => setImmediate(resolve))
  }
}

export async function getEvent({ runtime }: Core, c: RouteContext): Promise<Response> {
  const seq = wholeNumber(c.req.param('seq')!, 'the number of the record')
  const found = await oneEvent(runtime, seq)
  if (found) return c.json(found)
  throw new Refusal({
    status: 404,
    code: 'not_found',
    detail: `The journal has no record ${seq}.`,
    fix: 'It may have been removed because of its age: see `journal` in config.toml.',
  })
}

function filterOf(query: Record<string, string>): SearchFilter {
  const { session, hook, decision, event, agent, tool, project, text, failed, since, until } = query
  if (decision && !DECISIONS.includes(decision as Decision))
    throw wrong(`decision must be ${DECISIONS.join(', ')}`)
  return {
    ...(session ? { session } : {}),
    ...(hook ? { hook } : {}),
    ...(decision ? { decision: decision as Decision } : {}),
    ...(event ? { event } : {}),
    ...(agent ? { agent } : {}),
    ...(tool ? { tool } : {}),
    ...(project ? { project } : {}),
    ...(text ? { text } : {}),
    ...(failed ? { failed: failed !== 'false' } : {}),
    ...(since ? { since: dateOf(since, 'since') } : {}),
    ...(until ? { until: dateOf(until, 'until') } : {}),
  }
}

/** A time, or how long ago: `15m`, `24h`, `7d`. */
function dateOf(text: string, name: string): Date {
  const date = momentOf(text)
  if (!date) throw wrong(`${name} must be a date such as 2026-01-31T12:00:00Z, or 15m, 24h, 7d`)
  return date
}

function wholeNumber(text: string, name: string): number {
  if (!/^\d{1,15}$/.test(text)) throw wrong(`${name} must be a whole number`)
  return Number(text)
}

function wrong(detail: string): Refusal {
  return new Refusal({ status: 400, code: 'bad_input', detail: `${detail}.` })
}
