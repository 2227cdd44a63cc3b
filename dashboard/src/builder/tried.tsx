/** What the hook would have decided about the newest events, and the results of its cases. */

import { Chip, DecisionChip } from '../ui/chip.tsx'
import { Text } from '../ui/text.tsx'
import { Ago } from '../ui/time.tsx'
import type { Builder, History } from './state.ts'

export function TriedPanel({ builder }: { builder: Builder }) {
  const tried = builder.tried.value
  return (
    <section class="panel pad tried" aria-live="polite" aria-busy={builder.isTrying.value}>
      <div class="head">
        <h2>Tried on your newest events</h2>
        <span class="soft end">
          {builder.isTrying.value
            ? 'trying…'
            : tried?.history
              ? `${tried.history.took_ms} ms, nothing was run`
              : ''}
        </span>
      </div>
      {tried?.history ? (
        <HistoryView history={tried.history} />
      ) : (
        <p class="soft">It is tried as soon as it loads.</p>
      )}
      {tried && (tried.cases.length > 0 || tried.cases_problem) && <Cases builder={builder} />}
    </section>
  )
}

export function HistoryView({ history }: { history: History }) {
  const { events, applies, says, not_run: notRun, changed, changes, compared_with: compared } = history
  if (events === 0)
    return (
      <p class="soft">
        The journal has no event of this kind yet. It fills as soon as an agent works with crosshook
        installed.
      </p>
    )
  const parts: [number, string, 'bad' | 'warn' | 'plain'][] = [
    [says.deny, 'denied', 'bad'],
    [says.ask, 'asked about', 'warn'],
    [says.confine, 'confined', 'plain'],
    [says.rewrite, 'rewritten', 'plain'],
    [notRun, 'only its program can judge', 'plain'],
  ]
  return (
    <>
      <p class="row">
        <span>
          applies to <strong>{applies.toLocaleString('en')}</strong> of {events.toLocaleString('en')} events
        </span>
        {parts
          .filter(([count]) => count > 0)
          .map(([count, words, tone]) => (
            <Chip key={words} tone={tone}>
              {count.toLocaleString('en')} {words}
            </Chip>
          ))}
      </p>
      {changes === 0 ? (
        <p class="soft">No decision would have changed.</p>
      ) : (
        <>
          <p>
            <strong>{changes.toLocaleString('en')}</strong> {changes === 1 ? 'decision' : 'decisions'} would
            differ
            {compared ? ' from the hook as it is saved' : ''}:
          </p>
          <ul class="changes">
            {changed.slice(0, 12).map((change, i) => (
              <li key={i}>
                <span class="arrow">
                  <DecisionChip decision={change.before} /> → <DecisionChip decision={change.after} />
                </span>
                <code>
                  <Text of={change.summary} brief={110} />
                </code>
                <span class="soft">
                  <Text of={change.tool} brief={20} /> <Ago at={change.at} />
                </span>
              </li>
            ))}
          </ul>
          {changes > 12 && <p class="soft">… and {(changes - 12).toLocaleString('en')} more</p>}
        </>
      )}
    </>
  )
}

const MARKS = { true: ['good', 'passes'], false: ['bad', 'fails'], null: ['soft', 'needs a run'] } as const

function Cases({ builder }: { builder: Builder }) {
  const { cases, cases_problem: problem } = builder.tried.value!
  return (
    <>
      <h3>Cases</h3>
      {problem && (
        <p class="tone-bad">
          <Text of={problem} />
        </p>
      )}
      <ul class="cases">
        {cases.map(({ name, passed, differences }) => {
          const [tone, words] = MARKS[String(passed) as keyof typeof MARKS]
          return (
            <li key={name}>
              <Chip tone={tone}>{words}</Chip> <Text of={name} brief={90} />
              {differences.map(({ field, expected, got }) => (
                <div key={field} class="soft">
                  {field}: expected <code>{JSON.stringify(expected)}</code>, got{' '}
                  <code>{JSON.stringify(got) ?? 'nothing'}</code>
                </div>
              ))}
            </li>
          )
        })}
      </ul>
      {cases.some(({ passed }) => passed === null) && (
        <p class="soft">`crosshook test` runs the program for the others.</p>
      )}
    </>
  )
}
