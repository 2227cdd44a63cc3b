/** One row for each thing that a case may expect: how it is compared with the result. */

import { existsSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { EFFECTS, type EffectRows } from '../spec/effects.ts'
import type { FireResult, HookReport } from '../spec/outcome.ts'
import { readText } from '../spec/read-file.ts'
import { isObject } from '../spec/tool.ts'
import { inside } from './fill.ts'

export interface Came {
  result: FireResult
  /** How the hook itself ended. */
  hook: HookReport
  workDir: string
}

export interface Difference {
  field: string
  expected: unknown
  got: unknown
}

/** Null when it is as expected, else the actual value. */
type Compare = (expected: unknown, came: Came) => { got: unknown } | null

/** Fields of the result, by the table of effects: texts by substring, anything else by equality. */
function ofResult(rows: EffectRows): Record<string, Compare> {
  const shown = Object.entries(rows).filter(([, { result }]) => result !== null)
  return Object.fromEntries(
    shown.map(([field, { schema, result }]): [string, Compare] => {
      const got = ({ result: came }: Came) => (came as unknown as Record<string, unknown>)[field]
      if (schema.type === 'string' && !schema.enum)
        return [field, (expected, came) => text(expected, got(came) as string | null)]
      if (Array.isArray(result!.empty))
        return [field, (expected, came) => someText(expected, got(came) as string[])]
      return [field, (expected, came) => equal(expected, got(came))]
    }),
  )
}

export const EXPECTATIONS: Readonly<Record<string, Compare>> = {
  ...ofResult(EFFECTS),
  status: (expected, { hook }) => equal(expected, hook.status),
  exit_code: (expected, { hook }) => equal(expected, hook.exit_code),
  error: (expected, { hook }) => text(expected, hook.error),
  warnings: (expected, { hook }) => someText(expected, hook.warnings ?? []),
  files: (expected, { workDir }) => files(expected, workDir),
}

/** What is compared where no hook ran. */
export const NOT_RUN: HookReport = {
  name: '',
  format: '',
  scope: 'source',
  status: 'skipped',
  exit_code: null,
  duration_ms: 0,
  attempts: 0,
  reason: null,
  error: null,
  skipped: 'no_match',
}

export function differences(expect: Readonly<Record<string, unknown>>, came: Came): Difference[] {
  return Object.entries(expect).flatMap(([field, expected]) => {
    const different = EXPECTATIONS[field]!(expected, came)
    return different ? [{ field, expected, got: different.got }] : []
  })
}

function equal(expected: unknown, got: unknown) {
  return isDeepStrictEqual(expected, got) ? null : { got }
}

/** A part of the text, or `/pattern/`; null: there must be none. */
function text(expected: unknown, got: string | null) {
  if (expected === null) return got === null ? null : { got }
  return got !== null && holds(String(expected), got) ? null : { got }
}

/** Each expected text is in one of them; null or an empty list: there must be none. */
function someText(expected: unknown, got: readonly string[]) {
  const wanted = expected === null ? [] : Array.isArray(expected) ? expected.map(String) : [String(expected)]
  if (wanted.length === 0) return got.length === 0 ? null : { got }
  return wanted.every((part) => got.some((one) => holds(part, one))) ? null : { got }
}

function holds(expected: string, got: string): boolean {
  const pattern = /^\/(.+)\/([imsu]*)$/s.exec(expected)
  // The author's own pattern: any that JavaScript supports.
  return pattern ? new RegExp(pattern[1]!, pattern[2]).test(got) : got.includes(expected)
}

/** Path in the work folder → part of its text; null: it must not be there. */
function files(expected: unknown, workDir: string) {
  if (!isObject(expected)) return { got: 'files must be a mapping of paths to texts' }
  const got: Record<string, string | null> = {}
  for (const [path, wanted] of Object.entries(expected)) {
    const file = inside(workDir, path)
    const found = existsSync(file) ? readText(file) : null
    if (wanted === null ? found !== null : found === null || !holds(String(wanted), found)) got[path] = found
  }
  return Object.keys(got).length === 0 ? null : { got }
}
