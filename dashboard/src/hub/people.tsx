/** Who may look, answer and change; and by which ways the hub reaches them. */

import { useState } from 'preact/hooks'
import { get, me, type Problem, post, remove } from '../api.ts'
import { problemOf, useLoad } from '../load.ts'
import { Chip } from '../ui/chip.tsx'
import { Copy } from '../ui/copy.tsx'
import { ProblemBox } from '../ui/empty.tsx'
import { Table } from '../ui/table.tsx'
import { Text } from '../ui/text.tsx'
import { Ago } from '../ui/time.tsx'
import type { Person } from './types.ts'

const ROLES = {
  viewer: 'looks at everything',
  approver: 'also answers questions',
  admin: 'also changes people, machines and roll-outs',
} as const

/** Shown once: where it came from, and the secret. */
interface Secret {
  words: string
  text: string
}

export function View() {
  const { data, problem, reload } = useLoad(() => get<Person[]>('/v1/fleet/people'), { every: 10_000 })
  const [failure, setFailure] = useState<Problem>()
  const [secret, setSecret] = useState<Secret>()
  const isAdmin = me.value?.role === 'admin'
  const attempt = async (work: () => Promise<Secret | undefined>) => {
    setFailure(undefined)
    setSecret(undefined)
    try {
      setSecret(await work())
    } catch (error) {
      setFailure(problemOf(error))
    }
    reload()
  }
  const invite = (id: string) =>
    attempt(async () => {
      const { path } = await post<{ path: string }>('/v1/fleet/links', { person: id })
      return {
        words: `A link that signs ${id} in on this page, once, within a day:`,
        text: `${location.origin}${path}`,
      }
    })
  const take = (id: string) =>
    attempt(async () => {
      await remove(`/v1/fleet/people/${encodeURIComponent(id)}`)
      return undefined
    })
  if (problem && !data && problem.code !== 'lost') return <ProblemBox problem={problem} onRetry={reload} />
  if (!data) return <p class="loading">Looking…</p>
  const current = data.filter(({ revoked_at }) => revoked_at === null)
  return (
    <>
      <div class="head">
        <h1>People</h1>
      </div>
      {failure && <ProblemBox problem={failure} />}
      {secret && (
        <div class="alarm secret" role="status">
          {secret.words} <code>{secret.text}</code> <Copy text={secret.text}>Copy</Copy>
          <div class="soft">It is shown this once.</div>
        </div>
      )}
      <Table
        caption="People of this fleet"
        rows={current}
        keyOf={({ id }) => id}
        columns={[
          {
            head: 'Name',
            isName: true,
            cell: ({ id }) => (
              <div>
                <Text of={id} brief={60} /> {id === me.value?.id && <span class="soft plain">you</span>}
              </div>
            ),
          },
          {
            head: 'Role',
            cell: ({ role }) => (
              <div>
                <Chip>{role}</Chip> <span class="soft">{ROLES[role]}</span>
              </div>
            ),
          },
          { head: 'Signs in as', cell: ({ subject }) => <Text of={subject ?? ''} brief={60} /> },
          { head: 'Added', cell: ({ created_at }) => <Ago at={created_at} /> },
          {
            head: 'Change',
            cell: ({ id }) =>
              isAdmin && (
                <span class="row">
                  <button type="button" onClick={() => void invite(id)}>
                    Sign-in link
                  </button>
                  {id !== me.value?.id && <Remove id={id} onSure={() => void take(id)} />}
                </span>
              ),
          },
        ]}
      />
      {isAdmin && (
        <Add
          onAdd={(person) =>
            void attempt(async () => {
              const { token } = await post<{ token: string }>('/v1/fleet/people', person)
              return { words: `The token of ${person.id}, for crosshook fleet login:`, text: token }
            })
          }
        />
      )}
      <Channels />
    </>
  )
}

function Remove({ id, onSure }: { id: string; onSure: () => void }) {
  const [isSure, setSure] = useState(false)
  return (
    <button type="button" onClick={() => (isSure ? onSure() : setSure(true))} onBlur={() => setSure(false)}>
      {isSure ? `Yes, remove ${id}` : 'Remove'}
    </button>
  )
}

function Add({ onAdd }: { onAdd: (person: { id: string; role: string; subject: string | null }) => void }) {
  const [id, setId] = useState('')
  const [role, setRole] = useState('viewer')
  const [subject, setSubject] = useState('')
  return (
    <section aria-labelledby="add">
      <div class="head">
        <h2 id="add">Add somebody</h2>
      </div>
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault()
          onAdd({ id, role, subject: subject === '' ? null : subject })
          setId('')
          setSubject('')
        }}
      >
        <label>
          <span>Name</span>
          <input
            required
            value={id}
            maxLength={100}
            pattern="[\w.@+\-]+"
            onInput={(event) => setId(event.currentTarget.value)}
          />
        </label>
        <label>
          <span>Role</span>
          <select value={role} onChange={(event) => setRole(event.currentTarget.value)}>
            {Object.keys(ROLES).map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span>Mail or subject at the identity provider</span>
          <input value={subject} maxLength={300} onInput={(event) => setSubject(event.currentTarget.value)} />
        </label>
        <button type="submit" class="main">
          Add
        </button>
      </form>
    </section>
  )
}

interface Settings {
  channels: Record<string, { host: string; people?: Record<string, string> }>
  retention_days: number | null
  threshold: number
  oidc: { issuer: string }[]
}

function Channels() {
  const { data } = useLoad(() => get<Settings>('/v1/fleet/settings'))
  if (!data) return null
  const channels = Object.entries(data.channels)
  return (
    <section aria-labelledby="channels">
      <div class="head">
        <h2 id="channels">How people are reached</h2>
      </div>
      <dl class="facts">
        <div>
          <dt>this page</dt>
          <dd>always</dd>
        </div>
        {channels.map(([name, { host, people = {} }]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <Text of={host} brief={60} />
              {Object.keys(people).length > 0 && (
                <span class="soft"> for {Object.values(people).join(', ')}</span>
              )}
            </dd>
          </div>
        ))}
        <div>
          <dt>signatures for a policy</dt>
          <dd>{data.threshold}</dd>
        </div>
        <div>
          <dt>records are kept</dt>
          <dd>{data.retention_days ?? 90} days</dd>
        </div>
      </dl>
      <p class="soft">
        Webhook, Slack and ntfy are set with <code>crosshook fleet channels</code>, since that takes their
        secrets.
      </p>
    </section>
  )
}
