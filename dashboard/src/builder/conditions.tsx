/** The conditions of a hook's matcher, from the table of conditions that the host sends. */

import { Check, Select, TextInput, Words } from './inputs.tsx'
import { type Builder, type Path, valueAt } from './state.ts'

export interface Condition {
  /** `matcher.tool`, `when`. */
  field: string
  of: string
  about: string
  schema: Schema
}

interface Schema {
  type?: string
  enum?: string[]
  items?: Schema
  nested?: 'matcher' | 'matchers'
}

interface Props {
  builder: Builder
  conditions: readonly Condition[]
  /** Where the matcher stands; the fields of the top are read from the root. */
  at: Path
  isNested?: boolean
  lists: Readonly<Record<string, readonly string[]>>
}

export function Conditions({ builder, conditions, at, isNested = false, lists }: Props) {
  const fields = builder.view.value?.fields
  const rows = conditions.flatMap((condition) => {
    const path = pathOf(condition, at, isNested)
    return path ? [{ condition, path, value: valueAt(fields, path) }] : []
  })
  const given = rows.filter(({ value }) => value !== undefined)
  const left = rows.filter(({ value }) => value === undefined)
  return (
    <div class="conditions">
      {given.map(({ condition, path, value }) => (
        <div key={condition.field} class="condition">
          <Value
            builder={builder}
            condition={condition}
            path={path}
            value={value}
            conditions={conditions}
            lists={lists}
          />
          <button type="button" class="quiet" onClick={() => builder.edit({ path })}>
            remove<span class="unseen"> {lastWord(condition.field)}</span>
          </button>
        </div>
      ))}
      {given.length === 0 && !isNested && (
        <p class="soft">No condition: it is for every call of its event.</p>
      )}
      <Select
        label={isNested ? 'and also' : 'Add a condition'}
        value=""
        options={[
          ['', 'choose…'],
          ...left.map(({ condition: { field, about } }) => [field, `${lastWord(field)} – ${about}`] as const),
        ]}
        onValue={(field) => {
          const row = left.find(({ condition }) => condition.field === field)
          if (row) void builder.edit({ path: row.path, value: firstValue(row.condition) })
        }}
      />
    </div>
  )
}

function pathOf({ field, schema }: Condition, at: Path, isNested: boolean): Path | undefined {
  const isOfMatcher = field.startsWith('matcher.')
  if (isNested && (!isOfMatcher || schema.nested)) return undefined
  return isOfMatcher ? [...at, ...field.split('.').slice(1)] : field.split('.')
}

function lastWord(field: string): string {
  return field.split('.').at(-1)!
}

function firstValue({ schema, field }: Condition): unknown {
  if (schema.nested) return schema.nested === 'matchers' ? [{ tool: 'Shell' }] : { tool: 'Shell' }
  if (schema.type === 'boolean') return true
  const options = schema.items?.enum ?? schema.enum
  if (options) return schema.type === 'array' ? [options[0]] : options[0]
  const text = FIRST[lastWord(field)] ?? '*'
  return schema.type === 'array' ? [text] : text
}

/** A value with which a new condition is valid, to be edited. */
const FIRST: Readonly<Record<string, string>> = {
  tool: 'Shell',
  path: '**/*',
  command: '^git push',
  agent: 'claude-code',
  host: 'example.com',
  program: 'git',
  when: 'true',
}

interface ValueProps extends Omit<Props, 'at'> {
  condition: Condition
  path: Path
  value: unknown
}

function Value({ builder, condition, path, value, conditions, lists }: ValueProps) {
  const { schema, about, field } = condition
  const label = lastWord(field)
  const set = (changed: unknown) => void builder.edit({ path, value: changed })
  if (schema.nested) {
    const list = schema.nested === 'matchers' ? (Array.isArray(value) ? value : []) : [value]
    return (
      <fieldset class="nested">
        <legend>
          {label} <small>{about}</small>
        </legend>
        {list.map((_, i) => (
          <div key={i} class="alternative">
            <Conditions
              builder={builder}
              conditions={conditions}
              at={schema.nested === 'matchers' ? [...path, i] : path}
              isNested
              lists={lists}
            />
          </div>
        ))}
        {schema.nested === 'matchers' && (
          <button type="button" onClick={() => set([...list, { tool: 'Shell' }])}>
            Add an alternative
          </button>
        )}
      </fieldset>
    )
  }
  if (schema.type === 'boolean')
    return <Check label={`${label}: ${about}`} value={value === true} onValue={set} />
  const texts = (Array.isArray(value) ? value : [value]).map(String)
  const options = schema.items?.enum ?? schema.enum
  if (options && schema.type === 'array')
    return (
      <Words
        label={label}
        value={texts}
        options={options}
        onValue={(words) => set(words.length === 1 && !Array.isArray(value) ? words[0] : words)}
      />
    )
  if (options)
    return <Select label={label} value={String(value)} options={options} onValue={set} hint={about} />
  const isList = schema.type === 'array'
  return (
    <TextInput
      label={label}
      hint={isList ? `${about} Several: one to a line.` : about}
      value={texts.join('\n')}
      mono
      {...(isList && texts.length > 1 ? { lines: texts.length } : {})}
      {...(label === 'when' ? { lines: 2 } : {})}
      {...(lists[label] && texts.length < 2 ? { list: lists[label] } : {})}
      onValue={(text) => {
        const parts = text.split('\n').filter((part) => part !== '')
        set(isList && (parts.length > 1 || Array.isArray(value)) ? parts : text)
      }}
    />
  )
}
