/** Sends measurements to an OpenTelemetry collector, as OTLP in JSON. */

import { messageOf } from '../spec/errors.ts'
import { VERSION } from '../version.ts'
import type { Measurement } from './measurements.ts'

export interface MetricsOptions {
  url: string
  headers: Readonly<Record<string, string>>
  /** Milliseconds between two exports. */
  every: number
  startedAt: number
  read(): Promise<readonly Measurement[]>
  failed(why: string): void
}

/** The returned function exports once more and stops. */
export function startMetrics({
  url,
  headers,
  every,
  startedAt,
  read,
  failed,
}: MetricsOptions): () => Promise<void> {
  const send = async () => {
    try {
      const body = JSON.stringify(toOtlp(await read(), startedAt, Date.now()))
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
        signal: AbortSignal.timeout(SEND_LIMIT_MS),
      })
      await response.body?.cancel()
      if (!response.ok) failed(`HTTP ${response.status}`)
    } catch (error) {
      failed(error instanceof Error && error.cause ? messageOf(error.cause) : messageOf(error))
    }
  }
  const timer = setInterval(() => void send(), every).unref()
  return async () => {
    clearInterval(timer)
    await send()
  }
}

const SEND_LIMIT_MS = 10_000
/** OTLP's value for sums and histograms since their start. */
const CUMULATIVE = 2

function toOtlp(measurements: readonly Measurement[], startedAt: number, now: number): object {
  const text = (key: string, value: string) => ({ key, value: { stringValue: value } })
  const times = { timeUnixNano: nanoseconds(now) }
  const since = { startTimeUnixNano: nanoseconds(startedAt), ...times }
  const metrics = measurements.map(({ name, help, value }) => {
    const about = { name: `crosshook.${name.replace(/_total$/, '')}`, description: help }
    if (value.type === 'histogram') {
      const dataPoints = value.series.map(({ label, cumulative, count, sum }) => {
        const own = [...cumulative, count].map((upTo, i) => String(upTo - (cumulative[i - 1] ?? 0)))
        const point = { count: String(count), sum, bucketCounts: own, explicitBounds: value.bounds }
        // For a hook: since the journal began, which is not known here.
        return label
          ? { ...times, attributes: [text(`crosshook.${label[0]}`, label[1])], ...point }
          : { ...since, ...point }
      })
      return { ...about, unit: 's', histogram: { aggregationTemporality: CUMULATIVE, dataPoints } }
    }
    const dataPoints = value.points.map(({ label, value: asDouble }) => ({
      ...(value.ownOnly ? since : times),
      ...(label ? { attributes: [text(`crosshook.${label[0]}`, label[1])] } : {}),
      asDouble,
    }))
    return value.type === 'gauge'
      ? { ...about, gauge: { dataPoints } }
      : { ...about, sum: { aggregationTemporality: CUMULATIVE, isMonotonic: true, dataPoints } }
  })
  const resource = { attributes: [text('service.name', 'crosshook'), text('service.version', VERSION)] }
  const scope = { name: 'crosshook', version: VERSION }
  return { resourceMetrics: [{ resource, scopeMetrics: [{ scope, metrics }] }] }
}

function nanoseconds(milliseconds: number): string {
  return `${Math.round(milliseconds)}000000`
}
