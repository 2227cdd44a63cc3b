/** One machine: its agents event by event, what is wrong, and its newest records. */

import { useState } from 'preact/hooks'
import { get, me, type Problem, post } from '../api.ts'
import { problemOf, useLoad } from '../load.ts'
import { link, thing } from '../router.ts'
import { Chip, DecisionChip, type Tone } from '../ui/chip.tsx'
import { Empty, ProblemBox } from '../ui/empty.tsx'
import { Table } from '../ui/table.tsx'
import { Text } from '../ui/text.tsx'
import { Ago, Moment } from '../ui/time.tsx'
import { AlarmChips, Obeyed } from './marks.tsx'
import type { AgentProof, Machine } from './types.ts'

interface SentRecord {
  id: string
  at: string
  event: string
  agent?: string
  tool_name?: string
  decision: string
  subject?: string
  hooks: { name: string; status: string }[]
}

const POLL_MS = 5000

export function View() {
  const id = thing.value ?? ''
  return <OneMachine key={id} id={id} />
}

function OneMachine({ id }: { id: string }) {
  const { data, problem, reload } = useLoad(() => get<Machine>(`/v1/fleet/edges/${encodeURIComponent(id)}`), {
    on: [id],
    every: POLL_MS,
  })
  if (problem && !data && problem.code !== 'lost') return <ProblemBox problem={problem} onRetry={reload} />
  if (!data) return <p class="loading">Looking…</p>
  const {
    name,
    labels,
    revision,
    mode,
    version,
    last_seen,
    enrolled_at,
    revoked_at,
    alarms,
    findings = [],
  } = data
  return (
    <>
      <div class="head">
        <h1>
          <a href="/">Fleet</a> / <Text of={name} brief={60} />
        </h1>
        {revoked_at !== null && <Chip tone="bad">revoked</Chip>}
        <AlarmChips alarms={alarms} />
        {me.value?.role === 'admin' && revoked_at === null && <Revoke machine={data} onDone={reload} />}
      </div>
      <dl class="facts">
        <div>
          <dt>policy</dt>
          <dd>{revision === 0 ? 'none yet' : `revision ${revision} ${mode}`}</dd>
        </div>
        <div>
          <dt>heard</dt>
          <dd>
            <Ago at={last_seen} />
          </dd>
        </div>
        <div>
          <dt>crosshook</dt>
          <dd>
            <Text of={version || 'unknown'} />
          </dd>
        </div>
        <div>
          <dt>enrolled</dt>
          <dd>
            <Moment at={enrolled_at} />
          </dd>
        </div>
        <div>
          <dt>id</dt>
          <dd class="mono">{data.id}</dd>
        </div>
        {Object.entries(labels).map(([key, value]) => (
          <div key={key}>
            <dt>
              <Text of={key} />
            </dt>
            <dd>
              <Text of={value} brief={80} />
            </dd>
          </div>
        ))}
      </dl>
      {data.problem && (
        <div class="alarm" data-level="error">
          <b>The policy was not taken:</b> <Text of={data.problem} />
        </div>
      )}
      {findings.map(({ what, message, at, seq }) => (
        <div key={`${what} ${seq}`} class="alarm" data-level="error">
          <b>{what} records:</b> <Text of={message} /> <Ago at={at} />
        </div>
      ))}
      <Agents agents={data.agents} />
      <Records id={data.id} />
    </>
  )
}

const STATES: Readonly<Record<string, Tone>> = {
  obeyed: 'good',
  wired: 'good',
  cannot: 'warn',
  off: 'soft',
  missing: 'bad',
  broken: 'bad',
}

function Agents({ agents }: { agents: readonly AgentProof[] }) {
  return (
    <section aria-labelledby="agents">
      <div class="head">
        <h2 id="agents">Agents</h2>
      </div>
      {agents.length === 0 && (
        <p class="soft">
          The machine has not told what doctor finds there; it does so when it starts, and every hour.
        </p>
      )}
      {agents.length > 0 && (
        <Table
          caption="Agents of this machine, and what the canary showed on each event"
          rows={agents}
          keyOf={({ agent }) => agent}
          columns={[
            { head: 'Agent', isName: true, cell: (proof) => <Obeyed proof={proof} /> },
            { head: 'Version', cell: ({ agent_version }) => <Text of={agent_version || 'unknown'} /> },
            {
              head: 'Events',
              cell: ({ detail }) => (
                <span class="row">
                  {(detail?.events ?? [])
                    .filter(({ state }) => state !== 'off')
                    .map(({ event, state }) => (
                      <Chip key={event} tone={STATES[state] ?? 'plain'} title={`${event}: ${state}`}>
                        <Text of={event} brief={60} /> <Text of={state} brief={20} />
                      </Chip>
                    ))}
                </span>
              ),
            },
            { head: 'Asked', cell: ({ at }) => <Ago at={at} /> },
          ]}
        />
      )}
    </section>
  )
}

function Records({ id }: { id: string }) {
  const { data, problem, reload } = useLoad(
    () => get<SentRecord[]>(`/v1/fleet/edges/${encodeURIComponent(id)}/journal`, { limit: 100 }),
    { on: [id], every: POLL_MS },
  )
  return (
    <section aria-labelledby="records">
      <div class="head">
        <h2 id="records">Newest records</h2>
        <a href={link('journal', undefined, { edge: id })}>all that were not a plain allow</a>
      </div>
      {problem && problem.code !== 'lost' && <ProblemBox problem={problem} onRetry={reload} />}
      {data?.length === 0 && <Empty title="This machine has sent no records" />}
      {data && data.length > 0 && (
        <Table
          caption="The newest records of this machine"
          rows={[...data].reverse()}
          keyOf={(record) => record.id}
          columns={[
            { head: 'When', cell: ({ at }) => <Moment at={at} /> },
            { head: 'Decision', cell: ({ decision }) => <DecisionChip decision={decision} /> },
            { head: 'Agent', cell: ({ agent }) => <Text of={agent ?? ''} brief={30} /> },
            { head: 'Event', cell: ({ event }) => event.replaceAll('_', ' ') },
            { head: 'Tool', cell: ({ tool_name }) => <Text of={tool_name ?? ''} brief={30} /> },
            {
              head: 'Hooks',
              cell: ({ hooks, subject }) => (
                <div>
                  <Text of={hooks.map(({ name, status }) => `${name} ${status}`).join(', ')} brief={120} />
                  {subject && (
                    <div class="mono">
                      <Text of={subject} brief={120} />
                    </div>
                  )}
                </div>
              ),
            },
          ]}
        />
      )}
    </section>
  )
}

function Revoke({ machine, onDone }: { machine: Machine; onDone: () => void }) {
  const [isSure, setSure] = useState(false)
  const [problem, setProblem] = useState<Problem>()
  const revoke = async () => {
    try {
      await post(`/v1/fleet/edges/${machine.id}/revoke`)
      onDone()
    } catch (error) {
      setProblem(problemOf(error))
    }
  }
  return (
    <span class="end row">
      {problem && <ProblemBox problem={problem} />}
      {isSure && <span class="soft">It keeps its last policy; the hub takes nothing from it any more.</span>}
      {isSure && (
        <button type="button" onClick={() => setSure(false)}>
          Keep it
        </button>
      )}
      <button
        type="button"
        class={isSure ? 'main' : ''}
        onClick={() => (isSure ? void revoke() : setSure(true))}
      >
        {isSure ? 'Yes, revoke it' : 'Revoke'}
      </button>
    </span>
  )
}
