/** One hook: what it is and what it runs; for a project's hook, what trusting it means. */

import { useSignal } from '@preact/signals'
import { get, type Problem, post } from '../api.ts'
import { problemOf, useLoad } from '../load.ts'
import { link } from '../router.ts'
import type { HookItem, HooksAnswer, TrustAnswer } from '../types.ts'
import { Chip } from '../ui/chip.tsx'
import { Empty, ProblemBox } from '../ui/empty.tsx'
import { Code, Text } from '../ui/text.tsx'
import { duration } from '../ui/time.tsx'
import { State, Switch } from './hooks.tsx'

export function OneHook({ id, answer, reload }: { id: string; answer: HooksAnswer; reload: () => void }) {
  const hook = answer.hooks.find((each) => each.id === id)
  if (!hook)
    return (
      <Empty title="There is no such hook any more">
        <p>
          <a href={link('hooks')}>All hooks</a>
        </p>
      </Empty>
    )
  return (
    <article>
      <div class="head">
        <h1>
          <a href={link('hooks')}>Hooks</a> / <Text of={hook.name} brief={80} />
        </h1>
        <State hook={hook} />
        <span class="end row">
          <a href={link('events', undefined, { hook: hook.name })}>its events</a>
          <Switch hook={hook} reload={reload} />
        </span>
      </div>
      {hook.description && (
        <p>
          <Text of={hook.description} />
        </p>
      )}
      <Facts hook={hook} />
      {hook.problems.map(({ level, message, fix, line }) => (
        <div key={message} class="alarm" data-level={level}>
          {line ? `line ${line}: ` : ''}
          <Text of={message} />
          <div class="soft">
            <Text of={fix} />
          </div>
        </div>
      ))}
      {hook.scope === 'project' && <Trust key={`${id} ${hook.trust}`} id={id} reload={reload} />}
    </article>
  )
}

function Facts({ hook }: { hook: HookItem }) {
  const rows: [string, string | null][] = [
    ['runs', hook.runs],
    ['may', hook.may],
    [
      'for',
      Object.keys(hook.matcher).length > 0
        ? `${hook.events.join(', ')}, ${hook.matches}`
        : hook.events.join(', '),
    ],
    [
      'whose',
      hook.work_dir
        ? `the project ${hook.work_dir}`
        : hook.scope === 'user'
          ? 'yours, in every project'
          : hook.scope,
    ],
    [
      'from',
      hook.source ? `${hook.source}${hook.signer ? `, signed by ${hook.signer}` : ', not signed'}` : null,
    ],
    [
      'if it fails',
      hook.on_failure === 'closed' ? 'the operation is blocked' : 'the operation goes on, and says so',
    ],
    ['time limit', duration(hook.timeout)],
    ['file', hook.file],
  ]
  return (
    <dl class="facts wide">
      {rows.map(([name, value]) =>
        value === null ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <Text of={value} />
            </dd>
          </div>
        ),
      )}
    </dl>
  )
}

function Trust({ id, reload }: { id: string; reload: () => void }) {
  const {
    data,
    problem,
    reload: look,
  } = useLoad(() => get<TrustAnswer>(`/v1/hooks/${id}/trust`), { on: [id] })
  const failure = useSignal<Problem | undefined>(undefined)
  const decide = async (path: string, body: object) => {
    failure.value = undefined
    try {
      await post(`/v1/hooks/${id}/${path}`, body)
    } catch (error) {
      failure.value = problemOf(error)
    }
    look()
    reload()
  }
  if (problem && !data) return <ProblemBox problem={problem} onRetry={look} />
  if (!data) return <p class="loading">Reading its files…</p>
  const isTrusted = data.state === 'trusted'
  const changed = data.files.filter(({ change }) => change !== 'same')
  const others = data.hooks.length - 1
  return (
    <section aria-labelledby="trust" class="trust">
      <div class="head">
        <h2 id="trust">
          {isTrusted
            ? 'You trust it'
            : data.state === 'changed'
              ? 'It has changed since you trusted it'
              : 'You have not looked at it yet'}
        </h2>
        <span class="end row">
          {isTrusted ? (
            <button type="button" onClick={() => decide('untrust', {})}>
              Take trust back
            </button>
          ) : (
            <button type="button" class="main" onClick={() => decide('trust', { seen: data.seen })}>
              I have read it: let {others > 0 ? `all ${others + 1}` : 'it'} run
            </button>
          )}
        </span>
      </div>
      <p class="soft">
        {isTrusted
          ? 'It runs from a sealed copy of exactly these bytes. Any change asks you again.'
          : 'It does not run. Somebody put it into this repository: read what would run with your rights.'}
      </p>
      {failure.value && <ProblemBox problem={failure.value} />}
      {data.replaces.map(({ name, file }) => (
        <div key={file} class="alarm" data-level="error">
          <b>
            It replaces your hook <Text of={name} />
          </b>{' '}
          (<Text of={file} />
          ): once this one is trusted, yours does not run in this project.
        </div>
      ))}
      {data.outside.map((path) => (
        <p key={path}>
          Also runs, pinned as well: <Text of={path} />
        </p>
      ))}
      {data.unpinned.map((sentence) => (
        <p key={sentence} class="alarm" data-level="warning">
          Not pinned: <Text of={sentence} />
        </p>
      ))}
      {(changed.length > 0 && data.state === 'changed' ? changed : data.files).map((file) => (
        <File key={file.path} file={file} />
      ))}
    </section>
  )
}

function File({ file }: { file: TrustAnswer['files'][number] }) {
  return (
    <figure class="file panel">
      <figcaption class="row">
        <b>
          <Text of={file.path} />
        </b>
        <span class="soft">{file.bytes.toLocaleString('en')} bytes</span>
        {file.is_program && <Chip>may be executed</Chip>}
        {file.change !== 'same' && file.diff && <Chip tone="warn">{file.change}</Chip>}
        {file.change === 'removed' && <Chip tone="warn">removed</Chip>}
      </figcaption>
      {file.text === null ? (
        <p class="alarm" data-level="warning">
          Not text: its content cannot be shown.
        </p>
      ) : file.diff ? (
        <Diff lines={file.diff} />
      ) : (
        <Code of={file.text} />
      )}
      {file.is_cut && (
        <p class="alarm" data-level="warning">
          Too long: read the rest in the file itself.
        </p>
      )}
    </figure>
  )
}

const KINDS: Readonly<Record<string, string>> = { '+': 'added', '-': 'taken', '@': 'place' }

function Diff({ lines }: { lines: readonly string[] }) {
  return (
    <pre class="code diff">
      {lines.map((line, i) => (
        <div key={`${i}`} class={KINDS[line[0] ?? '']}>
          <Text of={line} />
        </div>
      ))}
    </pre>
  )
}
