/** One event: what it does, what each hook said, what the agent got. */

import { useEffect } from 'preact/hooks'
import { get } from '../api.ts'
import { useLoad } from '../load.ts'
import { go, link } from '../router.ts'
import type { Act, HookReport, JournalRecord, OneEvent } from '../types.ts'
import { Chip, DecisionChip, StatusChip } from '../ui/chip.tsx'
import { Copy } from '../ui/copy.tsx'
import { Empty, ProblemBox } from '../ui/empty.tsx'
import { Code, Text } from '../ui/text.tsx'
import { Ago, duration, Moment } from '../ui/time.tsx'

export function OneEventView({ seq }: { seq: string }) {
  const { data, problem, reload } = useLoad(() => get<OneEvent>(`/v1/journal/${encodeURIComponent(seq)}`), {
    on: [seq],
  })
  useEffect(() => {
    const press = ({ key, target }: KeyboardEvent) => {
      if ((target as Element).closest('input, select, textarea')) return
      const to = key === '[' ? data?.previous : key === ']' ? data?.next : undefined
      if (to) go(link('events', String(to)))
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [data])
  if (problem?.status === 404)
    return (
      <Empty title="The journal does not have this event">
        <p>
          It may have been removed because of its age. <a href={link('events')}>All events</a>
        </p>
      </Empty>
    )
  if (problem && !data) return <ProblemBox problem={problem} onRetry={reload} />
  if (!data) return <p class="loading">Looking…</p>
  const { record } = data
  return (
    <article class="one-event">
      <Head data={data} />
      {record.reason && (
        <p class="reason" data-decision={record.decision}>
          <Text of={record.reason} />
        </p>
      )}
      {record.detail && <Code of={record.detail} />}
      <div class="pair">
        <section aria-labelledby="verdicts">
          <h2 id="verdicts">Hooks</h2>
          <Verdicts record={record} sent={data.sent} />
        </section>
        <section aria-labelledby="acts">
          <h2 id="acts">What it does</h2>
          <Acts acts={data.acts} lacks={data.lacks} />
          <h2>What the agent got</h2>
          <Reply record={record} />
        </section>
      </div>
    </article>
  )
}

function Head({ data: { record, previous, next, fire, case: text } }: { data: OneEvent }) {
  const { session_id: session, agent, work_dir: project } = record
  return (
    <>
      <div class="head">
        <h1>
          <a href={link('events')}>Events</a> / <Text of={record.tool_name ?? record.event} brief={60} />
        </h1>
        <DecisionChip decision={record.decision} />
        <span class="end row">
          <Copy text={fire}>Copy as crosshook fire</Copy>
          <Copy text={text}>Copy as a case</Copy>
        </span>
      </div>
      <dl class="facts">
        <div>
          <dt>when</dt>
          <dd>
            <Moment at={record.at} />{' '}
            <span class="soft">
              (<Ago at={record.at} />)
            </span>
          </dd>
        </div>
        <div>
          <dt>event</dt>
          <dd>{record.event}</dd>
        </div>
        <div>
          <dt>agent</dt>
          <dd>
            {agent ? (
              <a href={link('events', undefined, { agent })}>
                <Text of={agent} />
              </a>
            ) : (
              <span class="soft">none ({record.source})</span>
            )}
          </dd>
        </div>
        <div>
          <dt>project</dt>
          <dd>
            {project ? (
              <a href={link('events', undefined, { project })}>
                <Text of={project} />
              </a>
            ) : (
              '–'
            )}
          </dd>
        </div>
        <div>
          <dt>session</dt>
          <dd>
            {session ? (
              <a href={link('events', undefined, { session })}>
                <Text of={session} brief={40} />
              </a>
            ) : (
              '–'
            )}
            {previous !== null && (
              <>
                {' '}
                ·{' '}
                <a href={link('events', String(previous))} title="[">
                  before
                </a>
              </>
            )}
            {next !== null && (
              <>
                {' '}
                ·{' '}
                <a href={link('events', String(next))} title="]">
                  after
                </a>
              </>
            )}
          </dd>
        </div>
        <div>
          <dt>took</dt>
          <dd>{duration(record.duration_ms)}</dd>
        </div>
        <div>
          <dt>record</dt>
          <dd class="soft">{record.seq}</dd>
        </div>
      </dl>
    </>
  )
}

function Verdicts({ record, sent }: { record: JournalRecord; sent: OneEvent['sent'] }) {
  if (record.hooks.length === 0)
    return <p class="soft">No hook is for this event: nobody was asked, and it went on.</p>
  return (
    <ul class="verdicts panel">
      {record.hooks.map((hook, i) => (
        <li key={`${i} ${hook.name}`}>
          <div class="row">
            <b>
              <a href={link('events', undefined, { hook: hook.name })}>
                <Text of={hook.name} brief={60} />
              </a>
            </b>
            <StatusChip status={hook.status} why={hook.skipped} />
            {MARKS.filter(([field]) => hook[field]).map(([field, word]) => (
              <Chip key={field}>{word}</Chip>
            ))}
            <span class="end soft">
              {hook.status === 'skipped' ? '' : duration(hook.duration_ms)}
              {hook.attempts > 1 ? `, ${hook.attempts} attempts` : ''}
              {hook.exit_code === null || hook.exit_code === undefined ? '' : `, exit ${hook.exit_code}`}
            </span>
          </div>
          {hook.reason && (
            <p>
              <Text of={hook.reason} />
            </p>
          )}
          {hook.error && (
            <p class="bad">
              <Text of={hook.error} />
            </p>
          )}
          {(hook.warnings ?? []).map((warning) => (
            <p key={warning} class="soft">
              <Text of={warning} />
            </p>
          ))}
          {hook.log && (
            <p class="soft">
              <Text of={hook.log} />
            </p>
          )}
          <Sent sent={sent.find((each) => each.hook === hook.name)} />
        </li>
      ))}
    </ul>
  )
}

const MARKS: readonly (readonly [keyof HookReport, string])[] = [
  ['asked', 'asked'],
  ['rewrote', 'changed the input'],
  ['cached', 'answer kept from before'],
  ['confined', 'ran confined'],
  ['confines', 'confines the command'],
  ['background', 'in the background'],
]

function Sent({ sent }: { sent: OneEvent['sent'][number] | undefined }) {
  if (!sent) return null
  if (sent.text === undefined) return <p class="soft">{sent.problem}</p>
  return (
    <details>
      <summary>What it is sent</summary>
      <p class="soft">Made again from the journal, which keeps no secrets and of an input one field.</p>
      <Code of={sent.text} />
    </details>
  )
}

function Acts({ acts, lacks }: { acts: readonly Act[]; lacks: readonly string[] }) {
  return (
    <>
      {acts.length === 0 && <p class="soft">Nothing that is known.</p>}
      {acts.length > 0 && (
        <ul class="acts">
          {acts.map((act, i) => (
            <li key={`${i} ${act.does}`}>
              <Chip tone={act.does === 'unknown' ? 'warn' : STRONG.has(act.does) ? 'bad' : 'plain'}>
                {act.does.replaceAll('_', ' ')}
              </Chip>{' '}
              <span class="mono">
                <Text of={act.path ?? act.host ?? act.command ?? act.program ?? ''} brief={160} />
              </span>
              {act.recursive && ' and all below'}
              {(act.places?.length || act.why || !act.certain) && (
                <span class="soft">
                  {' '}
                  <Text
                    of={[act.places?.join(', '), act.why, act.certain ? '' : 'a guess']
                      .filter(Boolean)
                      .join('; ')}
                  />
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      {lacks.map((sentence) => (
        <p key={sentence} class="soft">
          Not known: {sentence}.
        </p>
      ))}
    </>
  )
}

const STRONG: ReadonlySet<string> = new Set([
  'delete',
  'rewrite_history',
  'discard_work',
  'change_guards',
  'reveal_secret',
  'escalate',
  'kill',
  'publish',
])

function Reply({ record: { reply, derived, dropped, agent, stop } }: { record: JournalRecord }) {
  return (
    <>
      {derived && <p class="soft">The agent has no such event: derived {derived}.</p>}
      {!agent && <p class="soft">No agent asked: the event was fired.</p>}
      {agent && !reply && !derived && <p class="soft">Nothing but to go on.</p>}
      {stop && (
        <p>
          It was told to stop: <Text of={stop} />
        </p>
      )}
      {reply && (
        <>
          <p class="soft">exit code {reply.exit_code}</p>
          {reply.stdout.trim() && <Code of={pretty(reply.stdout)} />}
          {reply.stderr.trim() && <Code of={reply.stderr} />}
        </>
      )}
      {dropped && dropped.length > 0 && <p class="soft">This agent cannot do: {dropped.join(', ')}</p>}
    </>
  )
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
