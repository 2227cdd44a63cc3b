/** Sends spans to an OpenTelemetry collector. Loaded only where one is configured. */

import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { VERSION } from '../version.ts'
import type { Tracing } from './telemetry.ts'

/** `endpoint` is that of the collector, such as http://127.0.0.1:4318. */
export function startExport(endpoint: string): Tracing {
  const url = endpoint.endsWith('/v1/traces') ? endpoint : `${endpoint.replace(/\/$/, '')}/v1/traces`
  const resource = defaultResource().merge(
    resourceFromAttributes({ 'service.name': 'crosshook', 'service.version': VERSION }),
  )
  const provider = new TracerProvider({
    resource,
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url }) })],
  })
  return {
    tracer: provider.getTracer('crosshook', VERSION),
    propagator: new W3CTraceContextPropagator(),
    close: () => provider.shutdown(),
  }
}
