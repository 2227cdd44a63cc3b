/** Fires the event of a case at its hooks and compares what came of it. */

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import { isAlive, processIds, until } from '../../src/executors/command-testing.ts'
import { assemble } from '../../src/host/assemble.ts'
import { deadLetters } from '../../src/journal/dead-letters.ts'
import type { RawResult } from '../../src/spec/executor.ts'
import type { FireResult } from '../../src/spec/outcome.ts'
import { calledBefore } from '../compile-cache.ts'

/** One hook in short: a callback, a command or a prompt. */
interface ShortHook {
  name: string
  matcher?: string
  mode?: 'open' | 'closed'
  max_retries?: number
  timeout_ms?: number
  /** A callback that waits, throws (the first `times`) and then answers. */
  answers?: unknown
  throws?: string
  times?: number
  sleeps?: number
  /** The name of another that must have been called before this one goes on. */
  awaits?: string
  command?: string
  shell?: string
  template?: string
  agent?: true
  max_turns?: number
}

export interface Case {
  id: string
  text: string
  glob?: string
  subjects?: Record<string, boolean>
  merge?: string
  answers?: unknown[]
  decode?: RawResult
  fails?: string
  key?: object
  hook_name?: string
  invocation_key?: string
  execution_key?: string
  schema?: string
  target?: string
  shown?: string
  read?: object
  file_text?: string
  problem?: string
  hook?: object
  settings?: object
  written?: unknown
  redacted?: string
  addresses?: string[]
  public?: boolean
  covered_by?: string[]
  awaits?: string
  fire?: string
  via?: 'program'
  with?: Record<string, unknown>
  hooks?: ShortHook[]
  model_answers?: string
  model_reads?: string
  expect?: object
  exit_code?: number
  matched?: string[]
  calls?: Record<string, number>
  dead_letters?: object[]
  counters?: object
  no_dead_letters_folder?: true
  /** Milliseconds in which the answer must be there. */
  within?: number
  /** The process whose id the command has written to `{file}.pid` must end. */
  child_ends?: true
  /** What `{file}` of a command must hold; null: there must be no such file. */
  file?: string | null
  never?: string
}

export async function fireCase(each: Case): Promise<void> {
  const folder = folderOf()
  const home = (name: string) => join(folder, name)
  const env: NodeJS.ProcessEnv = calledBefore({
    PATH: process.env.PATH,
    HOME: folder,
    XDG_CONFIG_HOME: home('config'),
    XDG_STATE_HOME: home('state'),
    XDG_CACHE_HOME: home('cache'),
    CROSSHOOK_MANAGED_DIR: home('managed'),
    CROSSHOOK_NO_DAEMON: '1',
    MODEL_KEY: 'key',
  })
  const state = home('state/crosshook')
  if (each.no_dead_letters_folder) {
    mkdirSync(state, { recursive: true })
    writeFileSync(join(state, 'dead-letters'), '')
  }
  const asked =
    each.model_answers === undefined ? [] : await modelServer(each.model_answers, env.XDG_CONFIG_HOME!)
  const file = home('file')
  const source = home('hooks.json')
  const hooks = { [each.fire!]: each.hooks!.map((hook) => definition(hook, file)) }
  writeFileSync(source, JSON.stringify({ schema_version: 1, hooks }))

  const calls: Record<string, number> = {}
  const result =
    each.via === 'program' ? program(each, source, env) : await inProcess(each, source, env, calls)

  if (each.expect) expect(result).toMatchObject(expected(each.expect))
  if (each.matched) expect(matched(result)).toEqual(each.matched)
  for (const [name, count] of Object.entries(each.calls ?? {})) expect(calls[name] ?? 0).toBe(count)
  if (each.model_reads) expect(asked.at(-1)).toEqual(expected(each.model_reads))
  if (each.dead_letters) {
    const kept = deadLetters(state).list()
    expect(kept).toHaveLength(each.dead_letters.length)
    for (const letter of each.dead_letters)
      expect(kept).toContainEqual(expect.objectContaining(expected(letter)))
  }
  if (each.child_ends) {
    const [child] = await processIds(`${file}.pid`, 1)
    await until(() => !isAlive(child!))
  }
  if (each.file === null) expect(existsSync(file)).toBe(false)
  else if (each.file !== undefined) expect(readFileSync(file, 'utf8')).toEqual(expected(each.file))
  if (each.never) never(JSON.stringify(result), each.never)
}

