/** Ratios measured side by side: the cases take turns in one run, and medians are compared. */

export interface Row {
  what: string
  ratio: number
  target: string
}

type Case = () => Promise<unknown>

export async function ratioOf<Name extends string>(
  cases: Record<Name, Case>,
  { rounds, batch }: { rounds: number; batch: number },
): Promise<{ ratio: (a: Name, b: Name) => number; medians: Record<Name, number> }> {
  const names = Object.keys(cases) as Name[]
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>
  for (const name of names) for (let i = 0; i < batch; i++) await cases[name]()
  for (let round = 0; round < rounds; round++)
    for (const name of names) {
      const run = cases[name]
      const started = performance.now()
      for (let i = 0; i < batch; i++) await run()
      times[name].push((performance.now() - started) / batch)
    }
  if (process.env.BENCH_ABSOLUTE)
    for (const name of names) console.log(name, (median(times[name]) * 1000).toFixed(2), 'µs')
  const medians = Object.fromEntries(names.map((name) => [name, median(times[name])])) as Record<Name, number>
  return { medians, ratio: (a, b) => medians[a] / medians[b] }
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]!
}

export function table(rows: readonly Row[]): string {
  const width = Math.max(...rows.map((row) => row.what.length))
  return rows
    .map((row) => `${row.what.padEnd(width)}  ${row.ratio.toFixed(2).padStart(7)}  ${row.target}`)
    .join('\n')
}
