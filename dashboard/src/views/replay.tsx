/** What today's hooks would have decided about the calls of the past: coverage first, then what changes. */

import { useState } from 'preact/hooks'
import { get } from '../api.ts'
import { useLoad } from '../load.ts'
import { Chip, DecisionChip } from '../ui/chip.tsx'
import { Copy } from '../ui/copy.tsx'
import { Empty, ProblemBox } from '../ui/empty.tsx'
import { plural } from '../ui/plural.ts'
import { Table } from '../ui/table.tsx'
import { Text } from '../ui/text.tsx'
import { Ago } from '../ui/time.tsx'

interface Report {
  coverage: {
    calls: number
    replayed: number
    partial: number
    unjudged: number
    unreadable: number
    files: number
    journal: number
    agents: Record<string, number>
    lacks: { what: string; calls: number }[]
    left_out: { reason: string; count: number; example: string }[]
  }
  decisions: Record<'allow' | 'ask' | 'deny', number>
  changed: Change[]
  groups: Group[]
  hooks: HookSum[]
  friction: { days: number; asks_per_day: number; denies_per_day: number }
}

interface Change {
  agent: string
  session: string
  at: string
  tool: string
  summary: string
  before: string
  after: string
  hook: string | null
  file?: string
}

interface Group {
  hook: string | null
  before: string
  after: string
  like: string
  calls: number
  agents: string[]
  at: string
  example: string
  reason: string | null
  case: unknown
}

interface HookSum {
  hook: string
  applied: number
  denied: number
  asked: number
  unasked: number
  why: string | null
  cost: number | null
}

const PERIODS = ['24h', '7d', '30d', '90d']

export function View() {
  const [since, setSince] = useState('7d')
  const { data, problem, isLoading, reload } = useLoad<Report>(
    (signal) => get('/v1/replay', { since }, signal),
    { on: [since] },
  )
  return (
    <div class="replay">
      <h1>Replay</h1>
      <p>
        <label>
          The calls of the last{' '}
          <select value={since} onChange={(event) => setSince(event.currentTarget.value)}>
            {PERIODS.map((period) => (
              <option key={period}>{period}</option>
            ))}
          </select>
        </label>{' '}
        by the hooks of today. No tool and no program is run.
      </p>
      {isLoading && <p class="loading">Replaying…</p>}
      {problem && <ProblemBox problem={problem} onRetry={reload} />}
      {data && <Shown report={data} />}
    </div>
  )
}

function Shown({ report }: { report: Report }) {
  const { coverage, decisions, groups, hooks, friction, changed } = report
  const [opened, setOpened] = useState<Change>()
  if (coverage.calls === 0)
    return (
      <Empty title="There is nothing to replay">
        <p>No agent whose transcripts can be read has called a tool in this time. Look further back.</p>
      </Empty>
    )
  return (
    <>
      <Coverage coverage={coverage} hooks={hooks} />
      <p>
        Today: {decisions.allow} allowed, {decisions.ask} asked, {decisions.deny} denied;{' '}
        {plural(friction.asks_per_day, 'question')} and {plural(friction.denies_per_day, 'refusal')} a day.
      </p>
      <h2>What changes</h2>
      {groups.length === 0 ? (
        <p>Nothing: these hooks decide as it was decided at the time.</p>
      ) : (
        <Table
          caption="Changes, similar calls together"
          rows={groups}
          keyOf={({ hook, like, before, after }) => [hook, like, before, after].join(' ')}
          columns={[
            { head: 'Calls', cell: ({ calls }) => calls, isNumber: true },
            {
              head: 'Before and after',
              cell: ({ before, after }) => (
                <>
                  <DecisionChip decision={before} /> → <DecisionChip decision={after} />
                </>
              ),
            },
            { head: 'Hook', cell: ({ hook }) => <Text of={hook ?? 'none'} brief={60} /> },
            {
              head: 'Similar calls',
              isName: true,
              cell: ({ like }) => (
                <code>
                  <Text of={like} brief={120} />
                </code>
              ),
            },
            {
              head: 'Newest',
              cell: (group) => (
                <Newest
                  group={group}
                  change={changed.find((change) => isOf(change, group))}
                  onOpen={setOpened}
                />
              ),
            },
          ]}
        />
      )}
      {opened?.file && <Session change={opened} />}
      <h2>Hooks</h2>
      <Table
        caption="What each hook would have done"
        rows={hooks}
        keyOf={({ hook }) => hook}
        columns={[
          { head: 'Hook', isName: true, cell: ({ hook }) => <Text of={hook} brief={60} /> },
          { head: 'Applies', cell: ({ applied }) => applied, isNumber: true },
          { head: 'Denies', cell: ({ denied }) => denied, isNumber: true },
          { head: 'Asks', cell: ({ asked }) => asked, isNumber: true },
          { head: 'Not asked', cell: ({ unasked }) => unasked, isNumber: true },
          { head: 'Time in ms', cell: ({ cost }) => (cost === null ? 'unknown' : cost), isNumber: true },
        ]}
      />
    </>
  )
}

