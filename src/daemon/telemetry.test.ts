import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { otherClient } from './grpc/testing.ts'
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

/** Stands in for a collector. */
async function collector(): Promise<{ endpoint: string; spans: ExportedSpan[] }> {
  const spans: ExportedSpan[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => (text += chunk))
    request.once('end', () => {
      for (const { scopeSpans } of JSON.parse(text).resourceSpans)
        for (const scope of scopeSpans) spans.push(...scope.spans)
      response.end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans }
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
