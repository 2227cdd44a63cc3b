/** The part of the form that says what a hook does: an answer, a script, a server or a model, and the rights of a script. */

import { Select, TextInput } from './inputs.tsx'
import type { Fields, Part } from './part.ts'
import { type Edit, valueAt } from './state.ts'

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

function kindOf(fields: Fields): Kind {
  const run = fields.run as Record<string, unknown> | undefined
  if (run) return (Object.keys(run)[0] as Kind | undefined) ?? 'command'
  const outcome = fields.outcome as Record<string, unknown> | undefined
  if (!outcome) return 'script'
  if (outcome.confine !== undefined) return 'confine'
  if (outcome.decision === 'ask') return 'ask'
  return outcome.decision === 'deny' ? 'deny' : 'context'
}

/** The fields that choosing a kind writes. */
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

export function Happens({ builder, fields, set, text }: Part) {
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
          label="Command line for bash"
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
        label="Permissions of the script"
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
