/** Revisions of the policy: how far each is, what it has come to, and who changed what. */

import { useState } from 'preact/hooks'
import { get, me, type Problem, post } from '../api.ts'
import { problemOf, useLoad } from '../load.ts'
import { Chip, type Tone } from '../ui/chip.tsx'
import { Copy } from '../ui/copy.tsx'
import { Empty, ProblemBox } from '../ui/empty.tsx'
import { Table } from '../ui/table.tsx'
import { Text } from '../ui/text.tsx'
import { Ago, Moment } from '../ui/time.tsx'
import type { AuditRow, Revision, Stage, Status } from './types.ts'

const POLL_MS = 5000
/** Shown whole; older ones in the table below. */
const MAX_CARDS = 3

export function View() {
  const { data, problem, reload } = useLoad(() => get<Revision[]>('/v1/fleet/revisions'), { every: POLL_MS })
  const status = useLoad(() => get<Status>('/v1/fleet/status'), { every: POLL_MS })
  const on = (revision: number) =>
    (status.data?.policies ?? [])
      .filter((row) => row.revision === revision)
      .reduce((sum, row) => sum + row.machines, 0)
  if (problem && !data && problem.code !== 'lost') return <ProblemBox problem={problem} onRetry={reload} />
  if (!data) return <p class="loading">Looking…</p>
  const open = data
    .filter(({ state }, i) => i === 0 || state === 'running' || state === 'pending')
    .slice(0, MAX_CARDS)
  const others = data.filter((revision) => !open.includes(revision))
  return (
    <>
      <div class="head">
        <h1>Roll-outs</h1>
        <span class="soft">
          A policy is signed on the machine of a person, never here:{' '}
          <code>crosshook fleet publish FOLDER</code>
        </span>
      </div>
      {data.length === 0 && (
        <Empty title="There is no policy yet">
          <p>
            Put hooks into a folder and publish it: <code>crosshook fleet publish FOLDER</code>
          </p>
        </Empty>
      )}
      {open.map((revision) => (
        <Card key={revision.revision} revision={revision} machines={on(revision.revision)} onDone={reload} />
      ))}
      {others.length > 0 && (
        <section aria-labelledby="before">
          <div class="head">
            <h2 id="before">Before</h2>
          </div>
          <Table
            caption="Older revisions"
            rows={others}
            keyOf={({ revision }) => String(revision)}
            columns={[
              { head: 'Revision', isName: true, cell: ({ revision }) => revision },
              { head: 'State', cell: (row) => <State of={row} /> },
              { head: 'Machines', isNumber: true, cell: ({ revision }) => on(revision).toLocaleString('en') },
              { head: 'By', cell: ({ author }) => <Text of={author} brief={40} /> },
              {
                head: 'Note',
                cell: ({ manifest, why }) => (
                  <div>
                    <Text of={manifest.note ?? ''} brief={120} />
                    {why && (
                      <div class="soft">
                        <Text of={why} brief={160} />
                      </div>
                    )}
                  </div>
                ),
              },
              { head: 'When', cell: ({ created_at }) => <Ago at={created_at} /> },
            ]}
          />
        </section>
      )}
      <Audit />
    </>
  )
}

const TONES: Readonly<Record<Revision['state'], Tone>> = {
  pending: 'warn',
  running: 'plain',
  done: 'good',
  stopped: 'bad',
  superseded: 'soft',
}

function State({ of: { state } }: { of: Revision }) {
  return <Chip tone={TONES[state]}>{state}</Chip>
}

