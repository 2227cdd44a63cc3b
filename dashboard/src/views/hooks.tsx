/** Hooks: whose they are, whether they may run, how they do; trust with the diff; failures to settle. */

import { useSignal } from '@preact/signals'
import { get, type Problem, post } from '../api.ts'
import { problemOf, useLoad } from '../load.ts'
import { link, query, thing } from '../router.ts'
import type { HookItem, HooksAnswer } from '../types.ts'
import { Chip, type Tone } from '../ui/chip.tsx'
import { Empty, ProblemBox } from '../ui/empty.tsx'
import { FilterBar } from '../ui/filters.tsx'
import { Table } from '../ui/table.tsx'
import { Text } from '../ui/text.tsx'
import { Failures } from './failures.tsx'
import { OneHook } from './one-hook.tsx'

export function View() {
  const answer = useLoad(() => get<HooksAnswer>('/v1/hooks'), { every: 15_000 })
  const { data, problem, reload } = answer
  if (problem && problem.code !== 'lost' && !data) return <ProblemBox problem={problem} onRetry={reload} />
  if (!data) return <p class="loading">Looking…</p>
  if (thing.value !== undefined)
    return <OneHook key={thing.value} id={thing.value} answer={data} reload={reload} />
  const isFailures = query.value.show === 'failures'
  const failures = data.hooks.reduce((sum, hook) => sum + hook.failures, 0)
  return (
    <>
      <div class="head">
        <h1>Hooks</h1>
        <nav class="tabs" aria-label="Kinds">
          <a href={link('hooks')} aria-current={isFailures ? undefined : 'page'}>
            All {data.hooks.length}
          </a>
          <a
            href={link('hooks', undefined, { show: 'failures' })}
            aria-current={isFailures ? 'page' : undefined}
          >
            Failures {failures > 0 && <Chip tone="bad">{failures}</Chip>}
          </a>
        </nav>
      </div>
      {isFailures ? <Failures onSettled={reload} /> : <List data={data} reload={reload} />}
    </>
  )
}

const SCOPES = ['managed', 'user', 'project', 'source', 'sdk']
const STATES = ['runs', 'in shadow', 'waits for trust', 'off', 'failing', 'has problems']

