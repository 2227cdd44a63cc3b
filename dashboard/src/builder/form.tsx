/** The fields of a hook as a form. Each change is an edit of the text; what the form does not know stays as it is. */

import { useRef } from 'preact/hooks'
import { type Condition, Conditions } from './conditions.tsx'
import { Check, Select, TextInput, Words } from './inputs.tsx'
import { type Builder, type Edit, valueAt } from './state.ts'

export interface Words_ {
  events: { name: string; tool: boolean; effects: string[]; block: string }[]
  tools: string[]
  agents: { id: string; title: string }[]
  conditions: Condition[]
  schema: unknown
}

export function Form({ builder, words }: { builder: Builder; words: Words_ }) {
  const last = useRef<Record<string, unknown>>(undefined)
  const fields = builder.view.value?.fields ?? last.current
  if (!fields)
    return (
      <p class="soft pad">
        {builder.view.value ? 'The frontmatter cannot be read: mend the text first.' : 'Loading…'}
      </p>
    )
  // While the text cannot be read, the form shows what it last said.
  last.current = fields
  const text = (...path: string[]) => {
    const value = valueAt(fields, path)
    return value === undefined || value === null ? '' : String(value)
  }
  const set = (path: string[], value: unknown) =>
    void builder.edit({ path, ...(value === '' || value === undefined ? {} : { value }) })
  const number = (path: string[], value: string) => {
    const given = Number(value)
    set(path, value.trim() === '' ? undefined : Number.isInteger(given) ? given : value)
  }
  const lists = { tool: words.tools, agent: words.agents.map(({ id }) => id) }
  return (
    <form class="builder-form" onSubmit={(event) => event.preventDefault()}>
      <section>
        <h2>What it is</h2>
        <div class="grid">
          <TextInput label="Name" value={text('name')} onValue={(value) => set(['name'], value)} mono />
          <Select
            label="When it runs"
            value={text('trigger')}
            options={words.events.map(
              ({ name, block }) => [name, `${name} – ${BLOCKS[block] ?? block}`] as const,
            )}
            onValue={(value) => set(['trigger'], value)}
          />
        </div>
        <TextInput
          label="What it is for"
          value={text('description')}
          onValue={(value) => set(['description'], value)}
        />
      </section>
      <section>
        <h2>Which calls</h2>
        <Conditions builder={builder} conditions={words.conditions} at={['matcher']} lists={lists} />
      </section>
      <section>
        <h2>What happens</h2>
        <Happens builder={builder} fields={fields} set={set} text={text} />
      </section>
      <section>
        <h2>When it fails</h2>
        <div class="grid">
          <Select
            label="The operation"
            value={text('on_failure') || 'open'}
            options={[
              ['open', 'goes on (open)'],
              ['closed', 'is refused (closed)'],
            ]}
            onValue={(value) => set(['on_failure'], value === 'open' ? undefined : value)}
          />
          <TextInput
            label="Time limit (ms)"
            type="number"
            value={text('timeout')}
            placeholder="30000"
            onValue={(value) => number(['timeout'], value)}
          />
          <TextInput
            label="Retries"
            type="number"
            value={text('retries')}
            placeholder="0"
            onValue={(value) => number(['retries'], value)}
          />
          <TextInput
            label="Answer kept (s)"
            type="number"
            value={text('cache')}
            placeholder="not kept"
            onValue={(value) => number(['cache'], value)}
          />
        </div>
        <div class="row">
          <Check
            label="Nobody waits for it"
            value={fields.async === true}
            onValue={(value) => set(['async'], value || undefined)}
          />
          <Check
            label="Switched on"
            value={fields.enabled !== false}
            onValue={(value) => set(['enabled'], value ? undefined : false)}
          />
        </div>
      </section>
      <Order builder={builder} number={number} text={text} set={set} />
    </form>
  )
}

const BLOCKS: Readonly<Record<string, string>> = {
  prevents: 'can refuse',
  feedback: 'can tell the model',
  continues: 'can send the agent back to work',
  reported: 'can only report',
}

type Fields = Record<string, unknown>

interface Part {
  builder: Builder
  fields: Fields
  set: (path: string[], value: unknown) => void
  text: (...path: string[]) => string
}

const KINDS = [
  ['deny', 'Refuse'],
  ['ask', 'Ask a person'],
  ['context', 'Tell the model something'],
  ['confine', 'Run the command confined'],
  ['script', 'Run a script of its folder'],
  ['command', 'Run a command line'],
  ['http', 'Ask a server'],
  ['prompt', 'Ask a model'],
  ['agent', 'Ask a model with tools'],
  ['module', 'Call a JavaScript module'],
] as const
type Kind = (typeof KINDS)[number][0]

