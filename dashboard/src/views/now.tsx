/** What needs a person, then what happens. */

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { get, reconnections, stream } from '../api.ts'
import { problemOf, useLoad } from '../load.ts'
import { filterBy, link, query } from '../router.ts'
import type { AttentionItem, JournalRecord, SearchResult } from '../types.ts'
import { Chip } from '../ui/chip.tsx'
import { Copy } from '../ui/copy.tsx'
import { Empty, ProblemBox } from '../ui/empty.tsx'
import { EventCells } from '../ui/event-row.tsx'
import { Text } from '../ui/text.tsx'
import { Ago } from '../ui/time.tsx'

export function View() {
  return (
    <>
      <Needs />
      <Live />
    </>
  )
}

const REFRESH_MS = 15_000
const WORDS: Readonly<Record<string, string>> = {
  failure: 'failed guard',
  trust: 'trust',
  broken: 'does not load',
  wiring: 'agent',
  setup: 'set-up',
  drift: 'edited',
  approval: 'waits for you',
  storage: 'host',
  check: 'check',
}
const TONES = { error: 'bad', warning: 'warn', note: 'plain' } as const

function Needs() {
  const { data, problem, reload } = useLoad(() => get<{ items: AttentionItem[] }>('/v1/attention'), {
    every: REFRESH_MS,
  })
  const items = data?.items
  const urgent = items?.filter(({ level }) => level !== 'note').length ?? 0
  return (
    <section aria-labelledby="needs">
      <div class="head">
        <h1 id="needs">
          {items === undefined
            ? 'Needs you'
            : urgent === 0
              ? 'Nothing needs you'
              : `${urgent} ${urgent === 1 ? 'thing needs' : 'things need'} you`}
        </h1>
        {items !== undefined && urgent === 0 && (
          <span class="soft">
            No guard failed, nothing waits for trust or an answer, agents are wired as they were.
          </span>
        )}
      </div>
      {problem && problem.code !== 'lost' && <ProblemBox problem={problem} onRetry={reload} />}
      {items === undefined && !problem && <p class="loading">Looking…</p>}
      {items && items.length > 0 && (
        <ul class="needs panel">
          {items.map((item) => (
            <Need key={item.id} item={item} />
          ))}
        </ul>
      )}
    </section>
  )
}

function Need({ item }: { item: AttentionItem }) {
  const { kind, level, title, detail, fix, link: href, at } = item
  const isCommand = /^(?:crosshook|cd) /.test(fix)
  return (
    <li data-level={level}>
      <Chip tone={TONES[level]}>{WORDS[kind] ?? kind}</Chip>
      <div class="matter">
        <div class="title">
          {href ? (
            <a href={href}>
              <Text of={title} />
            </a>
          ) : (
            <Text of={title} />
          )}
        </div>
        {detail && (
          <div class="soft">
            <Text of={detail} brief={400} />
          </div>
        )}
        {fix && (
          <div class="fix">
            {isCommand ? (
              <code>
                <Text of={fix} brief={300} />
              </code>
            ) : (
              <span class="soft">
                <Text of={fix} brief={400} />
              </span>
            )}
            {isCommand && <Copy text={fix}>Copy</Copy>}
          </div>
        )}
      </div>
      <span class="soft at">{at && <Ago at={at} />}</span>
    </li>
  )
}

/** More are in the view of events. */
const MAX_ROWS = 150
const FIRST_ROWS = 60

function Live() {
  const records = useSignal<JournalRecord[] | undefined>(undefined)
  const problem = useSignal<ReturnType<typeof problemOf> | undefined>(undefined)
  const isPaused = useSignal(false)
  const onlyDecided = query.value.show === 'decided'
  const found = reconnections.value
  useEffect(() => {
    let close = () => {}
    let isGone = false
    get<SearchResult>('/v1/journal/search', { limit: FIRST_ROWS }).then(
      (first) => {
        if (isGone) return
        records.value = first.records
        problem.value = undefined
        close = stream<JournalRecord>(`/v1/stream?after=${first.last}`, 'record', (record) => {
          if (!isPaused.value) records.value = [record, ...(records.value ?? [])].slice(0, MAX_ROWS)
        })
      },
      (error: unknown) => {
        problem.value = problemOf(error)
      },
    )
    return () => {
      isGone = true
      close()
    }
  }, [found])
  const shown = records.value?.filter((record) => !onlyDecided || isDecided(record))
  return (
    <section aria-labelledby="live">
      <div class="head">
        <h2 id="live">Live</h2>
        <label class="check">
          <input
            type="checkbox"
            checked={onlyDecided}
            onChange={(event) => filterBy({ show: event.currentTarget.checked ? 'decided' : '' })}
          />{' '}
          only what was stopped, asked, changed or failed
        </label>
        <span class="end row">
          <button
            type="button"
            aria-pressed={isPaused.value}
            onClick={() => (isPaused.value = !isPaused.value)}
          >
            {isPaused.value ? 'Go on' : 'Pause'}
          </button>
          <a href={link('events')}>All events</a>
        </span>
      </div>
      {problem.value && problem.value.code !== 'lost' && <ProblemBox problem={problem.value} />}
      {shown && shown.length === 0 && (
        <Empty title={onlyDecided ? 'Nothing was stopped lately' : 'No event has come yet'}>
          {onlyDecided ? (
            <p>Every call of the last {records.value?.length} went on.</p>
          ) : (
            <p>
              Wire an agent with <code>crosshook install</code>, start it anew and let it use a tool; or watch
              a small agent meet the gallery's guards with <code>crosshook demo</code>.
            </p>
          )}
        </Empty>
      )}
      {shown && shown.length > 0 && (
        <ol class="events panel">
          {shown.map((record) => (
            <li key={record.seq}>
              <a class="event" href={link('events', String(record.seq))}>
                <EventCells record={record} />
              </a>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

function isDecided({ decision, hooks, stop }: JournalRecord): boolean {
  return (
    decision !== 'allow' ||
    stop !== null ||
    hooks.some(
      ({ status, rewrote, asked }) => status === 'failed' || status === 'timed_out' || rewrote || asked,
    )
  )
}
