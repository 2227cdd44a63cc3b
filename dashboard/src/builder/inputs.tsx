/** Inputs that report their value shortly after the last key, and accept outside changes unless they have the focus. */

import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

const TYPING_PAUSE_MS = 250

interface InputProps {
  label: string
  value: string
  onValue: (value: string) => void
  hint?: string
  lines?: number
  placeholder?: string
  type?: 'text' | 'number'
  list?: readonly string[]
  mono?: boolean
}

let lists = 0

export function TextInput({
  label,
  value,
  onValue,
  hint,
  lines,
  placeholder,
  type = 'text',
  list,
  mono,
}: InputProps) {
  const [own, setOwn] = useState(value)
  const input = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const [id] = useState(() => `choices-${++lists}`)
  useEffect(() => {
    if (document.activeElement !== input.current) setOwn(value)
  }, [value])
  const tell = (text: string) => {
    clearTimeout(timer.current)
    if (text !== value) onValue(text)
  }
  const props = {
    ref: input,
    value: own,
    placeholder,
    class: mono ? 'mono' : undefined,
    spellcheck: !mono,
    onInput: (event: Event) => {
      const text = (event.currentTarget as HTMLInputElement).value
      setOwn(text)
      clearTimeout(timer.current)
      timer.current = setTimeout(() => tell(text), TYPING_PAUSE_MS)
    },
    onBlur: (event: Event) => tell((event.currentTarget as HTMLInputElement).value),
  }
  return (
    <Field label={label} hint={hint}>
      {lines ? (
        <textarea {...props} rows={lines} />
      ) : (
        <input {...props} type={type} {...(list ? { list: id } : {})} autocomplete="off" />
      )}
      {list && (
        <datalist id={id}>
          {list.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      )}
    </Field>
  )
}

export function Select({
  label,
  value,
  options,
  onValue,
  hint,
}: {
  label: string
  value: string
  options: readonly (string | readonly [value: string, text: string])[]
  onValue: (value: string) => void
  hint?: string
}) {
  const pairs = options.map((option) => (typeof option === 'string' ? ([option, option] as const) : option))
  const isKnown = pairs.some(([each]) => each === value)
  return (
    <Field label={label} hint={hint}>
      <select value={value} onChange={(event) => onValue(event.currentTarget.value)}>
        {!isKnown && <option value={value}>{value}</option>}
        {pairs.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    </Field>
  )
}

export function Check({
  label,
  value,
  onValue,
}: {
  label: string
  value: boolean
  onValue: (value: boolean) => void
}) {
  return (
    <label class="check">
      <input type="checkbox" checked={value} onChange={(event) => onValue(event.currentTarget.checked)} />
      <span>{label}</span>
    </label>
  )
}

/** A choice of several words. */
export function Words({
  label,
  value,
  options,
  onValue,
}: {
  label: string
  value: readonly string[]
  options: readonly string[]
  onValue: (value: string[]) => void
}) {
  return (
    <fieldset class="words">
      <legend>{label}</legend>
      {options.map((option) => (
        <label key={option}>
          <input
            type="checkbox"
            checked={value.includes(option)}
            onChange={(event) =>
              onValue(
                event.currentTarget.checked ? [...value, option] : value.filter((each) => each !== option),
              )
            }
          />
          <span>{option}</span>
        </label>
      ))}
    </fieldset>
  )
}

export function Field({
  label,
  hint,
  children,
}: {
  label: string
  hint?: string | undefined
  children: ComponentChildren
}) {
  return (
    <div class="field">
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the control is among the children */}
      <label>
        <span>{label}</span>
        {children}
      </label>
      {hint && <small>{hint}</small>}
    </div>
  )
}
