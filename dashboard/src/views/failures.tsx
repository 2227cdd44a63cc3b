/** Dead letters: hooks that failed for good, to be settled by a person who has looked. */

import { useSignal } from '@preact/signals'
import { get, type Problem, post } from '../api.ts'
import { problemOf, useLoad } from '../load.ts'
import { filterBy, link, query } from '../router.ts'
import type { DeadLetter } from '../types.ts'
import { Chip } from '../ui/chip.tsx'
import { Empty, ProblemBox } from '../ui/empty.tsx'
import { plural } from '../ui/plural.ts'
import { Code, Text } from '../ui/text.tsx'
import { Ago } from '../ui/time.tsx'

const MAX_SHOWN = 200

export function Failures({ onSettled }: { onSettled: () => void }) {
  const { data, problem, reload } = useLoad(() => get<DeadLetter[]>('/v1/runtime/hooks/dead-letter'))
  const { hook, all } = query.value
  if (problem && !data) return <ProblemBox problem={problem} onRetry={reload} />
  if (!data) return <p class="loading">Looking…</p>
  const settled = () => {
    reload()
    onSettled()
  }
  const own = data
    .filter((letter) => (!hook || letter.hook_name === hook) && (all || letter.resolved_at === undefined))
    .reverse()
  const open = own.filter(({ resolved_at }) => resolved_at === undefined)
  const groups = [
    ...Map.groupBy(own, (letter) =>
      [letter.hook_name, letter.error, letter.failure_mode, letter.resolved_at ?? ''].join('\0'),
    ).values(),
  ]
  return (
    <>
      <div class="row filters">
        {hook && (
          <button type="button" onClick={() => filterBy({ hook: '' })}>
            <Text of={hook} brief={40} /> ×
          </button>
        )}
        <label class="check">
          <input
            type="checkbox"
            checked={Boolean(all)}
            onChange={(event) => filterBy({ all: event.currentTarget.checked ? '1' : '' })}
          />{' '}
          also settled ones
        </label>
      </div>
      {groups.length > 1 && open.length > 1 && <Settle letters={open} onSettled={settled} />}
      {own.length === 0 && (
        <Empty title="No hook has failed">
          <p>
            A hook that crashes, runs out of time or answers nonsense is kept here until you have looked at
            it.
          </p>
        </Empty>
      )}
      <ul class="letters">
        {groups.slice(0, MAX_SHOWN).map((letters) => (
          <Failure key={letters[0]!.id} letters={letters} onSettled={settled} />
        ))}
      </ul>
      {groups.length > MAX_SHOWN && (
        <p class="soft">
          The newest {MAX_SHOWN} of {groups.length} are shown.
        </p>
      )}
    </>
  )
}

/** Groups failures of one hook with the same error; the newest represents the group. */
function Failure({ letters, onSettled }: { letters: readonly DeadLetter[]; onSettled: () => void }) {
  const [letter] = letters as [DeadLetter]
  const { hook_name: hook, failure_mode, event, attempt_count: attempts, error, at, resolved_at } = letter
  return (
    <li class="panel">
      <div class="row">
        <b>
          <a href={link('events', undefined, { hook, failed: 'failed' })}>
            <Text of={hook} brief={60} />
          </a>
        </b>
        <Chip tone={failure_mode === 'closed' ? 'bad' : 'warn'}>
          {failure_mode === 'closed' ? 'blocked' : 'went on'}
        </Chip>
        {letters.length > 1 && <Chip>{letters.length} times</Chip>}
        <span class="soft">
          {event}, {plural(attempts, 'attempt')}
        </span>
        <span class="end soft">
          <Ago at={at} />
        </span>
      </div>
      <Code of={error} />
      {resolved_at === undefined ? (
        <Settle letters={letters} onSettled={onSettled} />
      ) : (
        <p class="soft">
          settled <Ago at={resolved_at} />: <Text of={letter.resolution_reason} />
        </p>
      )}
    </li>
  )
}

function Settle({ letters, onSettled }: { letters: readonly DeadLetter[]; onSettled: () => void }) {
  const reason = useSignal('')
  const problem = useSignal<Problem | undefined>(undefined)
  const settle = async (event: Event) => {
    event.preventDefault()
    try {
      for (const { id } of letters)
        await post(`/v1/runtime/hooks/dead-letter/${encodeURIComponent(id)}/resolve`, {
          reason: reason.value,
        })
      onSettled()
    } catch (error) {
      problem.value = problemOf(error)
    }
  }
  const what = letters.length === 1 ? 'this failure' : `all ${letters.length} failures`
  return (
    <form class="row" onSubmit={settle}>
      <input
        type="text"
        required
        aria-label={`What was done about ${what}`}
        placeholder="what was done about it"
        value={reason.value}
        onInput={(event) => (reason.value = event.currentTarget.value)}
      />
      <button type="submit">Settle {letters.length === 1 ? '' : what}</button>
      {problem.value && <ProblemBox problem={problem.value} />}
    </form>
  )
}
