/** Shared by tests of child processes. */

import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, onTestFinished } from 'vitest'
import { compiledRelay } from '../../test/compiled-relay.ts'
import type { Call, Executor } from '../spec/executor.ts'
import type { Hook } from '../spec/hook.ts'
import { type CommandRun, commandExecutor, createCommandExecutor } from './command.ts'
import { createSpawner } from './spawner.ts'
import { callOf } from './testing.ts'

type Options = Omit<NonNullable<Parameters<typeof callOf>[1]>, 'host'> & {
  hook?: Partial<Hook>
  env?: NodeJS.ProcessEnv
}

/** A call in an existing folder, with the environment of the tests. */
export function commandCall(run: CommandRun, { hook, env, ...options }: Options = {}): Call<CommandRun> {
  const call = callOf(run, {
    ...options,
    event: { work_dir: tmpdir(), ...options.event },
    host: { env: env ?? process.env, stateDir: () => tmpdir() },
  })
  return { ...call, hook: { ...call.hook, ...hook } }
}

/** Both ways to run programs: by this process and, if there is a C compiler, by a spawner. */
export function ways(): [string, Executor<CommandRun>][] {
  const relay = buildRelay()
  if (relay === undefined) return [['by this process', commandExecutor]]
  const spawner = createSpawner(relay)
  afterAll(() => spawner.close())
  return [
    ['by this process', commandExecutor],
    ['by a spawner', createCommandExecutor(spawner)],
  ]
}

/** Undefined without a C compiler. CROSSHOOK_TEST_RELAY names an existing one. */
export function buildRelay(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'crosshook-relay-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))
  const file = join(folder, 'crosshook-relay')
  const given = process.env.CROSSHOOK_TEST_RELAY
  if (given !== undefined) {
    copyFileSync(given, file)
    return file
  }
  const compiled = compiledRelay()
  if (compiled === undefined) return undefined
  copyFileSync(compiled, file)
  return file
}

export function shell(command: string): CommandRun {
  return { type: 'command', command, shell: 'bash', args: ['-c'] }
}

export function fixture(name: string): string {
  return join(import.meta.dirname, 'fixtures', name)
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'crosshook-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))
  return folder
}

export function writeProgram(file: string, text: string, mode = 0o755): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  chmodSync(file, mode)
}

export async function until<T>(look: () => T | undefined | false, within = 25_000): Promise<T> {
  const deadline = performance.now() + within
  for (;;) {
    const found = look()
    if (found !== undefined && found !== false) return found
    if (performance.now() > deadline) throw new Error(`Waited ${within} ms in vain for ${look}`)
    await sleep(5)
  }
}

/** The process ids in a file, once there are this many. */
export function processIds(file: string, count: number): Promise<number[]> {
  return until(() => {
    const ids = textOf(file).split('\n').filter(Boolean).map(Number)
    return ids.length >= count && ids
  })
}

export function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return '' // not written yet
  }
}

/** A zombie does not count. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  const stat = textOf(`/proc/${pid}/stat`)
  return !/^\d+ \(.*\) [ZX]/s.test(stat)
}
