/** Traces: one span for each event, one for each hook that runs. Without an endpoint they cost nothing. */

import {
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type TextMapPropagator,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import type { Observer } from '../runtime/observe.ts'
import type { HookEvent } from '../spec/event.ts'
import type { Hook } from '../spec/hook.ts'

export interface Telemetry {
  readonly observer: Observer
  /** Sends what is left. */
  close(): Promise<void>
}

export interface Tracing {
  tracer: Tracer
  propagator: TextMapPropagator
  close(): Promise<void>
}

export async function openTelemetry(endpoint: string | undefined): Promise<Telemetry> {
  if (endpoint === undefined) return { observer: {}, close: async () => {} }
  const { startExport } = await import('./telemetry-export.ts')
  const tracing = startExport(endpoint)
  return { observer: traceObserver(tracing), close: () => tracing.close() }
}

/** The caller's trace travels in the event's context, unless the event brings its own. */
export function withTraceparent(
  given: Record<string, unknown>,
  traceparent: string | undefined,
): Record<string, unknown> {
  if (traceparent === undefined || !TRACEPARENT.test(traceparent)) return given
  const own = given.context
  if (typeof own !== 'object' || own === null || Array.isArray(own))
    return { ...given, context: { traceparent } }
  return { ...given, context: { traceparent, ...own } }
}

const TRACEPARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?$/

export function traceObserver({ tracer, propagator }: Tracing): Observer {
  const runs = new WeakMap<HookEvent, Map<Hook, Span>>()
  const parentOf = ({ context }: HookEvent) => propagator.extract(ROOT_CONTEXT, context, defaultTextMapGetter)
  return {
    event(event) {
      const parent = parentOf(event)
      const attributes = {
        'crosshook.event': event.event_type,
        'crosshook.session_id': event.session_id,
        ...(event.agent === undefined ? {} : { 'crosshook.agent': event.agent }),
        ...(typeof event.tool_name === 'string' ? { 'crosshook.tool': event.tool_name } : {}),
      }
      const span = tracer.startSpan(
        `event ${event.event_type}`,
        { kind: SpanKind.SERVER, attributes },
        parent,
      )
      // A copy: the caller's object is not ours to change.
      event.context = { ...event.context }
      propagator.inject(trace.setSpan(parent, span), event.context, defaultTextMapSetter)
      runs.set(event, new Map())
      return ({ decision }) => {
        span.setAttribute('crosshook.decision', decision)
        span.end()
      }
    },
    started(hook, event) {
      const attributes = {
        'crosshook.hook': hook.name,
        'crosshook.format': hook.format,
        'crosshook.scope': hook.scope,
      }
      runs.get(event)?.set(hook, tracer.startSpan(`hook ${hook.name}`, { attributes }, parentOf(event)))
    },
    ended(hook, entry, event) {
      const span = runs.get(event)?.get(hook)
      if (!span) return
      span.setAttributes({ 'crosshook.status': entry.status, 'crosshook.attempts': entry.attempts })
      if (entry.error !== null) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    },
  }
}
