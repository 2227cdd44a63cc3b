import { expect, test } from 'vitest'
import { readTrace, withTrace } from './trace.ts'

const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

test('only what the W3C allows is passed on', () => {
  const read = (headers: Record<string, string>) => readTrace((name) => headers[name])
  expect(read({ traceparent: TRACEPARENT, tracestate: 'vendor=1' })).toEqual({
    traceparent: TRACEPARENT,
    tracestate: 'vendor=1',
  })
  expect(read({ traceparent: TRACEPARENT, tracestate: 'a\nb' })).toEqual({ traceparent: TRACEPARENT })
  expect(read({ traceparent: TRACEPARENT, tracestate: 'x'.repeat(513) })).toEqual({
    traceparent: TRACEPARENT,
  })
  expect(read({ traceparent: 'nonsense', tracestate: 'vendor=1' })).toBeUndefined()
  expect(read({ traceparent: `${TRACEPARENT}-${'x'.repeat(10_000)}` })).toBeUndefined()
})

test('an event that brings its own trace keeps it whole', () => {
  const own = { context: { traceparent: 'its own', more: 1 } }
  const trace = { traceparent: TRACEPARENT, tracestate: 'vendor=1' }
  expect(withTrace(own, trace)).toEqual(own)
  expect(withTrace({ context: { more: 1 } }, trace)).toEqual({ context: { more: 1, ...trace } })
  expect(withTrace({ context: 3 }, trace)).toEqual({ context: trace })
})
