/** Sends a harmless call through the command that an agent was given, and checks the answer. */

import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CALLERS } from '../dialects/list.ts'
import { degradeOutcome } from '../pipeline/degrade.ts'
import { CANARY_MARK, canaryFolder, canaryReason } from '../pipeline/guard.ts'
import type { Reply } from '../spec/dialect.ts'
import { CrosshookError, messageOf } from '../spec/errors.ts'
import type { Entry } from '../spec/installer.ts'
import { replyOf } from './entry-file.ts'
import type { KnownAgent } from './known.ts'
import { samplePayload } from './sample-call.ts'

export interface Canary {
  /** What is wrong with the answer; undefined when it is the deny that the agent obeys. */
  fire(agent: KnownAgent, entry: Entry): Promise<string | undefined>
  end(): void
}

const ANSWER_LIMIT_MS = 20_000

export function openCanary(state: string, given: NodeJS.ProcessEnv): Canary {
  const folder = join(canaryFolder(state), newName())
  makeFolder(folder, state)
  const workDir = realpathSync(folder)
  return {
    fire: firing(state, { workDir, scratch: workDir, env: withoutMarks(given) }),
    end() {
      for (const each of [folder, canaryFolder(state)]) {
        try {
          rmdirSync(each)
        } catch {
          return // another doctor is running
        }
      }
    },
  }
}

/** A permanent canary folder: none can be created in another user's state folder. */
export function lastingCanary(state: string): string {
  return join(canaryFolder(state), `${CANARY_MARK}doctor`)
}

export function openForeignCanary(state: string, given: NodeJS.ProcessEnv): Canary {
  const workDir = lastingCanary(state)
  const scratch = mkdtempSync(join(tmpdir(), 'crosshook-doctor-'))
  return {
    fire: firing(state, { workDir, scratch, env: withoutMarks(given) }),
    end: () => rmSync(scratch, { recursive: true, force: true }),
  }
}

function newName(): string {
  return `${CANARY_MARK}${randomBytes(6).toString('hex')}`
}

interface Trial {
  /** The working folder that the agent reports. */
  workDir: string
  /** Our own folder, from which the entry is called. */
  scratch: string
  env: NodeJS.ProcessEnv
}

function firing(state: string, { workDir, scratch, env }: Trial): Canary['fire'] {
  return async (agent, entry) => {
    const payload = samplePayload(agent, entry.event, workDir, CANARY_MARK)
    const native: unknown = JSON.parse(payload)
    const event = agent.agent.decode(native, { event: entry.event, env, cwd: workDir })
    const reason = canaryReason(event, state)
    if (reason === undefined || event.native_event !== entry.event)
      return `a call of this event cannot be made up (it was taken for ${event.native_event} in ${event.work_dir})`
    const capability = agent.agent.capabilities[entry.event]
    const deny = degradeOutcome({ decision: 'deny', reason }, capability, agent.title).outcome
    const expected = agent.agent.encode(deny, event)
    try {
      const wrong = compare(await call(entry, payload, workDir, env), expected)
      return wrong ?? (await brokenCopy(agent, entry, payload, scratch, env))
    } catch (error) {
      return messageOf(error)
    }
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

/** The agent that runs doctor is not the one being tested. */
function withoutMarks(given: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const env = { ...given }
  for (const { marks } of Object.values(CALLERS)) for (const mark of marks) delete env[mark]
  return env
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
  const [program = '', ...args] = argvOf(entry)
  const { promise, resolve, reject } = Promise.withResolvers<Reply>()
  const child = spawn(program, args, { cwd, env, timeout: ANSWER_LIMIT_MS, killSignal: 'SIGKILL' })
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
      : reject(new Error(`no answer within ${ANSWER_LIMIT_MS / 1000} s (${signal})`)),
  )
  return promise
}

function argvOf({ argv, args, command }: Entry): readonly string[] {
  return argv ?? (args ? [command, ...args] : ['/bin/sh', '-c', command])
}

/** The same call with a copy of the entry file whose program is missing must be refused, or reported as a failure. */
async function brokenCopy(
  agent: KnownAgent,
  entry: Entry,
  payload: string,
  workDir: string,
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  const words = argvOf(entry)
  const file = /--entry=([^']+)/.exec(words.join(' '))?.[1]
  if (file === undefined) return undefined // over HTTP, or from before entries had files
  const isOpen = words.some((word) => word.includes('--fail=open'))
  const copy = join(workDir, `${entry.event}.entry`)
  const broken = readFileSync(file, 'utf8')
    .replace(/^(program\t[^\t]*\t).*$/m, `$1${workDir}/gone.cjs`)
    .replace(/^(resident\t).*(\t\d+)$/m, `$1${workDir}/gone/engine.sock$2`)
    .replace(/^engine\t.*$/m, `engine\t${workDir}/gone/engine.sock\t${workDir}/gone/state.key`)
  try {
    writeFileSync(copy, broken, { mode: 0o600 })
    const argv = words.map((word) => word.replaceAll(`--entry=${file}`, `--entry=${copy}`))
    const got = await call({ ...entry, argv }, payload, workDir, env)
    const said = got.stdout + got.stderr
    const { exit_code } = replyOf({ agent, state: '', fail: isOpen ? 'open' : 'closed' }, entry.event)
    if (got.exit_code === exit_code && said.includes('cannot check this')) return undefined
    return `when its program is broken it should say so with exit code ${exit_code}, but it ended with ${got.exit_code} and said: ${said.slice(0, 300) || 'nothing'}`
  } finally {
    rmSync(copy, { force: true })
  }
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
    signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
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
    return undefined // another program listens there
  }
}
