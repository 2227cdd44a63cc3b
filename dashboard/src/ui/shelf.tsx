/** Ready hooks to read and take, and templates to start from: what each needs, and what it would have done here. */

import { useState } from 'preact/hooks'
import { get, type Problem, post } from '../api.ts'
import type { History, HookFile, Need } from '../builder/state.ts'
import { HistoryView } from '../builder/tried.tsx'
import { problemOf, useLoad } from '../load.ts'
import { link, query, thing } from '../router.ts'
import { Chip } from './chip.tsx'
import { Empty, ProblemBox } from './empty.tsx'
import { FilterBar } from './filters.tsx'
import { Code, Text } from './text.tsx'

type Shelf = 'gallery' | 'templates'

interface Row {
  name: string
  description: string
  event: string
  runs: string
  matches: string
  needs: Need[]
  level: string | null
  goes_with: string[]
  hint: string | null
  installed: string | null
}

const WORDS = {
  gallery: {
    title: 'Gallery',
    intro: 'Ready hooks that came with crosshook, each with cases that are tested.',
  },
  templates: { title: 'Templates', intro: 'Hooks to start from: open one in the builder and make it yours.' },
} as const

export function ShelfView({ shelf }: { shelf: Shelf }) {
  return thing.value === undefined ? (
    <List shelf={shelf} />
  ) : (
    <One key={thing.value} shelf={shelf} name={thing.value} />
  )
}

function List({ shelf }: { shelf: Shelf }) {
  const { text = '', event, runs } = query.value
  const { data, problem, reload } = useLoad<{ hooks: Row[] }>((signal) => get(`/v1/${shelf}`, {}, signal))
  const all = data?.hooks ?? []
  const wanted = text.toLowerCase().split(/\s+/).filter(Boolean)
  const rows = all.filter((row) => {
    const words = [
      row.name,
      row.description,
      row.event,
      row.matches,
      row.hint ?? '',
      ...row.needs.map((need) => need.text),
    ]
      .join(' ')
      .toLowerCase()
    return (
      wanted.every((word) => words.includes(word)) &&
      (!event || row.event === event) &&
      (!runs || row.runs === runs)
    )
  })
  const some = (field: 'event' | 'runs') => [...new Set(all.map((row) => row[field]))].sort()
  return (
    <>
      <div class="head">
        <h1>{WORDS[shelf].title}</h1>
        <span class="soft">{WORDS[shelf].intro}</span>
      </div>
      <FilterBar
        fields={[
          { name: 'text', label: 'search', placeholder: 'secrets, push, format…', width: '16rem' },
          { name: 'event', label: 'event', options: some('event') },
          { name: 'runs', label: 'runs', options: some('runs') },
        ]}
      />
      {problem && <ProblemBox problem={problem} onRetry={reload} />}
      {data && rows.length === 0 && (
        <Empty title="Nothing matches">
          <p>Search for fewer words.</p>
        </Empty>
      )}
      <ul class="shelf">
        {rows.map((row) => (
          <li key={row.name} class="panel">
            <div class="head">
              <h2>
                <a href={link(shelf, row.name)}>{row.name}</a>
              </h2>
              {row.installed && <Chip tone="good">installed</Chip>}
              {row.level && <Chip>{row.level} guard</Chip>}
            </div>
            <p>{row.description}</p>
            {row.hint && <p class="soft">{row.hint}</p>}
            <p class="row">
              <Chip>{row.event}</Chip>
              <Needs needs={row.needs} />
            </p>
            {shelf === 'templates' && (
              <a href={link('builder', undefined, { template: row.name })}>Open in the builder</a>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

function Needs({ needs }: { needs: readonly Need[] }) {
  return (
    <>
      {needs.map(({ text, risk }) => (
        <Chip key={text} tone={risk ? 'warn' : 'soft'}>
          {text}
        </Chip>
      ))}
    </>
  )
}

interface Whole extends Row {
  files: HookFile[]
  history: History
}

function One({ shelf, name }: { shelf: Shelf; name: string }) {
  const { data, problem, reload } = useLoad<Whole>((signal) =>
    get(`/v1/${shelf}/${encodeURIComponent(name)}`, {}, signal),
  )
  return (
    <>
      <p>
        <a href={link(shelf)}>← {WORDS[shelf].title}</a>
      </p>
      {problem && <ProblemBox problem={problem} onRetry={reload} />}
      {data && (
        <>
          <div class="head">
            <h1>{data.name}</h1>
            <Chip>{data.event}</Chip>
            {data.level && <Chip>{data.level} guard</Chip>}
            {data.installed && (
              <Chip tone="good">
                installed for {data.installed === 'user' ? 'you' : `the ${data.installed}`}
              </Chip>
            )}
            <span class="end row">
              {shelf === 'gallery' && !data.installed && <Add name={name} onAdded={reload} />}
              <a
                href={link(
                  'builder',
                  undefined,
                  shelf === 'gallery' ? { gallery: name } : { template: name },
                )}
              >
                Open a copy in the builder
              </a>
            </span>
          </div>
          <p>{data.description}</p>
          {data.hint && <p class="soft">{data.hint}</p>}
          <div class="two">
            <section class="panel pad">
              <h2>What it needs</h2>
              <ul class="requires">
                {data.needs.map(({ text, risk }) => (
                  <li key={text} data-risk={risk ? '' : undefined}>
                    {text}
                  </li>
                ))}
              </ul>
              {data.matches && (
                <p class="soft">
                  Applies to: <Text of={data.matches} />
                </p>
              )}
              {data.goes_with.length > 0 && (
                <p class="soft">
                  Goes well with{' '}
                  {data.goes_with.map((other, i) => (
                    <span key={other}>
                      {i > 0 && ', '}
                      <a href={link(shelf, other)}>{other}</a>
                    </span>
                  ))}
                </p>
              )}
            </section>
            <section class="panel pad">
              <h2>What it would have done here</h2>
              <HistoryView history={data.history} />
            </section>
          </div>
          {data.files.map(({ path, text }, i) => (
            <details key={path} class="file" open={i === 0}>
              <summary class="mono">{path}</summary>
              <Code of={text} />
            </details>
          ))}
        </>
      )}
    </>
  )
}

function Add({ name, onAdded }: { name: string; onAdded: () => void }) {
  const [state, setState] = useState<'idle' | 'adding' | Problem>('idle')
  const add = async () => {
    setState('adding')
    try {
      await post(`/v1/gallery/${encodeURIComponent(name)}/add`, { scope: 'user' })
      setState('idle')
      onAdded()
    } catch (error) {
      setState(problemOf(error))
    }
  }
  return (
    <>
      {typeof state === 'object' && <ProblemBox problem={state} />}
      <button type="button" class="main" disabled={state === 'adding'} onClick={add}>
        {state === 'adding' ? 'Adding…' : 'Add'}
      </button>
    </>
  )
}
