/** How often hooks ran, what they decided, how long they took and what they cost. */

import { useMemo, useState } from 'preact/hooks'
import { get } from '../api.ts'
import { useLoad } from '../load.ts'
import { filterBy, link, query } from '../router.ts'
import { Chip } from '../ui/chip.tsx'
import { Empty, ProblemBox } from '../ui/empty.tsx'
import { FilterBar } from '../ui/filters.tsx'
import { Plot, type Series } from '../ui/plot.tsx'
import { Sparkline } from '../ui/sparkline.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { Text } from '../ui/text.tsx'
import { duration } from '../ui/time.tsx'

interface Sum {
  by: Record<string, string>
  runs: number
  denies: number
  asks: number
  overrides: number
  rewrites: number
  failures: number
  cost_usd: number
  noise: number | null
  p50: number | null
  p95: number | null
  p99: number | null
}

interface Named {
  name: string
  events: number
}

interface Stats {
  since: string
  events: number
  by: Record<'decision' | 'agent' | 'tool' | 'project' | 'day', Named[]>
  hooks: (Omit<Sum, 'by'> & { hook: string; slices: number[] })[]
  total: Omit<Sum, 'by' | 'noise'>
  never_matched: string[]
}

const SPANS = ['24h', '7d', '30d', '90d'] as const
const DIMENSIONS = ['hook', 'agent', 'tool', 'project', 'day'] as const
const SLICES = 30
/** A hook whose questions are allowed this often asks too much. */
const MIN_NOISY_SHARE = 0.9
const MIN_ASKS = 5

export function View() {
  const { since = '7d', by = 'hook', hook, agent, tool, project } = query.value
  const filter = { since, hook, agent, tool, project }
  const unit = since === '24h' ? 'hour' : 'day'
  const on = [since, hook, agent, tool, project]
  const stats = useLoad<Stats>((signal) => get('/v1/stats', { ...filter, slices: SLICES }, signal), {
    on,
    every: 30_000,
  })
  const series = useLoad<{ rows: Sum[] }>(
    (signal) => get('/v1/stats/hooks', { ...filter, by: unit }, signal),
    { on, every: 30_000 },
  )
  const rows = useLoad<{ rows: Sum[] }>((signal) => get('/v1/stats/hooks', { ...filter, by }, signal), {
    on: [...on, by],
    every: 30_000,
  })
  const problem = stats.problem ?? series.problem ?? rows.problem
  const names = (dimension: 'agent' | 'tool' | 'project') =>
    stats.data?.by[dimension].map(({ name }) => name) ?? []
  return (
    <>
      <div class="head">
        <h1>Analytics</h1>
        <fieldset class="choices end">
          <legend class="unseen">How far back</legend>
          {SPANS.map((span) => (
            <label key={span}>
              <input
                type="radio"
                name="since"
                checked={since === span}
                onChange={() => filterBy({ since: span }, 'push')}
              />
              <span>{span}</span>
            </label>
          ))}
        </fieldset>
      </div>
      <FilterBar
        fields={[
          { name: 'hook', label: 'hook', options: stats.data?.hooks.map((each) => each.hook) ?? [] },
          { name: 'agent', label: 'agent', options: names('agent') },
          { name: 'tool', label: 'tool', options: names('tool') },
          { name: 'project', label: 'project', options: names('project') },
        ]}
      />
      {problem && <ProblemBox problem={problem} onRetry={stats.reload} />}
      {stats.data && stats.data.events === 0 && stats.data.hooks.length === 0 ? (
        <Empty title="Nothing was recorded in this time">
          <p>
            Hooks are counted when an agent calls them.{' '}
            <a href={link('gallery')}>Take some from the gallery</a>, or look further back.
          </p>
        </Empty>
      ) : (
        stats.data && (
          <>
            <Figures stats={stats.data} />
            {series.data && <Plots rows={series.data.rows} unit={unit} />}
            <Sums by={by} rows={rows.data?.rows ?? []} stats={stats.data} />
            <Silent stats={stats.data} />
          </>
        )
      )}
    </>
  )
}

