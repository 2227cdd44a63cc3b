/** `cases.yaml`: events and expected results. Parsed strictly, since a misspelt expectation would always hold. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { eventName } from '../pipeline/decode/complete-event.ts'
import { CrosshookError, messageOf } from '../spec/errors.ts'
import { didYouMean } from '../spec/nearest.ts'
import { readText } from '../spec/read-file.ts'
import { isObject } from '../spec/tool.ts'
import { EXPECTATIONS } from './expect.ts'

export const CASES_FILE = 'cases.yaml'

export interface Step {
  event: string
  fields: Record<string, unknown>
  expect: Record<string, unknown>
}

export interface Case {
  name: string
  env: Record<string, string>
  /** Path in the work folder → text. */
  files: Record<string, string>
  steps: Step[]
}

const CASE_KEYS = ['name', 'env', 'files', 'steps', 'event', 'expect'] as const

export function hasCases(folder: string): boolean {
  return existsSync(join(folder, CASES_FILE))
}

export async function readCases(folder: string): Promise<Case[]> {
  const file = join(folder, CASES_FILE)
  if (!existsSync(file))
    throw new CrosshookError('not_found', `${file}: there is no such file`, {
      fix: `Write the hook's cases in ${CASES_FILE} beside its definition; docs/cases.md shows how.`,
    })
  return parseCases(readText(file), file)
}

/** `where` names the text in errors. */
export async function parseCases(text: string, where: string): Promise<Case[]> {
  const { load } = await import('js-yaml')
  let value: unknown
  try {
    value = load(text)
  } catch (error) {
    throw bad(where, `not YAML: ${messageOf(error).split('\n')[0]}`)
  }
  if (!Array.isArray(value) || value.length === 0)
    throw bad(where, 'must be a list with at least one case', 'Begin each case with `- name: what it shows`.')
  return value.map((entry: unknown, at) => toCase(entry, `${where}, case ${at + 1}`))
}

function toCase(entry: unknown, where: string): Case {
  if (!isObject(entry)) throw bad(where, 'must be a mapping with name, event and expect')
  const name = entry.name
  if (typeof name !== 'string' || name === '')
    throw bad(where, 'needs a name', 'Say in it what the case shows.')
  const place = `${where} "${name}"`
  const steps = entry.steps
  if (steps === undefined) return { name, ...setting(entry, place), steps: [toStep(entry, place, CASE_KEYS)] }
  if (!Array.isArray(steps) || steps.length === 0) throw bad(place, '`steps` must be a list of events')
  for (const key of Object.keys(entry))
    if (!['name', 'env', 'files', 'steps'].includes(key))
      throw bad(place, `"${key}" belongs to a step`, 'A case has either `steps` or one event of its own.')
  return {
    name,
    ...setting(entry, place),
    steps: steps.map((step: unknown, at) => {
      if (!isObject(step)) throw bad(place, `step ${at + 1} must be a mapping`)
      return toStep(step, `${place}, step ${at + 1}`, ['event', 'expect'])
    }),
  }
}

function toStep(entry: Record<string, unknown>, where: string, own: readonly string[]): Step {
  const { event, expect } = entry
  const besides = Object.fromEntries(Object.entries(entry).filter(([key]) => !own.includes(key)))
  if (!isObject(expect) || Object.keys(expect).length === 0)
    throw bad(where, 'expects nothing', 'Add `expect: {decision: deny}` or the like.')
  for (const key of Object.keys(expect))
    if (!Object.hasOwn(EXPECTATIONS, key))
      throw bad(
        where,
        `unknown expectation "${key}".${didYouMean(key, Object.keys(EXPECTATIONS))}`,
        `Known are: ${Object.keys(EXPECTATIONS).join(', ')}.`,
      )
  if (typeof event === 'string') return { event: eventOf(event, where), fields: besides, expect }
  if (!isObject(event) || typeof event.event_type !== 'string')
    throw bad(where, 'needs an event', 'Write `event: before_tool` and its fields beside it.')
  const [extra] = Object.keys(besides)
  if (extra !== undefined)
    throw bad(
      where,
      `unknown key "${extra}".${didYouMean(extra, own)}`,
      'Fields of the event go below `event`.',
    )
  const { event_type: type, ...fields } = event
  return { event: eventOf(type, where), fields, expect }
}

function eventOf(name: string, where: string): string {
  try {
    return eventName(name)
  } catch (error) {
    throw bad(where, messageOf(error), error instanceof CrosshookError ? error.fix : undefined)
  }
}

function setting(entry: Record<string, unknown>, where: string): Pick<Case, 'env' | 'files'> {
  return { env: texts(entry.env, 'env', where), files: texts(entry.files, 'files', where) }
}

function texts(value: unknown, key: string, where: string): Record<string, string> {
  if (value === undefined) return {}
  if (!isObject(value)) throw bad(where, `\`${key}\` must be a mapping of names to texts`)
  return Object.fromEntries(
    Object.entries(value).map(([name, text]) => {
      if (typeof text === 'object') throw bad(where, `\`${key}.${name}\` must be a text`)
      return [name, String(text)]
    }),
  )
}

function bad(
  where: string,
  what: string,
  fix = 'docs/cases.md shows what a case looks like.',
): CrosshookError {
  return new CrosshookError('bad_input', `${where}: ${what}`, { fix })
}
