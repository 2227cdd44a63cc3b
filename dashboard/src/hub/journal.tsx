/** What was not a plain allow, on every machine; and what is wrong with journals. */

import { useState } from 'preact/hooks'
import { get } from '../api.ts'
import { useLoad } from '../load.ts'
import { link, query, thing } from '../router.ts'
import { DecisionChip, StatusChip } from '../ui/chip.tsx'
import { Empty, ProblemBox } from '../ui/empty.tsx'
import { FilterBar, type FilterField } from '../ui/filters.tsx'
import { Table } from '../ui/table.tsx'
import { Code, Text } from '../ui/text.tsx'
import { Ago, duration, Moment } from '../ui/time.tsx'
import type { Finding, Row } from './types.ts'

const POLL_MS = 5000
const PAGE_ROWS = 100
const HOUR_MS = 3_600_000
const SINCE: Readonly<Record<string, number>> = {
  '1 hour': HOUR_MS,
  '1 day': 24 * HOUR_MS,
  '7 days': 7 * 24 * HOUR_MS,
}

const FIELDS: readonly FilterField[] = [
  { name: 'decision', label: 'Decision', options: ['deny', 'ask', 'allow'] },
  { name: 'hook', label: 'Hook', placeholder: 'its name' },
  { name: 'agent', label: 'Agent', placeholder: 'its id', isRare: true },
  { name: 'tool', label: 'Tool', placeholder: 'its name', isRare: true },
  { name: 'edge', label: 'Machine', placeholder: 'its id', isRare: true },
  { name: 'since', label: 'Not older than', options: Object.keys(SINCE) },
]

export function View() {
  const isFindings = thing.value === 'findings'
  return (
    <>
      <div class="head">
        <h1>Journal</h1>
        <nav class="tabs" aria-label="Parts of the journal">
          <a href={link('journal')} aria-current={isFindings ? undefined : 'page'}>
            Records
          </a>
          <a href={link('journal', 'findings')} aria-current={isFindings ? 'page' : undefined}>
            Findings
          </a>
        </nav>
        <span class="soft">
          all of it: <code>crosshook fleet export --format ndjson|parquet|otlp</code>
        </span>
      </div>
      {isFindings ? <Findings /> : <Records />}
    </>
  )
}

function Records() {
  const { decision, hook, agent, tool, edge, since } = query.value
  const [limit, setLimit] = useState(PAGE_ROWS)
  const { data, problem, reload } = useLoad(
    (signal) =>
      get<Row[]>(
        '/v1/fleet/journal',
        {
          ...{ decision, hook, agent, tool, edge, limit },
          ...(since && SINCE[since] ? { since: Date.now() - SINCE[since] } : {}),
        },
        signal,
      ),
    { on: [decision, hook, agent, tool, edge, since, limit], every: POLL_MS },
  )
  return (
    <>
      <FilterBar fields={FIELDS} />
      {problem && problem.code !== 'lost' && <ProblemBox problem={problem} onRetry={reload} />}
      {!data && !problem && <p class="loading">Looking…</p>}
      {data?.length === 0 && (
        <Empty title="Nothing of that kind was recorded">
          <p>
            Plain allows are counted and kept, and not listed here: the page of a machine shows its newest.
          </p>
        </Empty>
      )}
      {data && data.length > 0 && (
        <Table
          caption="Records, newest first"
          rows={data}
          keyOf={({ edge: id, seq }) => `${id} ${seq}`}
          columns={[
            { head: 'When', cell: ({ at }) => <Moment at={at} /> },
            { head: 'Decision', cell: (row) => <DecisionChip decision={row.decision} /> },
            {
              head: 'Machine',
              isName: true,
              cell: ({ edge: id, machine }) => (
                <a href={link('machine', id)}>
                  <Text of={machine} brief={40} />
                </a>
              ),
            },
            { head: 'Agent', cell: (row) => <Text of={row.agent} brief={30} /> },
            {
              head: 'What',
              cell: ({ event, tool: name, record }) => (
                <div>
                  <Text of={name || event.replaceAll('_', ' ')} brief={40} />
                  {record.subject && (
                    <div class="mono">
                      <Text of={record.subject} brief={120} />
                    </div>
                  )}
                </div>
              ),
            },
            {
              head: 'Hook',
              cell: ({ hook: name, status, record }) => (
                <div>
                  {name && (
                    <a href={link('journal', undefined, { hook: name })}>
                      <Text of={name} brief={60} />
                    </a>
                  )}{' '}
                  {status && <StatusChip status={status} />}
                  {record.reason && (
                    <div class="soft">
                      <Text of={record.reason} brief={160} />
                    </div>
                  )}
                </div>
              ),
            },
            { head: 'More', cell: (row) => <More row={row} /> },
          ]}
        />
      )}
      {data && data.length === limit && limit < 1000 && (
        <p>
          <button type="button" onClick={() => setLimit(Math.min(1000, limit + PAGE_ROWS))}>
            Show {PAGE_ROWS} more
          </button>
        </p>
      )}
    </>
  )
}

function More({ row: { record, revision, seq } }: { row: Row }) {
  return (
    <details>
      <summary>
        # {seq} <span class="soft">revision {revision}</span>
      </summary>
      {record.duration_ms !== undefined && <p class="soft">took {duration(record.duration_ms)}</p>}
      <Code of={JSON.stringify(record, null, 2)} />
    </details>
  )
}

function Findings() {
  const { data, problem, reload } = useLoad(() => get<Finding[]>('/v1/fleet/findings'), { every: POLL_MS })
  if (problem && !data && problem.code !== 'lost') return <ProblemBox problem={problem} onRetry={reload} />
  if (!data) return <p class="loading">Looking…</p>
  if (data.length === 0)
    return (
      <Empty title="Every journal is complete">
        <p>Records are chained: what is missing or was altered on a machine would be named here.</p>
      </Empty>
    )
  return (
    <Table
      caption="Gaps in journals, and records that were altered"
      rows={data}
      keyOf={({ edge, seq, what }) => `${edge} ${seq} ${what}`}
      columns={[
        { head: 'When', cell: ({ at }) => <Ago at={at} /> },
        {
          head: 'Machine',
          isName: true,
          cell: ({ edge, machine }) => (
            <a href={link('machine', edge)}>
              <Text of={machine ?? edge} brief={40} />
            </a>
          ),
        },
        { head: 'What', cell: ({ what }) => what },
        { head: 'Which', cell: ({ message }) => <Text of={message} /> },
      ]}
    />
  )
}
