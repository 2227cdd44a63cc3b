/** Agents by events: installed, called, obeyed, and how much of the agent's own time limit hooks use. */

import { useSignal } from '@preact/signals'
import { get, type Problem, post } from '../api.ts'
import { problemOf, useLoad } from '../load.ts'
import { link, thing } from '../router.ts'
import type { Agent, AgentEvent } from '../types.ts'
import { Chip, type Tone } from '../ui/chip.tsx'
import { Empty, ProblemBox } from '../ui/empty.tsx'
import { Table } from '../ui/table.tsx'
import { Text } from '../ui/text.tsx'
import { Ago, duration } from '../ui/time.tsx'

interface Answer {
  checked_at: string | null
  agents: Agent[]
}

/** What doctor says of an event, in a word, a mark and a colour. */
const STATES: Readonly<Record<string, { mark: string; tone: Tone; words: string }>> = {
  obeyed: { mark: '✓', tone: 'good', words: 'obeyed: a canary got the deny that this agent obeys' },
  wired: { mark: '✓', tone: 'good', words: 'wired: crosshook hears of it; there is nothing to stop' },
  cannot: {
    mark: '–',
    tone: 'warn',
    words: 'cannot: crosshook hears of it, but this agent cannot be stopped here',
  },
  off: { mark: '·', tone: 'soft', words: 'off: crosshook does not listen' },
  missing: { mark: '✗', tone: 'bad', words: 'missing: there is no entry for it' },
  broken: { mark: '✗', tone: 'bad', words: 'broken: the entry does not work' },
  unchecked: { mark: '?', tone: 'plain', words: 'called, but not checked' },
}

export function View() {
  const answer = useLoad(() => get<Answer>('/v1/agents'), { every: 15_000 })
  const isChecking = useSignal(false)
  const failure = useSignal<Problem | undefined>(undefined)
  const check = async () => {
    isChecking.value = true
    failure.value = undefined
    try {
      await post('/v1/agents/check')
    } catch (error) {
      failure.value = problemOf(error)
    }
    isChecking.value = false
    answer.reload()
  }
  const { data, problem } = answer
  const chosen = data?.agents.find(({ id }) => id === thing.value)
  return (
    <>
      <div class="head">
        <h1>
          {chosen ? (
            <>
              <a href={link('agents')}>Agents</a> / {chosen.title}
            </>
          ) : (
            'Agents'
          )}
        </h1>
        {data && (
          <span class="soft">
            {data.checked_at === null ? (
              'never checked'
            ) : (
              <>
                checked <Ago at={data.checked_at} />
              </>
            )}
          </span>
        )}
        <span class="end row">
          <button
            type="button"
            class={data?.checked_at === null ? 'main' : ''}
            onClick={check}
            disabled={isChecking.value}
          >
            {isChecking.value ? 'Asking the agents…' : 'Check now'}
          </button>
        </span>
      </div>
      {failure.value && <ProblemBox problem={failure.value} />}
      {problem && problem.code !== 'lost' && <ProblemBox problem={problem} onRetry={answer.reload} />}
      {!data && !problem && <p class="loading">Looking…</p>}
      {data && data.agents.length === 0 && <NoAgents wasChecked={data.checked_at !== null} />}
      {data && data.agents.length > 0 && (chosen ? <One agent={chosen} /> : <Matrix agents={data.agents} />)}
    </>
  )
}

function NoAgents({ wasChecked }: { wasChecked: boolean }) {
  return (
    <Empty title={wasChecked ? 'No agent was found on this machine' : 'No agent has called yet'}>
      <p>
        {wasChecked
          ? 'Install one that crosshook knows (crosshook agents lists them), then wire it:'
          : 'Wire the agents of this machine, then check that they obey:'}{' '}
        <code>crosshook install</code>
      </p>
    </Empty>
  )
}

