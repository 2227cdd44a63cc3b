/** Sends spans and metrics to an OpenTelemetry collector. Loaded only when one is configured. */

import { type ExportResult, ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace'
import { messageOf } from '../spec/errors.ts'
import { VERSION } from '../version.ts'
import type { Log } from './log.ts'
import type { Measurement } from './measurements.ts'
import type { Tracing } from './telemetry.ts'
import { headersIn } from './telemetry-headers.ts'
import { startMetrics } from './telemetry-metrics.ts'

/** How often to export; also how often a failure is logged, so that an absent collector does not fill the log. */
const EXPORT_EVERY_MS = 60_000
/** Time to send the rest when the daemon stops. */
const LAST_EXPORT_LIMIT_MS = 2000

/** `endpoint` is the collector's, such as http://127.0.0.1:4318; the path for traces may be included. */
export function startExport(endpoint: string, env: NodeJS.ProcessEnv, log: Log): Tracing {
  const base = endpoint.replace(/\/(?:v1\/traces)?\/?$/, '')
  const resource = defaultResource().merge(
    resourceFromAttributes({ 'service.name': 'crosshook', 'service.version': VERSION }),
  )
  let toldAt = Number.NEGATIVE_INFINITY
  const lost = (what: string, why: string) => {
    if (performance.now() - toldAt < EXPORT_EVERY_MS) return
    toldAt = performance.now()
    log.warn(`${what} could not be sent to ${base} and are lost: ${why}. Is the collector running?`)
  }
  const headers = headersIn(env)
  const exporter = telling(new OTLPTraceExporter({ url: `${base}/v1/traces`, headers }), lost)
  const provider = new TracerProvider({ resource, spanProcessors: [new BatchSpanProcessor({ exporter })] })
  let endMetrics = async () => {}
  return {
    tracer: provider.getTracer('crosshook', VERSION),
    propagator: new W3CTraceContextPropagator(),
    measure(startedAt: number, read: () => Promise<readonly Measurement[]>) {
      endMetrics = startMetrics({
        url: `${base}/v1/metrics`,
        headers,
        every: Number(env.OTEL_METRIC_EXPORT_INTERVAL) || 60_000,
        startedAt,
        read,
        failed: (why) => lost('metrics', why),
      })
    },
    async close() {
      const sent = Promise.all([provider.shutdown(), endMetrics()]).catch((error) =>
        lost('the last spans', messageOf(error)),
      )
      await Promise.race([sent, new Promise((resolve) => setTimeout(resolve, LAST_EXPORT_LIMIT_MS).unref())])
    },
  }
}

/** Logs what is lost, which the library does not. */
function telling(exporter: SpanExporter, lost: (what: string, why: string) => void): SpanExporter {
  return {
    export(spans, done) {
      exporter.export(spans, (result: ExportResult) => {
        if (result.code !== ExportResultCode.SUCCESS)
          lost(`${spans.length} spans`, result.error ? messageOf(result.error) : 'the collector refuses them')
        done(result)
      })
    },
    shutdown: () => exporter.shutdown(),
    ...(exporter.forceFlush ? { forceFlush: () => exporter.forceFlush!() } : {}),
  }
}
