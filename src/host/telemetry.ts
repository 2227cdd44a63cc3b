/** Traces and metrics: one span per event and per hook run. Without an endpoint they cost nothing. */

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
import type { Observer } from '../pipeline/run/observe.ts'
import type { HookEvent } from '../spec/event.ts'
import type { Hook } from '../spec/hook.ts'
import type { Log } from './log.ts'
import type { Measurement } from './measurements.ts'

export interface Telemetry {
  readonly observer: Observer
  /** Exports measurements periodically. */
  measure(startedAt: number, read: () => Promise<readonly Measurement[]>): void
  /** Exports the rest. */
  close(): Promise<void>
}

export interface Tracing extends Omit<Telemetry, 'observer'> {
  tracer: Tracer
  propagator: TextMapPropagator
}

export async function openTelemetry(
  endpoint: string | undefined,
  env: NodeJS.ProcessEnv,
  log: Log,
): Promise<Telemetry> {
  if (endpoint === undefined) return { observer: {}, measure() {}, close: async () => {} }
  const { startExport } = await import('./telemetry-export.ts')
  const { tracer, propagator, ...rest } = startExport(endpoint, env, log)
  return { observer: traceObserver({ tracer, propagator }), ...rest }
}

export function traceObserver({ tracer, propagator }: Pick<Tracing, 'tracer' | 'propagator'>): Observer {
  const runs = new WeakMap<HookEvent, { span: Span; hooks: Map<Hook, Span> }>()
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
      // A copy, because the object belongs to the caller.
      event.context = { ...event.context }
      propagator.inject(trace.setSpan(parent, span), event.context, defaultTextMapSetter)
      runs.set(event, { span, hooks: new Map() })
    },
    over(event, { decision }) {
      runs.get(event)?.span.setAttribute('crosshook.decision', decision).end()
    },
    started(hook, event) {
      const attributes = {
        'crosshook.hook': hook.name,
        'crosshook.format': hook.format,
        'crosshook.scope': hook.scope,
      }
      runs.get(event)?.hooks.set(hook, tracer.startSpan(`hook ${hook.name}`, { attributes }, parentOf(event)))
    },
    ended(hook, entry, event) {
      const span = runs.get(event)?.hooks.get(hook)
      if (!span) return
      span.setAttributes({ 'crosshook.status': entry.status, 'crosshook.attempts': entry.attempts })
      if (entry.error !== null) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    },
  }
}
