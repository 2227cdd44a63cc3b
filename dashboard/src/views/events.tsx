/** Every event that the journal keeps: a list with filters, a session as a timeline, one event in full. */

import { useSignal } from '@preact/signals'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { get, reconnections, stream } from '../api.ts'
import { openEventList, PAGE_ROWS } from '../events-list.ts'
import { useLoad } from '../load.ts'
import { go, link, query, thing } from '../router.ts'
import type { Agent, HooksAnswer, JournalRecord } from '../types.ts'
import { Empty, ProblemBox } from '../ui/empty.tsx'
import { EventCells } from '../ui/event-row.tsx'
import { FilterBar, type FilterField } from '../ui/filters.tsx'
import { useNarrow } from '../ui/narrow.ts'
import { Text } from '../ui/text.tsx'
import { Ago } from '../ui/time.tsx'
import { VirtualList } from '../ui/virtual-list.tsx'
import { OneEventView } from './one-event.tsx'

export function View() {
  return thing.value === undefined ? <List /> : <OneEventView key={thing.value} seq={thing.value} />
}

const NAMES = [
  'text',
  'agent',
  'tool',
  'hook',
  'decision',
  'event',
  'session',
  'project',
  'since',
  'failed',
] as const

/** The values of each filter that occur on this machine. */
function useFields(): FilterField[] {
  const agents = useLoad(() => get<{ agents: Agent[] }>('/v1/agents')).data?.agents ?? []
  const hooks = useLoad(() => get<HooksAnswer>('/v1/hooks')).data?.hooks ?? []
  return [
    { name: 'text', label: 'Text', placeholder: 'anywhere in it', width: '13rem' },
    { name: 'decision', label: 'Decision', options: ['deny', 'ask', 'allow'] },
    { name: 'failed', isRare: true, label: 'Hooks', options: ['failed'] },
    { name: 'agent', isRare: true, label: 'Agent', options: agents.map(({ id }) => id) },
    { name: 'tool', isRare: true, label: 'Tool', placeholder: 'Shell', width: '8rem' },
    {
      name: 'hook',
      isRare: true,
      label: 'Hook',
      options: [...new Set(hooks.map(({ name }) => name))].sort(),
    },
    { name: 'event', isRare: true, label: 'Event', placeholder: 'before_tool', width: '9rem' },
    { name: 'session', isRare: true, label: 'Session', placeholder: 'id', width: '9rem' },
    { name: 'project', isRare: true, label: 'Project', placeholder: '/path', width: '9rem' },
    { name: 'since', label: 'Not older than', options: ['15m', '1h', '24h', '7d', '30d'] },
  ]
}

/** Pixels. On a narrow screen a row has two lines. */
const ROW = { wide: 30, narrow: 54 }

function List() {
  const fields = useFields()
  const given = query.value
  const filters = Object.fromEntries(NAMES.map((name) => [name, given[name]]))
  const key = JSON.stringify(filters)
  const [round, setRound] = useState(0)
  const list = useMemo(() => openEventList(filters), [key, round, reconnections.value])
  useEffect(() => () => list.close(), [list])
  const isNarrow = useNarrow()
  const count = list.total.value
  const version = list.version.value
  const isReady = version > 0
  const isSession = Boolean(given.session)
  return (
    <>
      <div class="head">
        <h1>{isSession ? 'Session' : 'Events'}</h1>
        <Count count={count} isComplete={list.isComplete.value} isReady={isReady} />
        <Newer since={list.newest.value} onShow={() => setRound((n) => n + 1)} isFiltered={key !== '{}'} />
      </div>
      <FilterBar fields={fields} />
      {isSession && <SessionHead first={list.at(0)} />}
      {list.problem.value && list.problem.value.code !== 'lost' && (
        <ProblemBox problem={list.problem.value} onRetry={() => setRound((n) => n + 1)} />
      )}
      {!isReady && <p class="loading">Looking…</p>}
      {isReady && count === 0 && !list.problem.value && (
        <Nothing isFiltered={Object.values(filters).some(Boolean)} />
      )}
      {count > 0 && (
        <VirtualList
          key={`${key} ${round}`}
          count={count}
          rowHeight={isNarrow ? ROW.narrow : ROW.wide}
          label={isSession ? 'Events of the session, newest first' : 'Events, newest first'}
          version={version}
          onRange={list.need}
          hrefOf={(index) => {
            const record = list.at(index)
            return record && link('events', String(record.seq))
          }}
          onOpen={(href) => go(href)}
          row={(index) => {
            const record = list.at(index)
            if (!record) return <span class="soft">…</span>
            return <EventCells record={record} since={isSession ? list.at(index + 1)?.at : undefined} />
          }}
        />
      )}
    </>
  )
}

function Count({ count, isComplete, isReady }: { count: number; isComplete: boolean; isReady: boolean }) {
  if (!isReady || count === 0) return null
  const shown = isComplete ? count : count - PAGE_ROWS
  return (
    <span class="soft" aria-live="polite">
      {shown.toLocaleString('en')}
      {isComplete ? '' : '+'} {shown === 1 ? 'event' : 'events'}
    </span>
  )
}

/** New events are shown after a click, so that the list does not move while somebody reads. */
function Newer({ since, onShow, isFiltered }: { since: number; onShow: () => void; isFiltered: boolean }) {
  const count = useSignal(0)
  useEffect(() => {
    count.value = 0
    if (since === 0) return
    return stream<JournalRecord>(`/v1/stream?after=${since}`, 'record', () => count.value++)
  }, [since])
  if (count.value === 0) return null
  return (
    <button type="button" class="end main" onClick={onShow}>
      {count.value.toLocaleString('en')} new{isFiltered ? ', of all kinds' : ''}: show
    </button>
  )
}

function SessionHead({ first }: { first: JournalRecord | undefined }) {
  if (!first) return null
  return (
    <p class="row soft">
      <span>
        <Text of={first.agent ?? first.source} /> in <Text of={first.work_dir} />
      </span>
      <span>
        last event <Ago at={first.at} />
      </span>
    </p>
  )
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered)
    return (
      <Empty title="No event matches these filters">
        <p>
          Remove a filter, or <a href={link('events')}>show all events</a>.
        </p>
      </Empty>
    )
  return (
    <Empty title="The journal is empty">
      <p>
        Wire an agent with <code>crosshook install</code> and let it use a tool, or fire an event yourself:
      </p>
      <p>
        <code>crosshook fire before_tool --tool Shell --input '{'{"command":"ls"}'}'</code>
      </p>
    </Empty>
  )
}
