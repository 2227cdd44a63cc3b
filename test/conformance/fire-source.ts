/** Fires events at hooks of one file, or at registered functions, in a world of their own, and compares what comes back. */

import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { isAlive } from '../../src/executors/command-testing.ts'
import { assemble } from '../../src/host/assemble.ts'
import type { Hook } from '../../src/spec/hook.ts'
import { calledBefore } from '../compile-cache.ts'

/** One event, at the engine, at the program (`via`), or as an agent's own payload (`handle`). */
export interface Step {
  fire?: string
  with?: Record<string, unknown>
  via?: 'program'
  /** Agent → its payload. */
  handle?: Record<string, Record<string, unknown>>
  /** Part of what comes back; a text after `~ ` is a pattern. */
  expect?: object
  exit_code?: number
  /** Milliseconds in which the answer must be there. */
  within?: number
  /** The whole of `{file}`, as text or as JSON; null: it is not there. */
  file?: unknown
  /** The process whose id is in `{file}` has ended. */
  gone?: true
  /** The context is that of the step before. */
  same_context?: true
}

export interface Setting {
  /** Content of the file, in which `{file}` is a path of its own. */
  source?: unknown
  format: string
  registered?: readonly Hook[]
}

export async function fireSteps(setting: Setting, steps: readonly Step[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'crosshook-conformance-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'file')
  const source = join(folder, 'hooks.json')
  if (setting.source !== undefined)
    writeFileSync(source, JSON.stringify(setting.source).replaceAll('{file}', file))
  const env = surroundings(folder)
  const { format, registered = [] } = setting
  const runtime = assemble({
    env,
    source: 'library',
    sources: setting.source === undefined ? [] : [{ path: source, format }],
    registered: () => registered,
  })
  onTestFinished(() => runtime.close())
  let before: unknown
  for (const step of steps) {
    const started = performance.now()
    const result = await take(step)
    if (step.within !== undefined) expect(performance.now() - started).toBeLessThan(step.within)
    if (step.expect) expect(result).toMatchObject(expected(step.expect))
    if (step.same_context)
      expect((result as { additional_context: unknown }).additional_context).toEqual(before)
    before = (result as { additional_context?: unknown }).additional_context
    checkFile(step, file)
  }

  async function take(step: Step): Promise<unknown> {
    const given = { work_dir: folder, ...step.with }
    if (step.via) return program([step.fire!, '--source', source], given, env, step.exit_code ?? 0)
    if (step.fire) return runtime.fire(step.fire, given)
    const [[agent, payload]] = Object.entries(step.handle!) as [[string, Record<string, unknown>]]
    return runtime.handle({
      agent,
      read: () => JSON.stringify({ cwd: folder, ...payload }),
      cwd: folder,
      env,
    })
  }
}

/** Texts after `~ ` are patterns, at any depth; lists are compared item by item. */
export function expected(value: unknown): object {
  const found = (): unknown => {
    if (typeof value === 'string')
      return value.startsWith('~ ') ? expect.stringMatching(value.slice(2)) : value
    if (Array.isArray(value)) return value.map(expected)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, expected(item)]))
  }
  return found() as object
}

/** Nothing of this machine's own settings reaches a case. */
function surroundings(folder: string): NodeJS.ProcessEnv {
  return calledBefore({
    PATH: process.env.PATH,
    HOME: folder,
    XDG_CONFIG_HOME: join(folder, 'config'),
    XDG_STATE_HOME: join(folder, 'state'),
    XDG_CACHE_HOME: join(folder, 'cache'),
    CROSSHOOK_MANAGED_DIR: join(folder, 'managed'),
    CROSSHOOK_NO_DAEMON: '1',
  })
}

function program(args: string[], given: object, env: NodeJS.ProcessEnv, exitCode: number): unknown {
  const crosshook = join(import.meta.dirname, '../../bin/crosshook')
  const input = JSON.stringify(given)
  const ended = spawnSync(crosshook, ['fire', ...args, '--json'], {
    input,
    env,
    encoding: 'utf8',
  })
  expect([ended.status, ended.stderr]).toEqual([exitCode, ''])
  return JSON.parse(ended.stdout)
}

function checkFile({ file, gone }: Step, path: string): void {
  if (gone) expect(isAlive(Number(readFileSync(path, 'utf8')))).toBe(false)
  if (file === undefined) return
  if (file === null) expect(existsSync(path)).toBe(false)
  else if (typeof file === 'string') expect(readFileSync(path, 'utf8')).toBe(file)
  else expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(expected(file))
}
