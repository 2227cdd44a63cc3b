import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { otherClient } from './grpc/testing.ts'
import { NO_LOG } from './log.ts'
import { place, runningDaemon, userHook } from './testing.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const TRACEPARENT = `00-${TRACE}-b7ad6b7169203331-01`
const EVENT = { event_type: 'before_tool', tool_name: 'Shell', tool_input: { command: 'ls' } }

interface ExportedSpan {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
}

interface ExportedMetric {
  name: string
  unit?: string
  sum?: { isMonotonic: boolean; dataPoints: { asDouble: number; attributes?: unknown[] }[] }
  gauge?: { dataPoints: { asDouble: number }[] }
  histogram?: { dataPoints: { count: string; bucketCounts: string[]; explicitBounds: number[] }[] }
}

interface Collector {
  endpoint: string
  spans: ExportedSpan[]
  metrics: ExportedMetric[][]
  headers: Record<string, unknown>[]
}

/** Stands in for a collector. */
async function collector(status = 200): Promise<Collector> {
  const spans: ExportedSpan[] = []
  const metrics: ExportedMetric[][] = []
  const headers: Record<string, unknown>[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => (text += chunk))
    request.once('end', () => {
      headers.push(request.headers)
      const { resourceSpans = [], resourceMetrics = [] } = JSON.parse(text)
      for (const { scopeSpans } of resourceSpans) for (const scope of scopeSpans) spans.push(...scope.spans)
      for (const { scopeMetrics } of resourceMetrics)
        for (const scope of scopeMetrics) metrics.push(scope.metrics)
      response.writeHead(status).end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    metrics,
    headers,
  }
}

test('an event is a span of its caller’s trace, a hook run is a span below it, and the hook is told', async () => {
  const { endpoint, spans } = await collector()
  const at = place()
  at.configure('crosshook/config.toml', `[daemon]\notlp_endpoint = "${endpoint}"\n`)
  userHook(at, 'guard', 'echo "$TRACEPARENT" >&2; exit 2')
  const { ask, daemon } = await runningDaemon({ at })
  const { body } = await ask('POST', '/v1/events', EVENT, { traceparent: TRACEPARENT })
  await daemon.stop()
  const event = spans.find(({ name }) => name === 'event before_tool')!
  const hook = spans.find(({ name }) => name === 'hook guard')!
  expect(event).toMatchObject({ traceId: TRACE, parentSpanId: 'b7ad6b7169203331' })
  expect(hook).toMatchObject({ traceId: TRACE, parentSpanId: event.spanId })
  expect(body.reason).toBe(`00-${TRACE}-${event.spanId}-01`)
})

test('without a collector the caller’s trace still reaches the hooks, from every door', async () => {
  const at = place()
  userHook(at, 'guard', 'echo "$TRACEPARENT" >&2; exit 2')
  const { ask, fire, daemon, token } = await runningDaemon({ at })
  expect((await ask('POST', '/v1/events', EVENT, { traceparent: TRACEPARENT })).body.reason).toBe(TRACEPARENT)
  expect(await fire({ ...EVENT, context: { traceparent: TRACEPARENT } })).toMatchObject({
    reason: TRACEPARENT,
  })
  const payload = {
    session_id: 's',
    cwd: at.root,
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: {},
  }
  const agent = await ask('POST', '/v1/agents/claude-code/PreToolUse', payload, { traceparent: TRACEPARENT })
  expect(JSON.stringify(agent.body)).toContain(TRACEPARENT)
  const client = otherClient(daemon.status.grpc, token)
  const hook_id = await client.register('PreToolUse')
  const stream = await client.stream(() => ({ action: 'CONTINUE' }))
  await ask('POST', '/v1/events', EVENT, { traceparent: TRACEPARENT })
  expect(hook_id).toBe(stream.events[0]!.hook_id)
  expect(stream.events[0]!.payload.metadata).toMatchObject({ traceparent: TRACEPARENT })
})

test('tracestate of the caller is passed on, and invalid trace headers are not', async () => {
  const at = place()
  userHook(at, 'guard', 'echo "$TRACEPARENT|$TRACESTATE" >&2; exit 2')
  const { ask } = await runningDaemon({ at })
  const reason = async (headers: Record<string, string>) =>
    (await ask('POST', '/v1/events', EVENT, headers)).body.reason
  expect(await reason({ traceparent: TRACEPARENT, tracestate: 'vendor=1' })).toBe(`${TRACEPARENT}|vendor=1`)
  expect(await reason({ traceparent: 'nonsense', tracestate: 'vendor=1' })).toBe('|')
  const payload = { session_id: 's', cwd: at.root, hook_event_name: 'PreToolUse', tool_name: 'Bash' }
  const path = '/v1/agents/claude-code/PreToolUse'
  const agent = await ask(
    'POST',
    path,
    { ...payload, tool_input: { command: 'ls' } },
    { traceparent: 'nonsense' },
  )
  expect(JSON.stringify(agent.body)).toContain('"|"')
})

test('metrics are sent to the collector, with the headers that it asks for', async () => {
  const { endpoint, metrics, headers } = await collector()
  const at = place()
  at.env.OTEL_METRIC_EXPORT_INTERVAL = '100'
  at.env.OTEL_EXPORTER_OTLP_HEADERS = 'x-key=some%20key'
  at.configure('crosshook/config.toml', `[daemon]\notlp_endpoint = "${endpoint}/v1/traces"\n`)
  userHook(at, 'guard', 'exit 2')
  const { fire, daemon } = await runningDaemon({ at })
  await fire(EVENT)
  await fire({ ...EVENT, event_type: 'session_start' })
  await expect.poll(() => metrics.length).toBeGreaterThan(1)
  await daemon.stop()
  const last = metrics.at(-1)!
  const named = (name: string) => last.find((metric) => metric.name === `crosshook.${name}`)!
  expect(named('events').sum).toMatchObject({
    isMonotonic: true,
    dataPoints: [
      { asDouble: 1, attributes: [{ key: 'crosshook.decision', value: { stringValue: 'allow' } }] },
      { asDouble: 0 },
      { asDouble: 1, attributes: [{ key: 'crosshook.decision', value: { stringValue: 'deny' } }] },
    ],
  })
  expect(named('open_streams').gauge).toMatchObject({ dataPoints: [{ asDouble: 0 }] })
  const [durations] = named('event_duration_seconds').histogram!.dataPoints
  expect(durations).toMatchObject({ count: '2' })
  expect(durations!.bucketCounts).toHaveLength(durations!.explicitBounds.length + 1)
  expect(durations!.bucketCounts.reduce((sum, count) => sum + Number(count), 0)).toBe(2)
  expect(headers.at(-1)).toMatchObject({ 'x-key': 'some key' })
})

test.for([
  ['is away', undefined],
  ['refuses', 400],
] as const)(
  'a collector that %s is told once, and does not keep the daemon from stopping',
  async ([, status]) => {
    const endpoint = status === undefined ? 'http://127.0.0.1:1' : (await collector(status)).endpoint
    const at = place()
    at.configure('crosshook/config.toml', `[daemon]\notlp_endpoint = "${endpoint}"\n`)
    const lines: string[] = []
    const { fire, daemon } = await runningDaemon({ at, log: { ...NO_LOG, warn: (line) => lines.push(line) } })
    for (let i = 0; i < 5; i++) await fire(EVENT)
    const started = performance.now()
    await daemon.stop()
    expect(performance.now() - started).toBeLessThan(9500)
    expect(lines).toEqual([
      expect.stringMatching(/could not be sent to http:.* and are lost: .+ Is the collector/),
    ])
  },
)