function List({ data, reload }: { data: HooksAnswer; reload: () => void }) {
  const { q = '', scope, state } = query.value
  const shown = data.hooks
    .toSorted(byNeed)
    .filter(
      (hook) =>
        (!scope || hook.scope === scope) &&
        (!state ||
          stateOf(hook).words === state ||
          (state === 'failing' && hook.failures > 0) ||
          (state === 'has problems' && hook.problems.length > 0)) &&
        `${hook.name} ${hook.description ?? ''} ${hook.events.join(' ')} ${hook.file}`
          .toLowerCase()
          .includes(q.toLowerCase()),
    )
  return (
    <>
      <FilterBar
        fields={[
          { name: 'q', label: 'Text', placeholder: 'name, event, file', width: '14rem' },
          { name: 'scope', label: 'Whose', options: SCOPES },
          { name: 'state', label: 'State', options: STATES },
        ]}
      />
      {data.broken.map(({ name, file, problems }) => (
        <div key={`${file} ${name}`} class="alarm" data-level="error">
          <b>
            <Text of={name} />
          </b>{' '}
          does not load: <Text of={problems[0]?.message} />
          <div class="soft">
            <Text of={`${file}${problems[0]?.line ? `:${problems[0].line}` : ''}`} /> ·{' '}
            <Text of={problems[0]?.fix} />
          </div>
        </div>
      ))}
      {data.hooks.length === 0 && data.broken.length === 0 && (
        <Empty title="No hooks yet">
          <p>
            Take the guards that most people want: <code>crosshook add guards</code>
          </p>
          <p>
            Or start one of your own: <code>crosshook new my-hook --user</code>
          </p>
        </Empty>
      )}
      {data.hooks.length > 0 && shown.length === 0 && (
        <Empty title="No hook matches these filters">
          <p>
            <a href={link('hooks')}>Show all</a>
          </p>
        </Empty>
      )}
      {shown.length > 0 && (
        <Table
          caption="Hooks"
          rows={shown}
          keyOf={({ id }) => id}
          columns={[
            {
              head: 'Hook',
              isName: true,
              cell: (hook) => (
                <>
                  <a href={link('hooks', hook.id)}>
                    <Text of={hook.name} brief={60} />
                  </a>
                  {hook.description && (
                    <div class="soft plain">
                      <Text of={hook.description} brief={140} />
                    </div>
                  )}
                </>
              ),
            },
            {
              head: 'When',
              cell: ({ events }) => (
                <span class="soft">{events.map((event) => event.replaceAll('_', ' ')).join(', ')}</span>
              ),
            },
            {
              head: 'Whose',
              cell: ({ scope, work_dir, file }) => (
                <span title={file}>
                  {scope === 'user' ? 'yours' : scope}
                  {work_dir && (
                    <span class="soft">
                      {' '}
                      <Text of={work_dir.split('/').at(-1)} brief={30} />
                    </span>
                  )}
                </span>
              ),
            },
            {
              head: 'From',
              cell: ({ source, signer, format }) =>
                source ? (
                  <>
                    <Text of={source} brief={30} />
                    {signer && (
                      <>
                        {' '}
                        <Chip tone="good">signed</Chip>
                      </>
                    )}
                  </>
                ) : (
                  <span class="soft">{format}</span>
                ),
            },
            {
              head: 'If it fails',
              cell: ({ on_failure }) =>
                on_failure === 'closed' ? 'blocks' : <span class="soft">goes on</span>,
            },
            { head: 'State', cell: (hook) => <State hook={hook} /> },
            { head: 'On', cell: (hook) => <Switch hook={hook} reload={reload} /> },
          ]}
        />
      )}
      {data.problems.length > 0 && (
        <section>
          <h2>Files that could not be used</h2>
          <ul>
            {data.problems.map(({ file, message, fix }) => (
              <li key={`${file} ${message}`}>
                <Text of={file} />: <Text of={message} />{' '}
                <span class="soft">
                  <Text of={fix} />
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

/** Those that need a look first. */
function byNeed(a: HookItem, b: HookItem): number {
  const need = (hook: HookItem) =>
    (hook.failures > 0 ? 2 : 0) + (['bad', 'warn'].includes(stateOf(hook).tone) ? 1 : 0)
  return need(b) - need(a) || a.name.localeCompare(b.name)
}

const BARRED: Readonly<Record<string, { words: string; tone: Tone }>> = {
  disabled: { words: 'off', tone: 'plain' },
  overridden: { words: 'overridden', tone: 'plain' },
  untrusted: { words: 'waits for trust', tone: 'warn' },
}

export function stateOf({ trust, barred, shadow }: HookItem): { words: string; tone: Tone } {
  if (barred === 'disabled') return BARRED.disabled!
  if (trust === 'changed') return { words: 'changed since trusted', tone: 'bad' }
  if (trust !== null && trust !== 'trusted') return BARRED.untrusted!
  if (barred !== null) return BARRED[barred] ?? { words: barred, tone: 'plain' }
  return shadow ? { words: 'in shadow', tone: 'plain' } : { words: 'runs', tone: 'good' }
}

export function State({ hook }: { hook: HookItem }) {
  const { words, tone } = stateOf(hook)
  const needsLook = words === 'waits for trust' || tone === 'bad'
  return (
    <span class="row">
      {needsLook ? (
        <a href={link('hooks', hook.id)}>
          <Chip tone={tone}>{words}</Chip>
        </a>
      ) : (
        <Chip tone={tone}>{words}</Chip>
      )}
      {hook.failures > 0 && (
        <a href={link('hooks', undefined, { show: 'failures', hook: hook.name })}>
          <Chip tone="bad">{hook.failures} failed</Chip>
        </a>
      )}
      {hook.problems.length > 0 && (
        <Chip tone="warn" title={hook.problems.map(({ message }) => message).join('\n')}>
          {hook.problems.length} warnings
        </Chip>
      )}
    </span>
  )
}

/** Hooks of one name are switched together, in the settings: their files stay as they are. */
export function Switch({ hook, reload }: { hook: HookItem; reload: () => void }) {
  const isBusy = useSignal(false)
  const problem = useSignal<Problem | undefined>(undefined)
  if (hook.scope === 'managed')
    return (
      <span class="soft" title="Only an administrator switches it off">
        always
      </span>
    )
  const isOn = hook.barred !== 'disabled'
  const change = async () => {
    isBusy.value = true
    problem.value = undefined
    try {
      await post(`/v1/hooks/${hook.id}/switch`, { to: isOn ? 'off' : 'on' })
      reload()
    } catch (error) {
      problem.value = problemOf(error)
    }
    isBusy.value = false
  }
  return (
    <>
      <button
        type="button"
        class="switch"
        role="switch"
        aria-checked={isOn}
        aria-label={`${hook.name} is on`}
        disabled={isBusy.value}
        onClick={change}
      >
        <span />
      </button>
      {problem.value && (
        <span class="bad" role="alert">
          <Text of={`${problem.value.detail} ${problem.value.fix ?? ''}`} />
        </span>
      )}
    </>
  )
}
