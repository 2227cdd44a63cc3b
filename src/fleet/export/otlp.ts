/** Records as OpenTelemetry logs: OTLP in JSON over HTTP, to any collector. */

import { CrosshookError, messageOf } from '../../spec/errors.ts'
import type { ExportedRecord } from './record-pages.ts'

export interface Collector {
  /** Such as http://127.0.0.1:4318; the path for logs may be included. */
  endpoint: string
  headers: Readonly<Record<string, string>>
  version: string
}

const LIMIT_MS = 30_000
const PAUSES_MS = [0, 1000, 4000]
/** Records per request. */
const MAX_RECORDS = 1000

/** Resolves when the collector has accepted all; throws when it does not. */
export async function sendLogs(collector: Collector, lines: readonly string[]): Promise<void> {
  const url = `${collector.endpoint.replace(/\/(?:v1\/logs)?\/?$/, '')}/v1/logs`
  for (let from = 0; from < lines.length; from += MAX_RECORDS) {
    const records = lines.slice(from, from + MAX_RECORDS).map((line) => JSON.parse(line) as ExportedRecord)
    await post(url, collector.headers, JSON.stringify(toOtlp(records, collector.version)))
  }
}

/** One resource for each machine, as collectors group them. */
export function toOtlp(records: readonly ExportedRecord[], version: string): object {
  const machines = Map.groupBy(records, ({ edge }) => edge)
  return {
    resourceLogs: [...machines].map(([edge, own]) => ({
      resource: {
        attributes: [
          text('service.name', 'crosshook'),
          text('service.instance.id', edge),
          text('host.name', own[0]!.machine),
        ],
      },
      scopeLogs: [{ scope: { name: 'crosshook', version }, logRecords: own.map(logRecord) }],
    })),
  }
}

/** https://opentelemetry.io/docs/specs/otel/logs/data-model/#field-severitynumber */
const SEVERITY = { allow: [9, 'INFO'], ask: [10, 'INFO2'], deny: [13, 'WARN'] } as const
const ERROR = [17, 'ERROR'] as const

function logRecord(record: ExportedRecord): object {
  const { at, event, decision, agent, tool_name, session_id, hooks, duration_ms } = record
  const hasFailed = hooks.some(({ status }) => status === 'failed' || status === 'timed_out')
  const [severityNumber, severityText] = hasFailed ? ERROR : SEVERITY[decision]
  const time = `${Date.parse(at)}000000`
  const given = {
    'crosshook.event': event,
    'crosshook.decision': decision,
    'crosshook.agent': agent,
    'crosshook.tool': tool_name,
    'crosshook.session_id': session_id,
    'crosshook.record_id': record.id,
    'crosshook.input_digest': record.input_digest,
    'crosshook.reason': record.reason,
    'crosshook.subject': record.subject,
    'crosshook.work_dir': record.work_dir,
    'crosshook.source': record.source,
  }
  return {
    timeUnixNano: time,
    observedTimeUnixNano: time,
    severityNumber,
    severityText,
    eventName: `crosshook.${event}`,
    body: { stringValue: [decision, event, tool_name].filter(Boolean).join(' ') },
    attributes: [
      ...Object.entries(given).flatMap(([key, value]) =>
        typeof value === 'string' ? [text(key, value)] : [],
      ),
      { key: 'crosshook.seq', value: { intValue: String(record.seq) } },
      { key: 'crosshook.policy_revision', value: { intValue: String(record.revision) } },
      { key: 'crosshook.duration_ms', value: { doubleValue: duration_ms } },
      {
        key: 'crosshook.hooks',
        value: {
          arrayValue: { values: hooks.map(({ name, status }) => ({ stringValue: `${name}: ${status}` })) },
        },
      },
    ],
  }
}

function text(key: string, value: string): object {
  return { key, value: { stringValue: value } }
}

async function post(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<void> {
  let why = ''
  for (const pause of PAUSES_MS) {
    await new Promise((resolve) => setTimeout(resolve, pause))
    try {
      const response = await fetch(url, {
        method: 'POST',
        redirect: 'error',
        headers: { 'content-type': 'application/json', ...headers },
        body,
        signal: AbortSignal.timeout(LIMIT_MS),
      })
      const said = (await response.text()).slice(0, 2000)
      if (response.ok) return refuseRejected(url, said)
      why = `it answers ${response.status}`
      if (response.status < 500 && response.status !== 429) break
    } catch (error) {
      if (error instanceof CrosshookError) throw error
      why = messageOf((error as Error).cause ?? error)
    }
  }
  throw notTaken(url, why)
}

/** A collector may accept a request and reject some of its records. */
function refuseRejected(url: string, said: string): void {
  let partial: { rejectedLogRecords?: string | number; errorMessage?: string } | undefined
  try {
    partial = (JSON.parse(said || '{}') as { partialSuccess?: typeof partial }).partialSuccess
  } catch {
    return // a response that is not JSON is not a rejection
  }
  if (Number(partial?.rejectedLogRecords ?? 0) > 0)
    throw notTaken(url, `it refuses ${partial!.rejectedLogRecords} records: ${partial!.errorMessage ?? ''}`)
}

function notTaken(url: string, why: string): CrosshookError {
  return new CrosshookError('refused', `The collector at ${url} did not take the records: ${why}`, {
    fix: 'Check --endpoint, and OTEL_EXPORTER_OTLP_HEADERS where it wants a key. With --bookmark the next export begins where this one ended.',
  })
}
