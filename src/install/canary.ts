/** A harmless call through the very command that an agent was given, and the answer it must get. */

import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, realpathSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { CALLERS } from '../dialects/list.ts'
import { degrade } from '../engine/degrade.ts'
import { CANARY_MARK, canaryFolder, canaryReason } from '../pipeline/guard.ts'
import type { Entry, Reply } from '../spec/dialect.ts'
import { CrosshookError, messageOf } from '../spec/errors.ts'
import { EVENTS, eventRow, type HookEvent } from '../spec/event.ts'
import { HOOK_DEFAULTS, type Hook } from '../spec/hook.ts'
import { toNativeTool } from '../spec/tool.ts'
import type { KnownAgent } from './known.ts'

export interface Canary {
  /** What is wrong with the answer; undefined when it is the deny that the agent obeys. */
  fire(agent: KnownAgent, entry: Entry): Promise<string | undefined>
  end(): void
}

const LIMIT = 20_000

export function openCanary(state: string, given: NodeJS.ProcessEnv): Canary {
  const env = withoutMarks(given)
  const folder = join(canaryFolder(state), `${CANARY_MARK}${randomBytes(6).toString('hex')}`)
  makeFolder(folder, state)
  const workDir = realpathSync(folder)
  return {
    async fire(agent, entry) {
      const payload = payloadFor(agent, entry.event, workDir)
      const native: unknown = JSON.parse(payload)
      const event = agent.agent.decode(native, { event: entry.event, env, cwd: workDir })
      const reason = canaryReason(event, state)
      if (reason === undefined || event.native_event !== entry.event)
        return `a call of this event cannot be made up (it was taken for ${event.native_event} in ${event.work_dir})`
      const capability = agent.agent.capabilities[entry.event]
      const deny = degrade({ decision: 'deny', reason }, capability, agent.title).outcome
      const expected = agent.agent.encode(deny, event)
      try {
        return compare(await call(entry, payload, workDir, env), expected)
      } catch (error) {
        return messageOf(error)
      }
    },
    end() {
      for (const each of [folder, canaryFolder(state)]) {
        try {
          rmdirSync(each)
        } catch {
          return // another doctor is at work
        }
      }
    },
  }
}

function makeFolder(folder: string, state: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new CrosshookError('store', `The state folder ${state} cannot be written: ${messageOf(error)}.`, {
      cause: error,
    })
  }
}

/** An agent that runs doctor is not the one that is tried. */
function withoutMarks(given: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const env = { ...given }
  for (const { marks } of Object.values(CALLERS)) for (const mark of marks) delete env[mark]
  return env
}

/** In the agent's words, as its own hooks would get it. */
function payloadFor({ id, dialect }: KnownAgent, native: string, workDir: string): string {
  const event = sampleEvent([dialect.events[native] ?? `${id}/${native}`].flat()[0]!, workDir)
  const hook: Hook = {
    ...HOOK_DEFAULTS,
    name: 'canary',
    format: id,
    scope: 'user',
    events: [event.event_type],
    native_event: native,
    run: { type: 'command', argv: ['true'] },
    origin: { file: '' },
  }
  if (dialect.format) return dialect.format.encode(event, hook, {}).text
  const tool = toNativeTool(dialect.tools, 'Shell', COMMAND)
  return JSON.stringify({
    hook_event_name: native,
    session_id: event.session_id,
    cwd: workDir,
    ...(eventRow(event.event_type).tool ? { tool_name: tool.name, tool_input: tool.input } : {}),
  })
}

const COMMAND = { command: 'echo crosshook-canary' }
const SAMPLES = {
  string: 'canary',
  integer: 1,
  boolean: false,
  object: {},
  array: [],
  strings: [],
  any: 'canary',
  'object?': null,
}

function sampleEvent(type: string, workDir: string): HookEvent {
  const { fields } = eventRow(type)
  const own = Object.fromEntries(Object.entries(fields).map(([name, kind]) => [name, SAMPLES[kind]]))
  const tool = Object.hasOwn(EVENTS, type) && eventRow(type).tool
  return {
    ...own,
    event_type: type,
    timestamp: new Date().toISOString(),
    session_id: CANARY_MARK,
    work_dir: workDir,
    context: {},
    ...(tool ? { tool_name: 'Shell', tool_input: COMMAND } : {}),
  }
}

function compare(got: Reply, expected: Reply): string | undefined {
  const tidy = (text: string) => text.trim()
  if (
    got.exit_code === expected.exit_code &&
    tidy(got.stdout) === tidy(expected.stdout) &&
    got.stderr.includes(tidy(expected.stderr))
  )
    return undefined
  const said = tidy(got.stderr) || tidy(got.stdout) || 'nothing'
  return `it should have denied with exit code ${expected.exit_code}, but ended with ${got.exit_code} and said: ${said.slice(0, 300)}`
}

async function call(entry: Entry, payload: string, cwd: string, env: NodeJS.ProcessEnv): Promise<Reply> {
  if (/^https?:\/\//.test(entry.command)) return callUrl(entry, payload, env)
  const [program = '', ...args] = entry.argv ?? ['/bin/sh', '-c', entry.command]
  const { promise, resolve, reject } = Promise.withResolvers<Reply>()
  const child = spawn(program, args, { cwd, env, timeout: LIMIT, killSignal: 'SIGKILL' })
  const reply = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    reply.stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    reply.stderr += text
  })
  child.stdin.on('error', () => {}).end(payload) // a dead command does not read it
  child.on('error', reject)
  child.on('close', (code, signal) =>
    signal === null
      ? resolve({ ...reply, exit_code: code ?? 1 })
      : reject(new Error(`no answer within ${LIMIT / 1000} s (${signal})`)),
  )
  return promise
}

async function callUrl(
  { command, headers = {} }: Entry,
  body: string,
  env: NodeJS.ProcessEnv,
): Promise<Reply> {
  const filled = Object.entries(headers).map(([name, value]) => [
    name,
    value.replaceAll(/\$\{(\w+)\}/g, (_, variable: string) => env[variable] ?? ''),
  ])
  const answer = await fetch(command, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...Object.fromEntries(filled) },
    signal: AbortSignal.timeout(LIMIT),
  }).catch((error: Error) => {
    throw new Error(`${command} does not answer: ${messageOf(error.cause ?? error)}`)
  })
  const text = await answer.text()
  if (answer.ok) return { stdout: text, stderr: '', exit_code: 0 }
  const { detail } = (wholeObject(text) ?? {}) as { detail?: string }
  throw new Error(`${command} answers ${answer.status}: ${detail ?? text.slice(0, 200)}`)
}

function wholeObject(text: string): object | undefined {
  try {
    return Object(JSON.parse(text)) as object
  } catch {
    return undefined // somebody else listens there
  }
}
