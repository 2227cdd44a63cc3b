/** The caller's trace, in the two headers of W3C Trace Context. */

export interface Trace {
  traceparent: string
  tracestate?: string
}

/** Undefined when there is none that could be passed on. */
export function readTrace(header: (name: string) => string | null | undefined): Trace | undefined {
  const traceparent = header('traceparent')
  if (typeof traceparent !== 'string' || !TRACEPARENT.test(traceparent)) return undefined
  const tracestate = header('tracestate')
  return typeof tracestate === 'string' && TRACESTATE.test(tracestate)
    ? { traceparent, tracestate }
    : { traceparent }
}

/** Put into the event's context, unless the event has its own. */
export function withTrace(given: Record<string, unknown>, trace: Trace | undefined): Record<string, unknown> {
  if (trace === undefined) return given
  const own = given.context
  if (typeof own !== 'object' || own === null || Array.isArray(own)) return { ...given, context: trace }
  return 'traceparent' in own ? given : { ...given, context: { ...own, ...trace } }
}

const TRACEPARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(?:-[\x21-\x7e]{0,200})?$/
/** The specification requires room for 512 characters. */
const TRACESTATE = /^[\x20-\x7e]{1,512}$/
