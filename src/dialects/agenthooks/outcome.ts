/** The JSON answer of a hook → an outcome, and the fields that could not be read. */

import { EFFECTS, type EffectRows } from '../../spec/effects.ts'
import type { EventRow } from '../../spec/event.ts'
import { nearest } from '../../spec/nearest.ts'
import type { Outcome } from '../../spec/outcome.ts'
import { mismatch, type Schema } from '../../spec/schema.ts'

type Answer = Record<string, unknown>
/** Reads one field into the outcome; returns what is wrong with it. */
type Reader = (
  value: unknown,
  outcome: Outcome,
  answer: Answer,
  row: EventRow,
) => string | Meaningless | undefined

/** The field is valid, but has no effect on this event. */
interface Meaningless {
  meaningless: string
}

export interface ReadOutcome {
  outcome: Outcome
  /** Warnings about fields without an effect. */
  warnings: string[]
  /** Errors of fields that were meant to have an effect. */
  unread: string[]
}

export function readOutcome(answer: Answer, row: EventRow, rows: EffectRows = EFFECTS): ReadOutcome {
  const known = rows === EFFECTS ? KNOWN : fieldsOf(rows)
  const read: ReadOutcome = { outcome: {}, warnings: [], unread: foreignFields(answer, known) }
  for (const field of known) {
    if (!Object.hasOwn(answer, field)) continue
    const value = answer[field]
    if (value === undefined || (value === null && !NULL_COUNTS.has(field))) continue
    const reader = ALIASES[field] ?? LENIENT[field as keyof Outcome] ?? bySchema(field, rows[field]!.schema)
    const wrong = reader(value, read.outcome, answer, row)
    if (typeof wrong === 'string') read.unread.push(`\`${field}\` was ignored: ${wrong}.`)
    else if (wrong) read.warnings.push(`\`${field}\` was ignored: ${wrong.meaningless}.`)
  }
  return read
}

function fieldsOf(rows: EffectRows): string[] {
  return [...Object.keys(ALIASES), ...Object.keys(rows)]
}

/** In other fields null counts as absent. A null decision is an error: a script prints it when its variable was empty. */
const NULL_COUNTS = new Set(['updated_output', 'decision'])

/** Decision fields of other formats. Beside them, the meaning of our own fields is unclear. */
const FOREIGN = new Set([
  'hookspecificoutput',
  'permissiondecision',
  'permission',
  'behavior',
  'cancel',
  'action',
  'allow',
  'allowed',
  'approve',
  'approved',
  'block',
  'blocked',
  'deny',
  'denied',
  'modified',
  'modifiedargs',
  'overrideinput',
  'verdict',
  'ok',
])
/** A misspelt one of these changes what the answer means. */
const DECIDING = [
  'decision',
  'modified_input',
  'updated_input',
  'updated_output',
  'stop',
  'continue',
  'retry',
]

/** Unknown fields are ignored, as the specification says, unless they suggest a decision in the wrong place. */
function foreignFields(answer: Answer, known: readonly string[]): string[] {
  const names = Object.keys(answer)
  const unknown = names.filter((name) => !known.includes(name) && name !== 'stop_reason')
  if (names.length > 0 && unknown.length === names.length)
    return [`None of its fields is one of an answer: ${unknown.map(shown).slice(0, 5).join(', ')}.`]
  return unknown.flatMap((name) => {
    const plain = name.replaceAll(/[_-]/g, '').toLowerCase()
    if (FOREIGN.has(plain)) return [`\`${name}\` is not a field of this format.`]
    const meant =
      DECIDING.find((field) => field.replaceAll('_', '') === plain) ?? nearest(name.slice(0, 40), DECIDING)
    return meant === undefined ? [] : [`\`${name}\` is unknown. Did you mean "${meant}"?`]
  })
}

/** Reads a field by the table of effects; an empty text counts as absent. */
function bySchema(field: string, schema: Schema): Reader {
  return (value, outcome) => {
    const wanted = mismatch(schema, value)
    if (wanted !== undefined) return `it must be ${wanted}, not ${shown(value)}`
    if (value !== '') (outcome as Answer)[field] = value
    return undefined
  }
}

const inputReader = bySchema('updated_input', EFFECTS.updated_input.schema)

/** Alternative names; the names of the table take precedence. */
const ALIASES: Readonly<Record<string, Reader>> = {
  modified_input: (value, outcome, answer, row) => {
    if (!row.tool || !row.effects.includes('updated_input'))
      return { meaningless: 'this event has no tool input to change' }
    return inputReader(value, outcome, answer, row)
  },
  continue: stopUnless,
  continue_execution: stopUnless,
}

const KNOWN = fieldsOf(EFFECTS)

/** Fields that may be written in more ways than the table says. */
const LENIENT: { readonly [Field in keyof Outcome]: Reader } = {
  log: (value, outcome) => {
    outcome.log = typeof value === 'string' ? value : JSON.stringify(value)
    return undefined
  },
  updated_input: (value, outcome, answer, row) => {
    if (!row.effects.includes('updated_input')) return { meaningless: 'this event has no input to change' }
    return inputReader(value, outcome, answer, row)
  },
  updated_output: (value, outcome, _answer, row) => {
    if (!row.effects.includes('updated_output')) return { meaningless: 'this event has no output to change' }
    outcome.updated_output = value
    return undefined
  },
  additional_context: (value, outcome) => {
    const texts = typeof value === 'string' ? [value] : value
    if (!isTexts(texts)) return 'it must be a text or a list of texts'
    const full = texts.filter((text) => text.trim() !== '')
    if (full.length > 0) outcome.additional_context = full
    return undefined
  },
  stop: (value, outcome, answer) => {
    if (value === false || value === '') return undefined
    if (value !== true && typeof value !== 'string') return 'it must be the reason, or true'
    outcome.stop = typeof value === 'string' ? value : stopReason(answer)
    return undefined
  },
  retry: (value, outcome) => {
    if (value === false) return undefined
    const delay = value === true ? 0 : isObject(value) ? (value.delay_ms ?? value.delay ?? 0) : value
    if (typeof delay !== 'number' || !Number.isFinite(delay) || delay < 0)
      return 'it must be milliseconds to wait'
    outcome.retry = delay
    return undefined
  },
  skip: (value, outcome) => {
    if (typeof value !== 'boolean') return 'it must be true or false'
    if (value) outcome.skip = true
    return undefined
  },
}

function stopUnless(value: unknown, outcome: Outcome, answer: Answer): string | undefined {
  if (typeof value !== 'boolean') return 'it must be true or false'
  if (!value) outcome.stop ??= stopReason(answer)
  return undefined
}

function stopReason(answer: Answer): string {
  for (const text of [answer.stop_reason, answer.reason])
    if (typeof text === 'string' && text !== '') return text
  return 'A hook asked to stop'
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

function shown(value: unknown): string {
  if (typeof value === 'string') return `"${value.slice(0, 40)}"`
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (value === null) return 'null'
  return Array.isArray(value) ? 'a list' : 'an object'
}
