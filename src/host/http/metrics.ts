/** Metrics in Prometheus' text format. */

import type { Count, Histogram, Label, Measurement } from '../measurements.ts'

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
  return all.map(({ label, value }) => [labels(label), value])
}

function buckets({ bounds, series }: Histogram): Line[] {
  return series.flatMap(({ label, cumulative, count, sum }): Line[] => [
    ...bounds.map((bound, i): Line => [`_bucket${labels(label, ['le', String(bound)])}`, cumulative[i]!]),
    [`_bucket${labels(label, ['le', '+Inf'])}`, count],
    [`_sum${labels(label)}`, sum],
    [`_count${labels(label)}`, count],
  ])
}

/** Hook names are free text: a quote or line break in one must not start another series. */
function labels(...given: readonly (Label | undefined)[]): string {
  const texts = given.flatMap((label) => (label ? [`${label[0]}="${escaped(label[1])}"`] : []))
  return texts.length === 0 ? '' : `{${texts.join(',')}}`
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}
