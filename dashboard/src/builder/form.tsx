/** The fields of a hook as a form. Each change is an edit of the text; what the form does not know stays as it is. */

import { useRef } from 'preact/hooks'
import { type Condition, Conditions } from './conditions.tsx'
import { Happens } from './happens.tsx'
import { Check, Select, TextInput } from './inputs.tsx'
import { Order } from './order.tsx'
import { type Builder, valueAt } from './state.ts'

export interface FormWords {
  events: { name: string; tool: boolean; effects: string[]; block: string }[]
  tools: string[]
  agents: { id: string; title: string }[]
  conditions: Condition[]
  schema: unknown
}

export function Form({ builder, words }: { builder: Builder; words: FormWords }) {
  const last = useRef<Record<string, unknown>>(undefined)
  const fields = builder.view.value?.fields ?? last.current
  if (!fields)
    return (
      <p class="soft pad">
        {builder.view.value ? 'The frontmatter cannot be read: fix the text first.' : 'Loading…'}
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
          {NUMBERS.map(({ field, label, placeholder }) => (
            <TextInput
              key={field}
              label={label}
              type="number"
              value={text(field)}
              placeholder={placeholder}
              onValue={(value) => number([field], value)}
            />
          ))}
        </div>
        <div class="row">
          <Check
            label="Runs in the background (async)"
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

const NUMBERS = [
  { field: 'timeout', label: 'Time limit (ms)', placeholder: '30000' },
  { field: 'retries', label: 'Retries', placeholder: '0' },
  { field: 'cache', label: 'Answer kept (s)', placeholder: 'not kept' },
] as const

const BLOCKS: Readonly<Record<string, string>> = {
  prevents: 'can refuse',
  feedback: 'can tell the model',
  continues: 'can send the agent back to work',
  reported: 'can only report',
}
