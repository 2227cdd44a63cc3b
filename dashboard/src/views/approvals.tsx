/** What agents wait for: everything a person needs to decide, the time that is left, and the answer. */

import { useEffect, useState } from 'preact/hooks'
import { get, type Problem, post, remove } from '../api.ts'
import { type Approval, approvals } from '../approvals.ts'
import { problemOf, useLoad } from '../load.ts'
import {
  answerWithPasskey,
  hasPasskeys,
  loadPasskeys,
  type PasskeyApprover,
  passkeyApprovers,
} from '../passkeys.ts'
import { Chip, DecisionChip } from '../ui/chip.tsx'
import { Countdown } from '../ui/countdown.tsx'
import { Empty, ProblemBox } from '../ui/empty.tsx'
import { PasskeyForm } from '../ui/passkey-form.tsx'
import { Code, Text } from '../ui/text.tsx'
import { Ago } from '../ui/time.tsx'

export function View() {
  const waiting = approvals.value
  useEffect(() => void loadPasskeys(), [])
  return (
    <>
      <h1>Approvals</h1>
      <NotifyButton />
      <PasskeyForm />
      {waiting === undefined && <p class="loading">Loading…</p>}
      {waiting?.length === 0 && (
        <Empty title="No agent waits for you">
          <p>
            When a hook asks and the agent cannot show the question itself, it appears here. While this page
            is open you are asked; see <code>crosshook help approvals</code> for phone and chat.
          </p>
        </Empty>
      )}
      {waiting?.map((approval) => (
        <Card key={approval.id} approval={approval} />
      ))}
      <Grants on={waiting?.length} />
    </>
  )
}

function Card({ approval }: { approval: Approval }) {
  const { id, agent_title, session_id, work_dir, why, hooks, acts, scripts, run_up, digest } = approval
  const [words, setWords] = useState('')
  const [scope, setScope] = useState('once')
  const [problem, setProblem] = useState<Problem>()
  const [isSending, setSending] = useState(false)
  const people = answerers(approval)
  const [chosen, setChosen] = useState<string>()
  const by = chosen ?? people[0]!.name
  const answer = async (decision: 'allow' | 'deny') => {
    setSending(true)
    setProblem(undefined)
    const passkey = people.find(({ name }) => name === by)?.passkey
    try {
      if (passkey) await answerWithPasskey({ id, decision, digest, words, scope }, passkey)
      else await post(`/v1/approvals/${id}/answer`, { decision, digest, words, scope })
      // Where several people have to allow it, one answer leaves the question open.
      if (approval.approvals > 1) setSending(false)
    } catch (error) {
      setProblem(problemOf(error))
      setSending(false)
    }
  }
  return (
    <section class="panel approval" aria-label={`Question ${id}`} data-id={id}>
      <header>
        <h2>
          <Text of={agent_title} /> asks
        </h2>
        <Countdown deadline={approval.deadline} />
        {!approval.waits && (
          <Chip tone="bad">its agent does not wait any more: a yes is for its next equal call</Chip>
        )}
        {approval.repeats && <Chip tone="bad">the same was refused before, in other words</Chip>}
        {approval.approvals > 1 && <Chip tone="warn">needs {approval.approvals} people</Chip>}
      </header>
      <p>
        <Text of={why} /> <span class="soft">({hooks.join(', ')})</span>
      </p>
      <Code of={inputText(approval)} />
      <dl class="facts">
        <dt>in</dt>
        <dd class="mono">
          <Text of={work_dir} />
        </dd>
        <dt>does</dt>
        <dd>
          {acts.length === 0
            ? 'unknown'
            : acts.map((act, at) => (
                <div key={at}>
                  {act.does.replaceAll('_', ' ')}{' '}
                  <Text of={[act.path, act.host, act.program].filter(Boolean).join(' ')} />
                  {!act.certain && <span class="soft"> (guessed)</span>}
                </div>
              ))}
        </dd>
        {scripts.length > 0 && (
          <>
            <dt>scripts</dt>
            <dd class="mono">
              {scripts.map((script) => (
                <div key={script.path}>
                  <Text of={script.path} /> {script.digest?.slice(0, 12) ?? 'could not be read'}
                </div>
              ))}
            </dd>
          </>
        )}
        <dt>session</dt>
        <dd class="mono">
          <Text of={session_id || 'unknown'} />
        </dd>
        <dt>digest</dt>
        <dd class="mono">{digest.slice(0, 16)}</dd>
      </dl>
      {run_up.length > 0 && (
        <details>
          <summary>What happened before ({run_up.length})</summary>
          <ol>
            {run_up.map((earlier, at) => (
              <li key={at}>
                <DecisionChip decision={earlier.decision} /> <Text of={earlier.tool_name} />{' '}
                <Text of={earlier.detail} brief={120} /> <Ago at={earlier.at} />
              </li>
            ))}
          </ol>
        </details>
      )}
      {problem && <ProblemBox problem={problem} />}
      <form class="answer" onSubmit={(event) => event.preventDefault()}>
        <label>
          Message to the model{' '}
          <input value={words} maxLength={2000} onInput={(event) => setWords(event.currentTarget.value)} />
        </label>
        <label>
          Yes holds for{' '}
          <select value={scope} onChange={(event) => setScope(event.currentTarget.value)}>
            <option value="once">this call</option>
            <option value="session">this session, 8 hours</option>
            <option value="project">this project, 8 hours</option>
          </select>
        </label>
        {people.length > 1 && (
          <label>
            Answer as{' '}
            <select value={by} onChange={(event) => setChosen(event.currentTarget.value)}>
              {people.map(({ name, passkey }) => (
                <option key={name} value={name}>
                  {passkey ? `${name}, with a passkey` : 'the person at this machine'}
                </option>
              ))}
            </select>
          </label>
        )}
        <button type="button" class="main" disabled={isSending} onClick={() => void answer('allow')}>
          Allow
        </button>
        <button type="button" disabled={isSending} onClick={() => void answer('deny')}>
          Deny
        </button>
      </form>
    </section>
  )
}