function Matrix({ agents }: { agents: readonly Agent[] }) {
  const wired = agents.filter(({ wired }) => wired !== false)
  const others = agents.filter(({ wired }) => wired === false)
  const columns = columnsOf(wired)
  return (
    <>
      {wired.map((agent) => (
        <Problems key={agent.id} agent={agent} />
      ))}
      {wired.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reached by keys
        <section class="matrix panel" tabIndex={0} aria-label="Agents by events">
          <table>
            <caption class="unseen">
              For each agent and event: is crosshook obeyed, and when was it called last
            </caption>
            <thead>
              <tr>
                <th scope="col">Agent</th>
                <th scope="col">Last call</th>
                {columns.map((event) => (
                  <th key={event} scope="col">
                    {event.replaceAll('_', ' ')}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {wired.map((agent) => (
                <tr key={agent.id}>
                  <th scope="row">
                    <a href={link('agents', agent.id)}>
                      <Text of={agent.title} brief={40} />
                    </a>
                  </th>
                  <td>
                    <Ago at={agent.last_called} />
                  </td>
                  {columns.map((event) => (
                    <td key={event}>
                      <Cell checks={agent.events.filter(({ canonical }) => canonical === event)} />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      <ul class="legend soft">
        {['obeyed', 'cannot', 'missing', 'off'].map((state) => (
          <li key={state}>
            <Mark state={state} /> {STATES[state]!.words}
          </li>
        ))}
      </ul>
      {others.length > 0 && (
        <section>
          <h2>Here, but not wired</h2>
          <p class="soft">No hook of yours guards them.</p>
          <Table
            caption="Agents on this machine that crosshook is not installed in"
            rows={others}
            keyOf={({ id }) => id}
            columns={[
              { head: 'Agent', isName: true, cell: ({ title }) => title },
              { head: 'Wire it with', cell: ({ id }) => <code>crosshook install {id}</code> },
            ]}
          />
        </section>
      )}
    </>
  )
}

/** Events that matter to some agent: wired, wrong, or called. */
function columnsOf(agents: readonly Agent[]): string[] {
  const weight = new Map<string, number>()
  for (const { events } of agents)
    for (const { canonical, state, last_called } of events)
      if (state !== 'off' || last_called !== null)
        weight.set(canonical, (weight.get(canonical) ?? 0) + weightOf(canonical, state))
  return [...weight].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0])).map(([event]) => event)
}

/** What can be stopped first; an agent's own events last. */
function weightOf(event: string, state: string): number {
  if (event.includes('/')) return 0
  return (state === 'obeyed' ? 3 : 1) + (COMMON.includes(event) ? 100 - COMMON.indexOf(event) : 0)
}

const COMMON = [
  'before_tool',
  'after_tool',
  'before_agent',
  'before_stop',
  'session_start',
  'permission_request',
]

function Mark({ state }: { state: string }) {
  const { mark, tone } = STATES[state] ?? STATES.unchecked!
  return (
    <Chip tone={tone}>
      <span aria-hidden="true">{mark}</span>
      <span class="unseen">{state}</span>
    </Chip>
  )
}

/** The worst of an agent's own events for this one. */
function Cell({ checks }: { checks: readonly AgentEvent[] }) {
  const worst = checks.find(({ state }) => state === 'missing' || state === 'broken') ?? checks[0]
  if (!worst) return <span class="soft unseen">has no such event</span>
  const { state, detail, last_called, event } = worst
  return (
    <span class="cell" title={`${event}: ${STATES[state]?.words ?? state}${detail ? `\n${detail}` : ''}`}>
      <Mark state={state} />
      {last_called && <Ago at={last_called} />}
      <Budget check={worst} />
    </span>
  )
}

/** The share of the agent's time limit from which it is shown: a hook that exceeds the limit no longer blocks. */
const MIN_SHOWN_SHARE = 0.1

function Budget({ check: { slowest_ms, limit_ms } }: { check: AgentEvent }) {
  if (!slowest_ms || !limit_ms || slowest_ms / limit_ms < MIN_SHOWN_SHARE) return null
  const used = Math.round((100 * slowest_ms) / limit_ms)
  return (
    <Chip
      tone={used > 50 ? 'bad' : 'warn'}
      title={`The slowest call took ${duration(slowest_ms)}; the agent waits ${duration(limit_ms)}.`}
    >
      {used} % of limit
    </Chip>
  )
}

function Problems({ agent }: { agent: Agent }) {
  return (
    <>
      {agent.problems.map(({ level, message, fix }) => (
        <div key={message} class="alarm" data-level={level} role={level === 'error' ? 'alert' : undefined}>
          <b>{agent.title}</b>: <Text of={message} />
          <div class="soft">
            <Text of={fix} />
          </div>
        </div>
      ))}
    </>
  )
}

function One({ agent }: { agent: Agent }) {
  return (
    <>
      <Problems agent={agent} />
      <p class="row soft">
        <span>
          last call <Ago at={agent.last_called} />
        </span>
        <a href={link('events', undefined, { agent: agent.id })}>its events</a>
      </p>
      <Table
        caption={`The events of ${agent.title}`}
        rows={agent.events}
        keyOf={({ event }) => event}
        columns={[
          { head: 'Event', isName: true, cell: ({ event }) => event },
          {
            head: 'Means',
            cell: ({ canonical }) => <span class="soft">{canonical.replaceAll('_', ' ')}</span>,
          },
          {
            head: 'State',
            cell: ({ state }) => (
              <Chip tone={STATES[state]?.tone ?? 'plain'} title={STATES[state]?.words ?? ''}>
                {state}
              </Chip>
            ),
          },
          { head: 'Last call', cell: ({ last_called }) => <Ago at={last_called} /> },
          { head: 'Slowest', isNumber: true, cell: ({ slowest_ms }) => duration(slowest_ms) },
          { head: 'Time limit', isNumber: true, cell: ({ limit_ms }) => duration(limit_ms) },
          {
            head: 'Left',
            isNumber: true,
            cell: ({ slowest_ms, limit_ms }) =>
              slowest_ms && limit_ms ? duration(Math.max(0, limit_ms - slowest_ms)) : '',
          },
          { head: 'Note', cell: ({ detail }) => <Text of={detail} /> },
        ]}
      />
      {[
        ...(agent.limits ?? []).map(({ what, events }) => `${what}: ${events.join(', ')}`),
        ...(agent.notes ?? []),
      ].length > 0 && (
        <section>
          <h2>What this agent cannot do</h2>
          <ul>
            {(agent.limits ?? []).map(({ what, events }) => (
              <li key={what}>
                {what}: <span class="soft">{events.join(', ')}</span>
              </li>
            ))}
            {(agent.notes ?? []).map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}