export function kindOf(fields: Fields): Kind {
  const run = fields.run as Record<string, unknown> | undefined
  if (run) return (Object.keys(run)[0] as Kind | undefined) ?? 'command'
  const outcome = fields.outcome as Record<string, unknown> | undefined
  if (!outcome) return 'script'
  if (outcome.confine !== undefined) return 'confine'
  if (outcome.decision === 'ask') return 'ask'
  return outcome.decision === 'deny' ? 'deny' : 'context'
}

/** What a kind begins with. */
const BEGINNINGS: Record<Kind, (reason: string) => Edit[]> = {
  deny: (reason) => [{ path: ['run'] }, { path: ['outcome'], value: { decision: 'deny', reason } }],
  ask: (reason) => [{ path: ['run'] }, { path: ['outcome'], value: { decision: 'ask', reason } }],
  context: (reason) => [{ path: ['run'] }, { path: ['outcome'], value: { additional_context: reason } }],
  confine: () => [
    { path: ['run'] },
    { path: ['outcome'], value: { confine: { write: ['project', 'temp'], connect: [], otherwise: 'ask' } } },
  ],
  script: () => [{ path: ['run'] }, { path: ['outcome'] }, { path: ['sandbox'], value: true }],
  command: () => [{ path: ['outcome'] }, { path: ['run'], value: { command: 'exit 0' } }],
  http: () => [
    { path: ['outcome'] },
    { path: ['run'], value: { http: { url: 'https://hooks.example.com/check' } } },
  ],
  prompt: () => [
    { path: ['outcome'] },
    { path: ['run'], value: { prompt: { template: 'May this be done? {{tool_name}} {{tool_input}}' } } },
  ],
  agent: () => [
    { path: ['outcome'] },
    {
      path: ['run'],
      value: { agent: { template: 'May this be done? {{tool_name}} {{tool_input}}', max_turns: 5 } },
    },
  ],
  module: () => [
    { path: ['outcome'] },
    { path: ['sandbox'] },
    { path: ['run'], value: { module: 'scripts/run.ts' } },
  ],
}

const SCRIPT = `#!/bin/sh
# The event comes on stdin as JSON. Exit 0 lets the operation go on; exit 2 blocks it, with the reason on stderr.
cat > /dev/null
exit 0
`
const MODULE = `/** Called with the event; what it returns is the outcome, and nothing lets the operation go on. */
export function run(event: Record<string, unknown>) {
  return undefined
}
`

function Happens({ builder, fields, set, text }: Part) {
  const kind = kindOf(fields)
  const choose = (chosen: string) => {
    const reason =
      text('outcome', 'reason') ||
      text('outcome', 'additional_context') ||
      'Say here why, and what to do instead.'
    const has = (start: string) => builder.files.value.some(({ path }) => path.startsWith(start))
    if (chosen === 'script' && !has('scripts/run')) builder.setFile('scripts/run.sh', SCRIPT, true)
    if (chosen === 'module' && !has('scripts/run.ts')) builder.setFile('scripts/run.ts', MODULE)
    void builder.edit(...BEGINNINGS[chosen as Kind](reason))
  }
  return (
    <>
      <Select label="It will" value={kind} options={KINDS} onValue={choose} />
      {(kind === 'deny' || kind === 'ask') && (
        <TextInput
          label="The reason that the model reads"
          lines={2}
          value={text('outcome', 'reason')}
          onValue={(value) => set(['outcome', 'reason'], value)}
        />
      )}
      {kind === 'context' && (
        <TextInput
          label="What the model is told"
          lines={3}
          value={text('outcome', 'additional_context')}
          onValue={(value) => set(['outcome', 'additional_context'], value)}
        />
      )}
      {kind === 'confine' && (
        <>
          <ListInput
            label="It may write to"
            path={['outcome', 'confine', 'write']}
            fields={fields}
            set={set}
          />
          <ListInput
            label="It may connect to (* is the network)"
            path={['outcome', 'confine', 'connect']}
            fields={fields}
            set={set}
            keepEmpty
          />
        </>
      )}
      {kind === 'command' && (
        <TextInput
          label="Line for bash"
          mono
          value={text('run', 'command')}
          onValue={(value) => set(['run', 'command'], value)}
        />
      )}
      {kind === 'http' && (
        <TextInput
          label="Address"
          mono
          value={text('run', 'http', 'url')}
          onValue={(value) => set(['run', 'http', 'url'], value)}
        />
      )}
      {(kind === 'prompt' || kind === 'agent') && (
        <>
          <TextInput
            label="Question"
            lines={5}
            value={text('run', kind, 'template')}
            onValue={(value) => set(['run', kind, 'template'], value)}
          />
          <TextInput
            label="Model"
            value={
              typeof valueAt(fields, ['run', kind, 'model']) === 'object' ? '' : text('run', kind, 'model')
            }
            placeholder="the one of the settings"
            onValue={(value) => set(['run', kind, 'model'], value)}
          />
        </>
      )}
      {kind === 'module' && (
        <TextInput
          label="File"
          mono
          value={text('run', 'module')}
          onValue={(value) => set(['run', 'module'], value)}
        />
      )}
      {(kind === 'script' || kind === 'command') && <Rights fields={fields} set={set} />}
      {kind === 'script' && (
        <p class="soft">
          The script is in the tab Files: sh, Python, or any language that `scripts/run` is written in.
        </p>
      )}
    </>
  )
}