interface Answerer {
  name: string
  passkey?: PasskeyApprover
}

/** Who can answer on this page; those who are allowed to come first. */
function answerers({ approvers }: Approval): Answerer[] {
  const known = hasPasskeys ? passkeyApprovers.value : []
  const all: Answerer[] = [{ name: 'local' }, ...known.map((passkey) => ({ name: passkey.name, passkey }))]
  if (approvers.length === 0) return all
  const may = all.filter(({ name }) => approvers.includes(name))
  // Nobody here: the host says who may.
  return may.length > 0 ? may : [{ name: 'local' }]
}

function inputText({ input, tool_name }: Approval): string {
  if (typeof input !== 'object' || input === null) return tool_name
  const fields = Object.entries(input)
  if (fields.length === 1 && typeof fields[0]![1] === 'string') return fields[0]![1]
  return fields
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value, null, 2)}`)
    .join('\n')
}

interface Grant {
  id: string
  scope: string
  until: string
  agent: string
  by: string[]
  summary: string
}

function Grants({ on }: { on: unknown }) {
  const { data, reload } = useLoad((signal) => get<{ grants: Grant[] }>('/v1/grants', {}, signal), {
    on: [on],
    every: 10_000,
  })
  if (!data || data.grants.length === 0) return null
  const revoke = (id: string) => void remove(`/v1/grants/${id}`).finally(reload)
  return (
    <section>
      <h2>Grants</h2>
      {data.grants.map(({ id, scope, until, agent, by, summary }) => (
        <p key={id} data-grant={id}>
          <Chip>{scope}</Chip> <Text of={summary} brief={160} />{' '}
          <span class="soft">
            {agent}, by {by.join(', ')}, until {new Date(until).toLocaleString()}
          </span>{' '}
          <button type="button" onClick={() => revoke(id)}>
            Revoke
          </button>
        </p>
      ))}
    </section>
  )
}

function NotifyButton() {
  const isKnown = 'Notification' in window
  const [permission, setPermission] = useState(isKnown ? Notification.permission : 'denied')
  if (permission !== 'default') return null
  return (
    <p>
      <button type="button" onClick={() => void Notification.requestPermission().then(setPermission)}>
        Tell me on the desktop when an agent asks
      </button>
    </p>
  )
}
