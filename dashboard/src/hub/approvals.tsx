/** Questions of machines: what a person needs to decide, the time that is left, and the answer. */

import { useState } from 'preact/hooks'
import { get, me, type Problem, post } from '../api.ts'
import { problemOf, useLoad } from '../load.ts'
import { link } from '../router.ts'
import { Chip, DecisionChip } from '../ui/chip.tsx'
import { Countdown } from '../ui/countdown.tsx'
import { Empty, ProblemBox } from '../ui/empty.tsx'
import { Table } from '../ui/table.tsx'
import { Code, Text } from '../ui/text.tsx'
import { Ago } from '../ui/time.tsx'
import { asks, reloadAsks } from './asks.ts'
import type { Ask } from './types.ts'

export function View() {
  const waiting = asks.value
  return (
    <>
      <div class="head">
        <h1>Approvals</h1>
      </div>
      {waiting === undefined && <p class="loading">Looking…</p>}
      {waiting?.length === 0 && (
        <Empty title="No machine has a question">
          <p>
            When a hook asks and nobody is at the machine, or its settings say <code>via = ["hub"]</code>, the
            question appears here, and wherever <code>crosshook fleet channels</code> says.
          </p>
        </Empty>
      )}
      {waiting?.map((ask) => (
        <Card key={ask.id} ask={ask} />
      ))}
      <Closed on={waiting?.length} />
    </>
  )
}

function Card({ ask }: { ask: Ask }) {
  const [reason, setReason] = useState('')
  const [scope, setScope] = useState('once')
  const [problem, setProblem] = useState<Problem>()
  const [isSending, setSending] = useState(false)
  const answer = async (decision: 'allow' | 'deny') => {
    setSending(true)
    setProblem(undefined)
    try {
      // The digest says what was shown: an answer counts for nothing else.
      await post(`/v1/fleet/asks/${encodeURIComponent(ask.id)}`, {
        decision,
        reason,
        digest: ask.input_digest,
        ...(decision === 'allow' ? { scope } : {}),
      })
    } catch (error) {
      setProblem(problemOf(error))
    }
    setSending(false)
    await reloadAsks().catch(() => {})
  }
  const {
    machine,
    edge,
    agent,
    agent_title,
    summary,
    why,
    work_dir,
    acts = [],
    hooks = [],
    approvers,
    approvals,
  } = ask
  const hasVoted = ask.votes.some(({ person }) => person === me.value?.id)
  const mayAnswer =
    me.value?.role !== 'viewer' && (approvers.length === 0 || approvers.includes(me.value?.id ?? ''))
  return (
    <section class="panel card" aria-label={`${agent_title ?? agent} on ${machine} asks`} data-ask={ask.id}>
      <div class="head">
        <h2>
          <Text of={agent_title ?? agent} brief={40} /> on{' '}
          <a href={link('machine', edge)}>
            <Text of={machine} brief={60} />
          </a>{' '}
          asks
        </h2>
        <Countdown deadline={new Date(ask.deadline).toISOString()} />
        {approvals > 1 && (
          <Chip tone="warn">
            {ask.votes.length} of {approvals} people said yes
          </Chip>
        )}
      </div>
      <Code of={inputText(ask)} />
      <dl class="facts wide">
        {why && (
          <div>
            <dt>why</dt>
            <dd>
              <Text of={why} />
            </dd>
          </div>
        )}
        {hooks.length > 0 && (
          <div>
            <dt>asked by</dt>
            <dd>
              <Text of={hooks.join(', ')} />
            </dd>
          </div>
        )}
        {acts.length > 0 && (
          <div>
            <dt>does</dt>
            <dd>
              <Text of={acts.map(actWords).join(', ')} brief={400} />
            </dd>
          </div>
        )}
        {work_dir && (
          <div>
            <dt>in</dt>
            <dd class="mono">
              <Text of={work_dir} />
            </dd>
          </div>
        )}
        {approvers.length > 0 && (
          <div>
            <dt>may answer</dt>
            <dd>
              <Text of={approvers.join(', ')} />
            </dd>
          </div>
        )}
        {ask.votes.length > 0 && (
          <div>
            <dt>yes by</dt>
            <dd>
              <Text of={ask.votes.map(({ person }) => person).join(', ')} />
            </dd>
          </div>
        )}
      </dl>
      {summary !== inputText(ask) && (
        <p class="soft">
          <Text of={summary} brief={200} />
        </p>
      )}
      {problem && <ProblemBox problem={problem} />}
      {!mayAnswer && <p class="soft">You may not answer this question.</p>}
      {mayAnswer && hasVoted && <p class="soft">You have said yes. Another person must, too.</p>}
      {mayAnswer && (
        <form class="answer" onSubmit={(event) => event.preventDefault()}>
          <label>
            Message to the model{' '}
            <input
              value={reason}
              maxLength={2000}
              onInput={(event) => setReason(event.currentTarget.value)}
            />
          </label>
          <label>
            Yes holds for{' '}
            <select value={scope} onChange={(event) => setScope(event.currentTarget.value)}>
              <option value="once">this call</option>
              <option value="session">this session, 8 hours</option>
              <option value="project">this project, 8 hours</option>
            </select>
          </label>
          {!hasVoted && (
            <button type="button" class="main" disabled={isSending} onClick={() => void answer('allow')}>
              Allow
            </button>
          )}
          <button type="button" disabled={isSending} onClick={() => void answer('deny')}>
            Deny
          </button>
        </form>
      )}
    </section>
  )
}

function actWords({ does, path, host, program, certain }: NonNullable<Ask['acts']>[number]): string {
  const what = [does.replaceAll('_', ' '), path ?? host ?? program].filter(Boolean).join(' ')
  return certain ? what : `perhaps ${what}`
}

function inputText({ input, summary }: Ask): string {
  if (typeof input !== 'object' || input === null) return summary
  const fields = Object.entries(input)
  if (fields.length === 0) return summary
  if (fields.length === 1 && typeof fields[0]![1] === 'string') return fields[0]![1]
  return fields
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value, null, 2)}`)
    .join('\n')
}

function Closed({ on }: { on: unknown }) {
  const { data } = useLoad(() => get<Ask[]>('/v1/fleet/asks', { state: 'closed', limit: 20 }), {
    on: [on],
    every: 10_000,
  })
  if (!data || data.length === 0) return null
  return (
    <section aria-labelledby="closed">
      <div class="head">
        <h2 id="closed">Answered lately</h2>
      </div>
      <Table
        caption="Questions that were answered lately"
        rows={data}
        keyOf={({ id }) => id}
        columns={[
          { head: 'When', cell: ({ decided_at }) => <Ago at={decided_at} /> },
          { head: 'Answer', cell: ({ state }) => <DecisionChip decision={state} /> },
          { head: 'By', cell: ({ decided_by }) => <Text of={decided_by ?? ''} brief={60} /> },
          { head: 'Machine', isName: true, cell: ({ machine }) => <Text of={machine} brief={40} /> },
          { head: 'What', cell: ({ summary }) => <Text of={summary} brief={160} /> },
          { head: 'Words', cell: ({ reason }) => <Text of={reason ?? ''} brief={120} /> },
        ]}
      />
    </section>
  )
}