function Figures({ stats: { events, total } }: { stats: Stats }) {
  const figures: [string, string, (string | undefined)?][] = [
    ['events', count(events)],
    ['runs of hooks', count(total.runs)],
    ['denied', count(total.denies), total.denies > 0 ? 'bad' : undefined],
    ['asked', total.asks === 0 ? '0' : `${count(total.asks)} (${percent(total.overrides / total.asks)} yes)`],
    ['rewrote', count(total.rewrites)],
    ['failed', count(total.failures), total.failures > 0 ? 'warn' : undefined],
    ['p95', duration(total.p95)],
    ['models', dollars(total.cost_usd)],
  ]
  return (
    <dl class="figures">
      {figures.map(([name, value, tone]) => (
        <div key={name} data-tone={tone}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

interface Zoom {
  from: number
  to: number
}

function Plots({ rows, unit }: { rows: readonly Sum[]; unit: 'hour' | 'day' }) {
  const [zoom, setZoom] = useState<Zoom>()
  const times = useMemo(() => rows.map((row) => Date.parse(row.by[unit]!) / 1000), [rows])
  const decisions = useMemo<Series[]>(
    () => [
      { label: 'runs', tone: 'soft', isBars: true, values: rows.map((row) => row.runs) },
      { label: 'denied', tone: 'bad', values: rows.map((row) => row.denies) },
      { label: 'asked', tone: 'warn', values: rows.map((row) => row.asks) },
      { label: 'failed', tone: 'accent', values: rows.map((row) => row.failures) },
    ],
    [rows],
  )
  const durations = useMemo<Series[]>(
    () => [
      { label: 'p50', tone: 'good', values: rows.map((row) => row.p50) },
      { label: 'p95', tone: 'warn', values: rows.map((row) => row.p95) },
      { label: 'p99', tone: 'bad', values: rows.map((row) => row.p99) },
    ],
    [rows],
  )
  if (rows.length === 0) return null
  const shown = zoom ? rows.filter((_, i) => times[i]! >= zoom.from && times[i]! <= zoom.to) : rows
  const moment: Column<Sum> = { head: unit, isName: true, cell: (row) => momentWords(row.by[unit]!, unit) }
  return (
    <div class="plots">
      <div>
        <Plot
          title="Decisions"
          times={times}
          series={decisions}
          words={(value) => count(value)}
          onZoom={setZoom}
        />
        <TableBelow caption="Decisions" columns={[moment, ...COUNTS]} rows={shown} unit={unit} />
      </div>
      <div>
        <Plot
          title="Time that hooks took"
          times={times}
          series={durations}
          words={(value) => duration(value)}
          onZoom={setZoom}
        />
        <TableBelow caption="Time that hooks took" columns={[moment, ...TIMES]} rows={shown} unit={unit} />
      </div>
    </div>
  )
}

function TableBelow({
  caption,
  columns,
  rows,
  unit,
}: {
  caption: string
  columns: Column<Sum>[]
  rows: readonly Sum[]
  unit: string
}) {
  return (
    <details class="below">
      <summary>
        Table: {rows.length} {unit}s
      </summary>
      <Table caption={caption} columns={columns} rows={rows} keyOf={(row) => row.by[unit]!} />
    </details>
  )
}

const COUNTS: Column<Sum>[] = [
  { head: 'runs', isNumber: true, cell: (row) => count(row.runs) },
  { head: 'denied', isNumber: true, cell: (row) => some(row.denies, 'bad') },
  { head: 'asked', isNumber: true, cell: (row) => some(row.asks, 'warn') },
  { head: 'rewrote', isNumber: true, cell: (row) => some(row.rewrites, 'plain') },
  { head: 'failed', isNumber: true, cell: (row) => some(row.failures, 'warn') },
]

const TIMES: Column<Sum>[] = [
  { head: 'p50', isNumber: true, cell: (row) => duration(row.p50) },
  { head: 'p95', isNumber: true, cell: (row) => duration(row.p95) },
  { head: 'p99', isNumber: true, cell: (row) => duration(row.p99) },
]

function Sums({ by, rows, stats }: { by: string; rows: readonly Sum[]; stats: Stats }) {
  const slices = new Map(stats.hooks.map(({ hook, slices: counts }) => [hook, counts]))
  const isFilter = by !== 'day'
  const columns: Column<Sum>[] = [
    {
      head: by,
      isName: true,
      cell: (row) => {
        const name = row.by[by] ?? ''
        if (!isFilter) return momentWords(name, 'day')
        if (name === '') return <span class="soft">none</span>
        return (
          <a href={link('analytics', undefined, { ...query.value, [by]: name })}>
            <Text of={name} brief={60} />
          </a>
        )
      },
    },
    ...COUNTS,
    {
      head: 'said yes',
      isNumber: true,
      cell: (row) => (row.noise === null ? '–' : <Noise row={row} />),
    },
    ...TIMES,
    { head: 'cost', isNumber: true, cell: (row) => (row.cost_usd === 0 ? '–' : dollars(row.cost_usd)) },
    ...(by === 'hook'
      ? [
          {
            head: 'when',
            cell: (row: Sum) => {
              const counts = slices.get(row.by.hook!)
              return counts ? (
                <Sparkline counts={counts} label={`runs over time, at most ${Math.max(...counts)} at once`} />
              ) : (
                ''
              )
            },
          },
        ]
      : []),
  ]
  return (
    <section aria-label={`By ${by}`}>
      <div class="head">
        <h2>By</h2>
        <fieldset class="choices">
          <legend class="unseen">Summed up by</legend>
          {DIMENSIONS.map((dimension) => (
            <label key={dimension}>
              <input
                type="radio"
                name="by"
                checked={by === dimension}
                onChange={() => filterBy({ by: dimension }, 'push')}
              />
              <span>{dimension}</span>
            </label>
          ))}
        </fieldset>
      </div>
      {rows.length === 0 ? (
        <p class="soft">No hook ran in this time.</p>
      ) : (
        <Table
          caption={`Runs of hooks by ${by}`}
          columns={columns}
          rows={rows}
          keyOf={(row) => row.by[by] ?? ''}
        />
      )}
    </section>
  )
}

function Noise({ row }: { row: Sum }) {
  const isNoisy = row.noise !== null && row.noise >= MIN_NOISY_SHARE && row.asks >= MIN_ASKS
  const words = `${row.overrides} of ${row.asks} questions were answered yes`
  return isNoisy ? (
    <Chip tone="warn" title={`${words}: a narrower condition would ask less`}>
      {percent(row.noise!)}
    </Chip>
  ) : (
    <span title={words}>{percent(row.noise!)}</span>
  )
}

function Silent({ stats }: { stats: Stats }) {
  const noisy = stats.hooks.filter(({ asks, noise }) => asks >= MIN_ASKS && (noise ?? 0) >= MIN_NOISY_SHARE)
  return (
    <div class="two">
      <section class="panel pad">
        <h2>Never matched</h2>
        {stats.never_matched.length === 0 ? (
          <p class="soft">Every hook that is switched on ran at least once.</p>
        ) : (
          <>
            <p class="soft">Switched on, and not run once in this time: is the condition right?</p>
            <ul class="names">
              {stats.never_matched.map((name) => (
                <li key={name}>
                  <a href={link('builder', name)}>
                    <Text of={name} brief={60} />
                  </a>
                </li>
              ))}
            </ul>
          </>
        )}
      </section>
      <section class="panel pad">
        <h2>Noise</h2>
        {noisy.length === 0 ? (
          <p class="soft">No hook asks what is nearly always answered yes.</p>
        ) : (
          <>
            <p class="soft">Asked often, and nearly always answered yes: people learn to say yes.</p>
            <ul class="names">
              {noisy.map(({ hook, asks, overrides }) => (
                <li key={hook}>
                  <a href={link('builder', hook)}>
                    <Text of={hook} brief={60} />
                  </a>{' '}
                  {overrides} of {asks}
                </li>
              ))}
            </ul>
          </>
        )}
      </section>
    </div>
  )
}

function some(value: number, tone: 'bad' | 'warn' | 'plain') {
  return value === 0 ? <span class="soft">0</span> : <span class={`tone-${tone}`}>{count(value)}</span>
}

function count(value: number): string {
  return Math.round(value).toLocaleString('en')
}

function percent(part: number): string {
  return `${Math.round(part * 100)} %`
}

function dollars(value: number): string {
  return value === 0 ? '–' : `$${value.toFixed(value < 1 ? 4 : 2)}`
}

function momentWords(iso: string, unit: 'hour' | 'day'): string {
  const date = new Date(iso)
  // Days are those of UTC, as the sums are.
  return unit === 'day'
    ? date.toLocaleDateString(undefined, {
        timeZone: 'UTC',
        weekday: 'short',
        month: 'short',
        day: 'numeric',
      })
    : date.toLocaleString(undefined, { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' })
}