/** The first thing that a report says: what was read, and what could not be seen. */
function Coverage({ coverage, hooks }: { coverage: Report['coverage']; hooks: readonly HookSum[] }) {
  const { calls, replayed, partial, unjudged, unreadable, files, journal, agents, lacks, left_out } = coverage
  return (
    <section class="panel" aria-label="Coverage">
      <p>
        <strong>
          {plural(calls, 'call')} of {Object.keys(agents).filter(Boolean).sort().join(', ') || 'no agent'}
        </strong>
        , from {plural(files, 'transcript')}
        {journal > 0 && <> and {journal} only in the journal</>}: <Chip tone="good">{replayed} replayed</Chip>{' '}
        <Chip tone={partial > 0 ? 'warn' : 'soft'}>{partial} in part</Chip>{' '}
        {unjudged > 0 && <Chip tone="warn">{unjudged} not at all</Chip>}{' '}
        <Chip tone={unreadable > 0 ? 'warn' : 'soft'}>{plural(unreadable, 'record')} unreadable</Chip>
      </p>
      <ul>
        {lacks.map(({ what, calls: lacking }) => (
          <li key={what}>
            Missing in {plural(lacking, 'call')}: {what}
          </li>
        ))}
        {hooks
          .filter(({ unasked }) => unasked > 0)
          .map(({ hook, unasked, why }) => (
            <li key={hook}>
              <Text of={hook} brief={60} /> was not asked about {plural(unasked, 'call')}: <Text of={why} />
            </li>
          ))}
        {left_out.map(({ reason, count, example }) => (
          <li key={reason}>
            Left out {plural(count, 'time')}, {reason}: <Text of={example} brief={120} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function isOf(change: Change, group: Group): boolean {
  return change.at === group.at && change.summary === group.example && change.hook === group.hook
}

function Newest({
  group,
  change,
  onOpen,
}: {
  group: Group
  change: Change | undefined
  onOpen: (change: Change) => void
}) {
  return (
    <>
      <code>
        <Text of={group.example} brief={100} />
      </code>{' '}
      <Ago at={group.at} />{' '}
      {change?.file && (
        <button type="button" class="quiet" onClick={() => onOpen(change)}>
          Open in its session
        </button>
      )}{' '}
      {group.case !== null && <Copy text={`- ${JSON.stringify(group.case)}\n`}>Copy as case</Copy>}
    </>
  )
}

interface Calls {
  agent: string
  calls: { at: string; tool: string; summary: string; ended: string | null }[]
}

function Session({ change }: { change: Change }) {
  const { data, problem, reload } = useLoad<Calls>(
    (signal) => get('/v1/replay/session', { file: change.file, session: change.session }, signal),
    { on: [change.file, change.session] },
  )
  return (
    <section class="panel" aria-label="Session">
      <h2>
        Session <Text of={change.session} brief={40} />
      </h2>
      {problem && <ProblemBox problem={problem} onRetry={reload} />}
      <ol>
        {data?.calls.map((call, at) => (
          <li
            key={at}
            aria-current={call.at === change.at && call.summary === change.summary ? 'true' : undefined}
          >
            <Text of={call.tool} brief={40} />{' '}
            <code>
              <Text of={call.summary} brief={200} />
            </code>{' '}
            <span class="soft">{call.ended ?? ''}</span>
            {call.at === change.at && call.summary === change.summary && (
              <>
                {' '}
                <DecisionChip decision={change.before} /> → <DecisionChip decision={change.after} />
              </>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}
