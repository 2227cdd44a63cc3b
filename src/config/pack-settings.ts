/** Settings of a pack: declared in PACK.md, set in config.toml, checked against each other. */

import { didYouMean } from '../spec/nearest.ts'

export interface SettingRow {
  type: 'string' | 'number' | 'integer' | 'boolean' | 'list'
  description?: string
  default?: SettingValue
  /** It must be given. */
  required?: boolean
  /** One of these, or for a list: each item is. */
  enum?: readonly (string | number)[]
  minimum?: number
  maximum?: number
}

export type SettingValue = string | number | boolean | readonly string[]
export type SettingRows = Readonly<Record<string, SettingRow>>

export interface SettingProblem {
  setting: string
  message: string
  fix: string
}

const TYPE_WORDS: Readonly<Record<SettingRow['type'], string>> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  list: 'a list of texts',
}

const FITS: Readonly<Record<SettingRow['type'], (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  integer: (value) => Number.isSafeInteger(value),
  boolean: (value) => typeof value === 'boolean',
  list: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
}

/** Every setting with the given value or its default. A wrong value is reported, and the default is used. */
export function settingsOf(
  rows: SettingRows,
  given: Readonly<Record<string, unknown>> = {},
): { values: Record<string, SettingValue>; problems: SettingProblem[] } {
  const problems: SettingProblem[] = []
  const values: Record<string, SettingValue> = {}
  for (const [setting, row] of Object.entries(rows)) {
    const value = Object.hasOwn(given, setting) ? given[setting] : undefined
    const wrong = value === undefined ? undefined : misfit(row, value)
    if (wrong !== undefined)
      problems.push({
        setting,
        message: wrong,
        fix: `Correct it${row.default === undefined ? '' : `; until then it is ${JSON.stringify(row.default)}`}.`,
      })
    else if (value === undefined && row.required && row.default === undefined)
      problems.push({ setting, message: 'it must be set', fix: `Set it: ${row.description ?? row.type}` })
    const kept = value === undefined || wrong !== undefined ? row.default : (value as SettingValue)
    if (kept !== undefined) values[setting] = kept
  }
  for (const setting of Object.keys(given))
    if (!Object.hasOwn(rows, setting))
      problems.push({
        setting,
        message: `there is no such setting.${didYouMean(setting, Object.keys(rows))}`,
        fix: `Settings are: ${Object.keys(rows).join(', ') || 'none'}.`,
      })
  return { values, problems }
}

/** What is wrong with the value; undefined when it fits. */
export function misfit(row: SettingRow, value: unknown): string | undefined {
  if (!FITS[row.type](value)) return `it must be ${TYPE_WORDS[row.type]}`
  const items = Array.isArray(value) ? value : [value]
  if (row.enum && !items.every((item) => row.enum!.includes(item as string)))
    return `it must be one of: ${row.enum.join(', ')}`
  if (typeof value === 'number' && row.minimum !== undefined && value < row.minimum)
    return `it must be at least ${row.minimum}`
  if (typeof value === 'number' && row.maximum !== undefined && value > row.maximum)
    return `it must be at most ${row.maximum}`
  return undefined
}