function Card({ revision, machines, onDone }: { revision: Revision; machines: number; onDone: () => void }) {
  const { revision: n, manifest, stage, stage_since, state, why, author, created_at, signed_by } = revision
  const { data } = useLoad(() => get<Revision>(`/v1/fleet/revisions/${n}`), {
    on: [n, stage, state],
    every: POLL_MS,
  })
  const [problem, setProblem] = useState<Problem>()
  const move = async (verb: string) => {
    setProblem(undefined)
    try {
      await post(`/v1/fleet/revisions/${n}/${verb}`, {})
    } catch (error) {
      setProblem(problemOf(error))
    }
    onDone()
  }
  const isAdmin = me.value?.role === 'admin'
  const isLast = stage + 1 >= manifest.stages.length
  return (
    <section class="panel card" aria-label={`Revision ${n}`}>
      <div class="head">
        <h2>Revision {n}</h2>
        <State of={revision} />
        <span class="soft">
          by <Text of={author} brief={40} />, <Ago at={created_at} />
        </span>
        {isAdmin && (
          <span class="end row">
            {state === 'running' && (
              <button type="button" onClick={() => void move('advance')}>
                {isLast ? 'Finish the rollout' : `Go on to ${stageWords(manifest.stages[stage + 1]!)}`}
              </button>
            )}
            {['running', 'done', 'pending'].includes(state) && (
              <button type="button" onClick={() => void move('stop')}>
                Stop
              </button>
            )}
            {state === 'stopped' && (
              <button type="button" onClick={() => void move('resume')}>
                Go on
              </button>
            )}
          </span>
        )}
      </div>
      {problem && <ProblemBox problem={problem} />}
      {manifest.note && (
        <p>
          <Text of={manifest.note} />
        </p>
      )}
      {why && (
        <div class="alarm" data-level={state === 'stopped' ? 'error' : undefined}>
          <Text of={why} />
        </div>
      )}
      {state === 'pending' && (
        <div class="alarm">
          {signed_by.length} of {manifest.threshold} signatures are there. Another person signs it with{' '}
          <code>crosshook fleet sign {n}</code> <Copy text={`crosshook fleet sign ${n}`}>Copy</Copy>
        </div>
      )}
      <ol class="stages">
        {manifest.stages.map((each, i) => (
          <li
            key={i}
            aria-current={i === stage && state !== 'done' ? 'step' : undefined}
            data-done={i < stage || state === 'done' ? '' : undefined}
          >
            {stageWords(each)}
            {i === stage && state === 'running' && (
              <span class="soft">
                {' '}
                since <Moment at={stage_since} />
                {each.minutes > 0 && `, ${each.minutes} min`}
              </span>
            )}
          </li>
        ))}
      </ol>
      <dl class="facts">
        <div>
          <dt>machines</dt>
          <dd>{machines.toLocaleString('en')}</dd>
        </div>
        {data?.result && (
          <>
            <div>
              <dt>events in this stage</dt>
              <dd>{data.result.events.toLocaleString('en')}</dd>
            </div>
            <div>
              <dt>denied</dt>
              <dd>{data.result.denies.toLocaleString('en')}</dd>
            </div>
            <div>
              <dt>hooks failed</dt>
              <dd>{data.result.failures.toLocaleString('en')}</dd>
            </div>
          </>
        )}
        <div>
          <dt>for</dt>
          <dd>{manifest.selector === '' ? 'every machine' : <code>{manifest.selector}</code>}</dd>
        </div>
        <div>
          <dt>stops when</dt>
          <dd>{stopWords(manifest.stop)}</dd>
        </div>
        <div>
          <dt>without word of the hub</dt>
          <dd>
            {manifest.max_age.after} after {manifest.max_age.hours} h
          </dd>
        </div>
        <div>
          <dt>archive</dt>
          <dd class="mono">{revision.digest.slice(0, 16)}</dd>
        </div>
      </dl>
      {n > 1 && state !== 'pending' && (
        <p class="soft">
          Back to an older one: <code>crosshook fleet rollback {n - 1}</code>{' '}
          <Copy text={`crosshook fleet rollback ${n - 1}`}>Copy</Copy>
        </p>
      )}
    </section>
  )
}

function stageWords({ mode, percent }: Stage): string {
  return mode === 'shadow' ? 'shadow' : percent === 100 ? 'all' : `${percent} %`
}

function stopWords(stop: Record<string, number>): string {
  const percent = (share: number) => `${Math.round(share * 10_000) / 100} %`
  const words = [
    stop.max_failure_rate !== undefined && `hooks fail on more than ${percent(stop.max_failure_rate)}`,
    stop.max_deny_rate !== undefined && `more than ${percent(stop.max_deny_rate)} are denied`,
    stop.forecast_deny_rate !== undefined &&
      `denies are ${stop.max_deny_ratio} times the forecast of ${percent(stop.forecast_deny_rate)}`,
  ].filter(Boolean)
  return words.length === 0 ? 'never by itself' : words.join(', or ')
}

function Audit() {
  const { data } = useLoad(() => get<{ broken_at: number | null; rows: AuditRow[] }>('/v1/fleet/audit'), {
    every: POLL_MS,
  })
  if (!data) return null
  return (
    <section aria-labelledby="audit">
      <div class="head">
        <h2 id="audit">Who changed what</h2>
        {data.broken_at === null ? (
          <Chip tone="good">the chain holds</Chip>
        ) : (
          <Chip tone="bad">row {data.broken_at} was altered, or one before it was taken out</Chip>
        )}
      </div>
      <Table
        caption="Changes, newest first"
        rows={[...data.rows].reverse()}
        keyOf={({ seq }) => String(seq)}
        columns={[
          { head: 'When', cell: ({ at }) => <Moment at={at} /> },
          { head: 'Who', cell: ({ who }) => <Text of={who} brief={60} /> },
          { head: 'What', isName: true, cell: ({ what }) => what },
          {
            head: 'About',
            cell: ({ detail }) => (
              <span class="soft">
                <Text of={detailWords(detail)} brief={160} />
              </span>
            ),
          },
        ]}
      />
    </section>
  )
}

function detailWords(detail: Record<string, unknown>): string {
  return Object.entries(detail)
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ')
}
