import { useEffect, useRef, useState } from 'preact/hooks'
import { filterBy, query } from '../router.ts'
import { useNarrow } from './narrow.ts'

export interface FilterField {
  /** Its name in the URL. */
  name: string
  label: string
  /** The values to choose from, where there are few. */
  options?: readonly string[]
  /** The label of the empty choice. */
  none?: string
  placeholder?: string
  width?: string
  /** On a narrow screen it is shown only when it is in use or after "More filters". */
  isRare?: boolean
}

/** How long after the last key the URL changes. */
const TYPING_PAUSE_MS = 250

/** Filters that are kept in the URL: a link shows the same list. */
export function FilterBar({ fields }: { fields: readonly FilterField[] }) {
  const given = query.value
  const used = fields.filter(({ name }) => given[name])
  const [isWhole, setWhole] = useState(false)
  const isNarrow = useNarrow()
  const shown = isNarrow && !isWhole ? fields.filter(({ name, isRare }) => !isRare || given[name]) : fields
  return (
    <search class="filters">
      {shown.map((field) =>
        field.options ? <Choice key={field.name} {...field} /> : <Input key={field.name} {...field} />,
      )}
      {shown.length < fields.length && (
        <button type="button" class="quiet" onClick={() => setWhole(true)}>
          More filters
        </button>
      )}
      {used.length > 0 && (
        <button
          type="button"
          class="quiet"
          onClick={() => filterBy(Object.fromEntries(fields.map(({ name }) => [name, undefined])), 'push')}
        >
          Clear
        </button>
      )}
    </search>
  )
}

function Choice({ name, label, options = [], none = 'any' }: FilterField) {
  const value = query.value[name] ?? ''
  const all = value && !options.includes(value) ? [value, ...options] : options
  return (
    <label>
      <span>{label}</span>
      <select
        value={value}
        data-set={value ? '' : undefined}
        onChange={(event) => filterBy({ [name]: event.currentTarget.value }, 'push')}
      >
        <option value="">{none}</option>
        {all.map((option) => (
          <option key={option} value={option}>
            {option}
          </option>
        ))}
      </select>
    </label>
  )
}

function Input({ name, label, placeholder, width }: FilterField) {
  const input = useRef<HTMLInputElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const value = query.value[name] ?? ''
  useEffect(() => {
    // Not while the field has the focus: then the URL follows the field.
    if (input.current && document.activeElement !== input.current) input.current.value = value
  }, [value])
  const apply = () => {
    clearTimeout(timer.current)
    filterBy({ [name]: input.current?.value ?? '' })
  }
  return (
    <label>
      <span>{label}</span>
      <input
        ref={input}
        type="search"
        defaultValue={value}
        placeholder={placeholder}
        data-set={value ? '' : undefined}
        style={width ? { width } : undefined}
        autocomplete="off"
        spellcheck={false}
        onInput={() => {
          clearTimeout(timer.current)
          timer.current = setTimeout(apply, TYPING_PAUSE_MS)
        }}
        onKeyDown={(event) => event.key === 'Enter' && apply()}
      />
    </label>
  )
}
