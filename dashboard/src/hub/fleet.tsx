/** The whole fleet: which policy is where, which agents obey, and every machine. */

import { useState } from 'preact/hooks'
import { get } from '../api.ts'
import { useLoad } from '../load.ts'
import { link, query } from '../router.ts'
import { Chip } from '../ui/chip.tsx'
import { Empty, ProblemBox } from '../ui/empty.tsx'
import { FilterBar, type FilterField } from '../ui/filters.tsx'
import { plural } from '../ui/plural.ts'
import { Table } from '../ui/table.tsx'
import { Text } from '../ui/text.tsx'
import { Ago } from '../ui/time.tsx'
import { AlarmChips, Obeyed } from './marks.tsx'
import type { Machine, Status } from './types.ts'

const POLL_MS = 5000
const PAGE_ROWS = 100

export function View() {
  const status = useLoad(() => get<Status>('/v1/fleet/status'), { every: POLL_MS })
  const { data, problem } = status
  if (problem && !data && problem.code !== 'lost')
    return <ProblemBox problem={problem} onRetry={status.reload} />
  if (!data) return <p class="loading">Looking…</p>
  return (
    <>
      <Summary status={data} />
      <Agents status={data} />
      <Machines />
    </>
  )
}

function Summary({ status: { tenant, policies, asks, findings } }: { status: Status }) {
  const sum = (of: (row: Status['policies'][number]) => number) =>
    policies.reduce((all, row) => all + of(row), 0)
  const machines = sum((row) => row.machines)
  const silent = machines - sum((row) => row.heard)
  const troubled = sum((row) => row.troubled)
  const alarmed = sum((row) => row.alarmed)
  return (
    <section aria-labelledby="fleet">
      <div class="head">
        <h1 id="fleet">
          <Text of={tenant} brief={60} />: {plural(machines, 'machine')}
        </h1>
        <span class="row">
          {silent > 0 && (
            <a href={link('', undefined, { state: 'silent' })}>
              <Chip tone="warn">{silent.toLocaleString('en')} silent</Chip>
            </a>
          )}
          {troubled + alarmed > 0 && (
            <a href={link('', undefined, { state: 'trouble' })}>
              <Chip tone="bad">{(troubled + alarmed).toLocaleString('en')} with trouble</Chip>
            </a>
          )}
          {findings > 0 && (
            <a href={link('journal', 'findings')}>
              <Chip tone="bad">{findings} findings in journals</Chip>
            </a>
          )}
          {asks > 0 && (
            <a href={link('approvals')}>
              <Chip tone="warn">{asks === 1 ? 'one question waits' : `${asks} questions wait`}</Chip>
            </a>
          )}
          {machines > 0 && silent + troubled + alarmed + findings === 0 && (
            <Chip tone="good">all heard, no trouble</Chip>
          )}
        </span>
      </div>
      {policies.length > 0 && (
        <dl class="facts">
          {policies.map(({ revision, mode, machines }) => (
            <div key={`${revision} ${mode}`}>
              <dt>
                {revision === 0
                  ? 'no policy yet'
                  : `revision ${revision}${mode === 'shadow' ? ', shadow' : ''}`}
              </dt>
              <dd>{plural(machines, 'machine')}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  )
}

function Agents({ status: { agents } }: { status: Status }) {
  if (agents.length === 0) return null
  return (
    <section aria-labelledby="agents">
      <div class="head">
        <h2 id="agents">Agents</h2>
        <span class="soft">on how many machines a canary got the deny that the agent obeys</span>
      </div>
      <Table
        caption="Agents and versions: on how many machines they obey"
        rows={agents}
        keyOf={({ agent, agent_version }) => `${agent} ${agent_version}`}
        columns={[
          { head: 'Agent', isName: true, cell: ({ agent }) => <Text of={agent} brief={40} /> },
          {
            head: 'Version',
            cell: ({ agent_version }) => <Text of={agent_version || 'unknown'} brief={30} />,
          },
          { head: 'Machines', isNumber: true, cell: ({ machines }) => machines.toLocaleString('en') },
          {
            head: 'Obeyed',
            cell: ({ obeyed, machines }) => (
              <Chip tone={obeyed === machines ? 'good' : 'warn'}>
                on {obeyed.toLocaleString('en')} of {machines.toLocaleString('en')}
              </Chip>
            ),
          },
          {
            head: 'Broken',
            cell: ({ broken }) =>
              broken > 0 ? <Chip tone="bad">on {broken.toLocaleString('en')}</Chip> : '',
          },
        ]}
      />
    </section>
  )
}

const FIELDS: readonly FilterField[] = [
  { name: 'text', label: 'Name or label', placeholder: 'part of it', width: '14rem' },
  { name: 'state', label: 'State', options: ['trouble', 'silent', 'revoked'], none: 'enrolled' },
]

function Machines() {
  const { text, state } = query.value
  const [pages, setPages] = useState(1)
  const { data, problem, reload } = useLoad(
    (signal) =>
      get<Machine[]>(
        '/v1/fleet/edges',
        { text, state: state || 'current', limit: pages * PAGE_ROWS + 1 },
        signal,
      ),
    { on: [text, state, pages], every: POLL_MS },
  )
  const shown = data?.slice(0, pages * PAGE_ROWS)
  return (
    <section aria-labelledby="machines">
      <div class="head">
        <h2 id="machines">Machines</h2>
      </div>
      <FilterBar fields={FIELDS} />
      {problem && problem.code !== 'lost' && <ProblemBox problem={problem} onRetry={reload} />}
      {!data && !problem && <p class="loading">Looking…</p>}
      {shown?.length === 0 && <NoMachines isFiltered={Boolean(text || state)} />}
      {shown && shown.length > 0 && (
        <Table
          caption="Machines, their policy, and whether each agent obeys"
          rows={shown}
          keyOf={({ id }) => id}
          columns={[
            {
              head: 'Machine',
              isName: true,
              cell: ({ id, name }) => (
                <a href={link('machine', id)}>
                  <Text of={name} brief={60} />
                </a>
              ),
            },
            { head: 'Labels', cell: ({ labels }) => <Labels of={labels} /> },
            { head: 'Policy', cell: (machine) => <Policy of={machine} /> },
            {
              head: 'Agents',
              cell: ({ agents }) => (
                <span class="row">
                  {agents.map((agent) => (
                    <Obeyed key={agent.agent} proof={agent} />
                  ))}
                  {agents.length === 0 && <span class="soft">none told yet</span>}
                </span>
              ),
            },
            {
              head: 'Trouble',
              cell: ({ alarms, problem: said }) => (
                <span class="row">
                  <AlarmChips alarms={alarms} />
                  {said && (
                    <Chip tone="bad" title={said}>
                      policy not taken
                    </Chip>
                  )}
                </span>
              ),
            },
            { head: 'Heard', cell: ({ last_seen }) => <Ago at={last_seen} /> },
          ]}
        />
      )}
      {data && data.length > pages * PAGE_ROWS && (
        <p>
          <button type="button" onClick={() => setPages(pages + 1)}>
            Show {PAGE_ROWS} more
          </button>
        </p>
      )}
    </section>
  )
}

function Labels({ of: labels }: { of: Record<string, string> }) {
  const all = Object.entries(labels)
  if (all.length === 0) return null
  return (
    <span class="soft">
      <Text of={all.map(([name, value]) => `${name}=${value}`).join(' ')} brief={80} />
    </span>
  )
}

function Policy({ of: { revision, mode, revoked_at } }: { of: Machine }) {
  if (revoked_at !== null) return <Chip tone="bad">revoked</Chip>
  if (revision === 0) return <Chip tone="warn">none yet</Chip>
  return (
    <>
      {revision} {mode === 'shadow' && <Chip>shadow</Chip>}
    </>
  )
}

function NoMachines({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <Empty title="No machine matches these filters" />
  return (
    <Empty title="No machine is enrolled">
      <p>
        Publish a policy first (<code>crosshook fleet publish FOLDER</code>), then make a token (
        <code>crosshook fleet token</code>) and run the line that it prints on each machine.
      </p>
    </Empty>
  )
}