/** Texts after `~ ` are patterns, at any depth; lists are compared item by item. */
export function expected<T>(value: T): T {
  const found = (): unknown => {
    if (typeof value === 'string')
      return value.startsWith('~ ') ? expect.stringMatching(value.slice(2)) : value
    if (Array.isArray(value)) return value.map(expected)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, expected(item)]))
  }
  return found() as T
}

export function never(text: string, hidden: string): void {
  if (hidden.startsWith('~ ')) expect(text).not.toMatch(new RegExp(hidden.slice(2)))
  else expect(text).not.toContain(hidden)
}

export function folderOf(): string {
  const folder = mkdtempSync(join(tmpdir(), 'crosshook-kheish-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The hooks that had a say: they answered, or failed closed. */
function matched({ hooks }: FireResult): string[] {
  const spoke = hooks.filter(
    ({ status, reason }) => status === 'allowed' || status === 'blocked' || reason !== null,
  )
  return spoke.map(({ name }) => name)
}

function definition(hook: ShortHook, file: string): object {
  const { name, matcher, mode = 'open', max_retries = 0, timeout_ms } = hook
  const limit = timeout_ms === undefined ? {} : { timeout_ms }
  const executor = () => {
    if (hook.command !== undefined) {
      const command = hook.command.replaceAll('{file}', file)
      return { type: 'command', command, ...(hook.shell && { shell: hook.shell }) }
    }
    if (hook.template === undefined) return { type: 'callback', name }
    const { template, agent, max_turns } = hook
    return agent ? { type: 'agent', template, ...(max_turns && { max_turns }) } : { type: 'prompt', template }
  }
  return {
    name,
    ...(matcher !== undefined && { matcher }),
    failure_policy: { mode, max_retries },
    executor: { ...executor(), ...limit },
  }
}

async function inProcess(
  each: Case,
  source: string,
  env: NodeJS.ProcessEnv,
  calls: Record<string, number>,
): Promise<FireResult> {
  const callbacks = new Map(each.hooks!.map((hook) => [hook.name, callback(hook, calls)]))
  const runtime = assemble({ env, source: 'library', sources: [{ path: source }], callbacks })
  try {
    // Loading the hooks is no part of the time that an event takes.
    await runtime.hookSet(tmpdir())
    const started = performance.now()
    const result = await runtime.fire(each.fire!, { work_dir: tmpdir(), ...each.with })
    if (each.within !== undefined) expect(performance.now() - started).toBeLessThan(each.within)
    if (each.counters) expect(runtime.journal().counts()).toMatchObject(each.counters)
    return result
  } finally {
    runtime.close()
  }
}

function callback(hook: ShortHook, calls: Record<string, number>): () => Promise<unknown> {
  return async () => {
    calls[hook.name] = (calls[hook.name] ?? 0) + 1
    while (hook.awaits && !calls[hook.awaits]) await sleep(5)
    if (hook.sleeps) await sleep(hook.sleeps)
    if (hook.throws !== undefined && calls[hook.name]! <= (hook.times ?? Number.POSITIVE_INFINITY))
      throw new Error(hook.throws)
    return hook.answers
  }
}

function program(each: Case, source: string, env: NodeJS.ProcessEnv): FireResult {
  const main = join(import.meta.dirname, '../../dist/cli/main.cjs')
  const input = JSON.stringify({ work_dir: tmpdir(), ...each.with })
  const ended = run([main, 'fire', each.fire!, '--source', source, '--json'], input, env)
  expect(ended.status).toBe(each.exit_code)
  return JSON.parse(ended.stdout) as FireResult
}

function run(args: string[], input: string, env: NodeJS.ProcessEnv): { status: number; stdout: string } {
  try {
    return { status: 0, stdout: execFileSync(process.execPath, args, { input, env, encoding: 'utf8' }) }
  } catch (error) {
    const { status, stdout } = error as { status: number; stdout: string }
    return { status, stdout }
  }
}

/** A model that always says the same; gives back what it was asked, as text. */
async function modelServer(answer: string, configHome: string): Promise<string[]> {
  const asked: string[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    asked.push(body)
    const message = { role: 'assistant', content: answer }
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
    const choices = [{ index: 0, message, finish_reason: 'stop' }]
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify({ id: 'c', object: 'chat.completion', created: 1, model: 'm', choices, usage }),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  mkdirSync(join(configHome, 'crosshook'), { recursive: true })
  writeFileSync(
    join(configHome, 'crosshook', 'config.toml'),
    `[models]\ndefault = "test/m"\n[models.providers.test]\ntype = "openai-compatible"\nbase_url = "http://127.0.0.1:${port}/v1"\napi_key_env = "MODEL_KEY"\n`,
  )
  return asked
}
