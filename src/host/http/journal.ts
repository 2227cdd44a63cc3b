/** The journal over HTTP: past records, and new ones as they come. */

import { streamSSE } from 'hono/streaming'
import type { JournalFilter } from '../../journal/port.ts'
import { DECISIONS, type Decision } from '../../spec/outcome.ts'
import type { Core } from '../core.ts'
import { Refusal } from '../problem.ts'
import type { RouteContext } from './routes.ts'

const MAX_RECORDS = 1000
const HEARTBEAT_MS = 15_000

export function getJournal({ runtime }: Core, c: RouteContext): Response {
  return c.json({ records: runtime.journal().list({ limit: 100, ...filter(c) }) })
}

/** Server-sent events. The id is the record's number, so that a client can continue where it stopped. */
export function getStream(core: Core, c: RouteContext): Response {
  const { limit: _limit, ...wanted } = filter(c)
  const last = c.req.header('last-event-id')
  const after = last === undefined ? wanted.after : wholeNumber(last, 'Last-Event-ID')
  return streamSSE(c, async (stream) => {
    const over = new AbortController()
    stream.onAbort(() => over.abort())
    core.closing.addEventListener('abort', () => over.abort(), { signal: over.signal })
    const beat = setInterval(
      () => void stream.writeSSE({ event: 'heartbeat', data: '{"type":"heartbeat"}' }),
      HEARTBEAT_MS,
    )
    try {
      // Sent at once, so that the client knows that the stream is open.
      await stream.writeSSE({ event: 'heartbeat', data: '{"type":"heartbeat"}' })
      const records = core.runtime
        .journal()
        .follow({ ...wanted, ...(after === undefined ? {} : { after }) }, over.signal)
      for await (const record of records)
        await stream.writeSSE({ event: 'record', id: String(record.seq), data: JSON.stringify(record) })
    } finally {
      clearInterval(beat)
    }
  })
}

function filter(c: RouteContext): JournalFilter {
  const { limit, after, session, hook, decision, event, since } = c.req.query()
  if (decision !== undefined && !DECISIONS.includes(decision as Decision))
    throw wrong(`decision must be ${DECISIONS.join(', ')}`)
  const from = since === undefined ? undefined : new Date(since)
  if (from && Number.isNaN(from.getTime())) throw wrong('since must be a date such as 2026-01-31T12:00:00Z')
  return {
    ...(limit === undefined ? {} : { limit: Math.min(wholeNumber(limit, 'limit'), MAX_RECORDS) }),
    ...(after === undefined ? {} : { after: wholeNumber(after, 'after') }),
    ...(session === undefined ? {} : { session }),
    ...(hook === undefined ? {} : { hook }),
    ...(decision === undefined ? {} : { decision: decision as Decision }),
    ...(event === undefined ? {} : { event }),
    ...(from ? { since: from } : {}),
  }
}

function wholeNumber(text: string, name: string): number {
  if (!/^\d{1,15}$/.test(text)) throw wrong(`${name} must be a whole number`)
  return Number(text)
}

function wrong(detail: string): Refusal {
  return new Refusal({ status: 400, code: 'bad_input', detail: `${detail}.` })
}