function Rights({ fields, set }: Pick<Part, 'fields' | 'set'>) {
  const { sandbox } = fields
  const level = sandbox === true ? 'least' : typeof sandbox === 'object' && sandbox !== null ? 'some' : 'all'
  return (
    <>
      <Select
        label="Its rights"
        value={level}
        options={[
          ['least', 'confined: reads the event’s files, writes its state'],
          ['some', 'confined, with more rights'],
          ['all', 'all of yours'],
        ]}
        onValue={(chosen) =>
          set(['sandbox'], chosen === 'least' ? true : chosen === 'some' ? { write: ['project'] } : undefined)
        }
      />
      {level === 'some' && (
        <div class="grid">
          <ListInput label="reads" path={['sandbox', 'read']} fields={fields} set={set} />
          <ListInput label="writes" path={['sandbox', 'write']} fields={fields} set={set} />
          <ListInput label="connects to" path={['sandbox', 'connect']} fields={fields} set={set} />
          <ListInput label="variables" path={['sandbox', 'env']} fields={fields} set={set} />
        </div>
      )}
    </>
  )
}

function ListInput({
  label,
  path,
  fields,
  set,
  keepEmpty,
}: { label: string; path: string[]; keepEmpty?: boolean } & Pick<Part, 'fields' | 'set'>) {
  const value = valueAt(fields, path)
  const texts = Array.isArray(value) ? value.map(String) : value === undefined ? [] : [String(value)]
  return (
    <TextInput
      label={label}
      mono
      hint="several: with commas"
      value={texts.join(', ')}
      onValue={(text) => {
        const parts = text
          .split(',')
          .map((part) => part.trim())
          .filter((part) => part !== '')
        set(path, parts.length === 0 && !keepEmpty ? undefined : parts)
      }}
    />
  )
}

interface OrderProps extends Pick<Part, 'builder' | 'set' | 'text'> {
  number: (path: string[], value: string) => void
}

function Order({ builder, number, text, set }: OrderProps) {
  const order = builder.view.value?.order ?? []
  const at = order.findIndex((row) => row.is_draft)
  const after = order[at]?.after ?? []
  const others = order.filter((row) => !row.is_draft).map(({ name }) => name)
  const move = (by: -1 | 1) => {
    const other = order[at + by]
    if (other) number(['priority'], String(Math.max(0, Math.min(1000, other.priority - by))))
  }
  return (
    <section>
      <h2>Order among the other hooks of this event</h2>
      <div class="grid">
        <TextInput
          label="Priority (higher is earlier)"
          type="number"
          value={text('priority')}
          placeholder="100"
          onValue={(value) => number(['priority'], value)}
        />
      </div>
      {others.length > 0 && (
        <Words
          label="Runs after, and gets what they pass on in `data`"
          value={after}
          options={[...new Set([...others, ...after])]}
          onValue={(names) => set(['after'], names.length > 0 ? names : undefined)}
        />
      )}
      <ol class="order">
        {order.map((row, i) => (
          <li key={`${row.scope} ${row.name}`} data-draft={row.is_draft ? '' : undefined}>
            <span class="mono">{row.name}</span> <span class="soft">{row.priority}</span>
            {row.is_draft && (
              <span class="row">
                <button type="button" disabled={i === 0} onClick={() => move(-1)}>
                  earlier
                </button>
                <button type="button" disabled={i === order.length - 1} onClick={() => move(1)}>
                  later
                </button>
              </span>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}
