/** The text that Prometheus reads. */

import type { Count, Histogram, Measurement } from '../measurements.ts'

export function metricsText(measurements: readonly Measurement[]): string {
  const lines = measurements.flatMap(({ name, help, value }) => {
    const full = `crosshook_${name}`
    const values = value.type === 'histogram' ? buckets(value) : points(value)
    return [
      `# HELP ${full} ${help}`,
      `# TYPE ${full} ${value.type}`,
      ...values.map(([labels, number]) => `${full}${labels} ${number}`),
    ]
  })
  return `${lines.join('\n')}\n`
}

type Line = readonly [labels: string, value: number]

function points({ points: all }: Count): Line[] {
  return all.map(({ label, value }) => [label ? `{${label[0]}="${label[1]}"}` : '', value])
}

function buckets({ bounds, cumulative, count, sum }: Histogram): Line[] {
  return [
    ...bounds.map((bound, i): Line => [`_bucket{le="${bound}"}`, cumulative[i]!]),
    ['_bucket{le="+Inf"}', count],
    ['_sum', sum],
    ['_count', count],
  ]
}
