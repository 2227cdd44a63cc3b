/** What a step of a conformance case expects, compared with what came. */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import { isAlive } from '../../src/executors/command-testing.ts'
import type { FireResult } from '../../src/spec/outcome.ts'
import type { Place, Plain } from './agenthooks-place.ts'

export interface Came {
  exit: number | null
  stdout: string
  stderr: string
  ms: number
}

export interface Expected {
  exit?: number
  /** Part of the JSON result; `exactly` compares whole fields. */
  result?: Plain
  exactly?: Plain
  /** Status of each hook; `absent`: not in the result, or skipped. */
  hooks?: Record<string, string>
  /** Part of a hook's error or warnings; null: none. */
  errors?: Record<string, string | null>
  warnings?: Record<string, string>
  ran?: string[]
  eventually_ran?: string[]
  stderr?: string
  stderr_has?: string[]
  stderr_not?: string[]
  stderr_matches?: string[]
  stdout_not?: string[]
  output?: string[]
  output_not?: string[]
  files?: Record<string, string | null>
  eventually?: Record<string, string>
  json?: Record<string, Plain>
  contains?: Record<string, string[]>
  one_line?: string
  close?: { files: string[]; ms: number }
  eventually_dead?: string
  under_ms?: number
  at_least_ms?: number
  problems?: Plain[]
}

type Check<K extends keyof Expected> = (
  wanted: NonNullable<Expected[K]>,
  came: Came,
  place: Place,
  cwd: string,
) => unknown

/** For what happens later, on a machine that may be busy. */
const EVENTUALLY = { timeout: 30_000, interval: 20 }

const CHECKS: { [K in keyof Required<Expected>]: Check<K> } = {
  exit: (wanted, came) => expect(came.exit, came.stderr).toBe(wanted),
  result: (wanted, came) => expect(resultOf(came)).toMatchObject(wanted),
  exactly: (wanted, came) => {
    const result = resultOf(came) as unknown as Plain
    for (const [field, value] of Object.entries(wanted)) expect(result[field]).toEqual(value)
  },
  hooks: (wanted, came) => {
    const { hooks } = resultOf(came)
    for (const [name, status] of Object.entries(wanted)) {
      const found = hooks.find((hook) => hook.name === name && hook.status !== 'skipped')
      expect(found?.status ?? 'absent', `${name}: ${found?.error}`).toBe(status)
    }
  },
  errors: (wanted, came) => {
    for (const [name, text] of Object.entries(wanted)) {
      const error = resultOf(came).hooks.find((hook) => hook.name === name)?.error ?? null
      if (text === null) expect(error).toBeNull()
      else expect(error).toContain(text)
    }
  },
  warnings: (wanted, came) => {
    for (const [name, text] of Object.entries(wanted))
      expect(
        resultOf(came)
          .hooks.find((hook) => hook.name === name)
          ?.warnings?.join('\n'),
      ).toContain(text)
  },
  ran: (wanted, _came, _place, cwd) => expect(linesOf(join(cwd, 'ran'))).toEqual(wanted),
  eventually_ran: (wanted, _came, _place, cwd) =>
    vi.waitFor(() => expect(linesOf(join(cwd, 'ran'))).toEqual(wanted), EVENTUALLY),
  stderr: (wanted, came) => expect(came.stderr).toBe(wanted),
  stderr_has: (wanted, came) => contains(came.stderr, wanted),
  stderr_not: (wanted, came) => lacks(came.stderr, wanted),
  stderr_matches: (wanted, came) => {
    for (const pattern of wanted) expect(came.stderr).toMatch(new RegExp(pattern, 'm'))
  },
  stdout_not: (wanted, came) => lacks(came.stdout, wanted),
  output: (wanted, came) => contains(came.stdout + came.stderr, wanted),
  output_not: (wanted, came) => lacks(came.stdout + came.stderr, wanted),
  files: (wanted, _came, place) => {
    for (const [path, text] of Object.entries(wanted)) {
      const file = join(place.root, path)
      expect(existsSync(file) ? readFileSync(file, 'utf8') : null, path).toBe(text)
    }
  },
  eventually: (wanted, came, place, cwd) =>
    vi.waitFor(() => CHECKS.files(wanted, came, place, cwd), EVENTUALLY),
  json: (wanted, _came, place) => {
    for (const [path, value] of Object.entries(wanted))
      expect(JSON.parse(readFileSync(join(place.root, path), 'utf8'))).toMatchObject(patterns(value))
  },
  contains: (wanted, _came, place) => {
    for (const [path, texts] of Object.entries(wanted))
      contains(readFileSync(join(place.root, path), 'utf8'), texts)
  },
  one_line: (wanted, _came, place) =>
    expect(readFileSync(join(place.root, wanted), 'utf8').trimEnd()).not.toContain('\n'),
  close: ({ files, ms }, _came, place) => {
    const times = files.map((file) => Number(readFileSync(join(place.root, file), 'utf8')))
    expect(Math.max(...times) - Math.min(...times)).toBeLessThan(ms)
  },
  eventually_dead: (wanted, _came, place) => {
    const pid = Number(readFileSync(join(place.root, wanted), 'utf8'))
    return vi.waitFor(() => expect(isAlive(pid)).toBe(false), EVENTUALLY)
  },
  under_ms: (wanted, came) => expect(came.ms).toBeLessThan(wanted),
  at_least_ms: (wanted, came) => expect(came.ms).toBeGreaterThanOrEqual(wanted),
  problems: (wanted, came) => {
    const problems = problemsOf(came.stdout)
    if (wanted.length === 0) expect(problems).toEqual([])
    for (const problem of wanted)
      expect(
        problems.some((one) => agrees(one, problem)),
        JSON.stringify([problem, problems]),
      ).toBe(true)
  },
}

export async function check(expected: Expected, came: Came, place: Place, cwd: string): Promise<void> {
  for (const key of Object.keys(CHECKS) as (keyof Expected)[]) {
    const wanted = expected[key]
    if (wanted === undefined) continue
    await (CHECKS[key] as Check<typeof key>)(wanted as never, came, place, cwd)
  }
}

/** `validate --json`: the problems, as a list or in an object. */
export function problemsOf(stdout: string): Plain[] {
  const printed = JSON.parse(stdout) as Plain[] | { problems: Plain[] }
  return Array.isArray(printed) ? printed : printed.problems
}

function resultOf(came: Came): FireResult {
  try {
    return JSON.parse(came.stdout)
  } catch {
    throw new Error(`No result on stdout: ${came.stdout}${came.stderr}`)
  }
}

function agrees(problem: Plain, wanted: Plain): boolean {
  return Object.entries(wanted).every(([key, value]) =>
    key === 'level' || key === 'line' || key === 'field'
      ? problem[key] === value
      : key === 'file'
        ? String(problem[key]).endsWith(`/${value}`)
        : String(problem[key]).includes(String(value)),
  )
}

/** `/…/` in the data is a pattern. */
function patterns(value: Plain): Plain {
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const found = typeof item === 'string' ? /^\/(.*[$^].*)\/$|^\/(\^.*)\/$/.exec(item) : null
      return [key, found ? expect.stringMatching(new RegExp((found[1] ?? found[2])!)) : item]
    }),
  )
}

function contains(text: string, parts: string[]): void {
  for (const part of parts) expect(text).toContain(part)
}

function lacks(text: string, parts: string[]): void {
  for (const part of parts) expect(text).not.toContain(part)
}

function linesOf(file: string): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
}
