/** A home with a guard that asks, the built daemon in it, and the desk where its questions are answered. */

import { execFile, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Desk } from '../../src/ask/answer.ts'
import { openDesk } from '../../src/ask/desk.ts'
import type { Question } from '../../src/ask/question.ts'
import { paths } from '../../src/config/paths.ts'
import type { Journal } from '../../src/journal/port.ts'
import { journalAt } from '../../src/pipeline/journal.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const MAIN = join(ROOT, 'dist/cli/main.cjs')
const START = [MAIN, 'daemon', 'start', '--json']
const RELAY = join(ROOT, 'dist/relay/crosshook-relay')

/** Milliseconds after which a host that neither answers nor ends counts as failed. */
const LIMIT_MS = 300_000

/** `lost`: the connection broke without an answer, which agents and relay take for a failure. */
export type Decision = 'allow' | 'deny' | 'lost'

export interface AskPlace {
  state: string
  desk: Desk
  journal: Journal
  start(): Promise<void>
  /** Kills it with SIGKILL, like a crash. */
  kill(): void
  /** An agent's call over HTTP. */
  call(session: string, command: string): Promise<Decision>
  /** The same through the relay, which takes the cold path when the host is gone. */
  relay(session: string, command: string): Promise<Decision>
  close(): void
}

const hook = (name: string, command: string, outcome: object) =>
  `---\n${JSON.stringify({ name, description: 'x', trigger: 'before_tool', matcher: { command }, outcome })}\n---\n`

export function askPlace(wait: number): AskPlace {
  const base = mkdtempSync(join(tmpdir(), 'check-ask-'))
  const home = join(base, 'home')
  const state = join(home, '.local/state/crosshook')
  const put = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  put(
    join(home, '.config/agents/hooks/asks/HOOK.md'),
    hook('asks', '^deploy', { decision: 'ask', reason: 'a yes is needed' }),
  )
  put(
    join(home, '.config/agents/hooks/denies/HOOK.md'),
    hook('denies', '^never', { decision: 'deny', reason: 'never' }),
  )
  put(
    join(home, '.config/crosshook/config.toml'),
    `[approvals]\nvia = ["terminal"]\nwait = ${wait}\nper_minute = 100000\n`,
  )
  const env = { PATH: process.env.PATH, HOME: home, CROSSHOOK_MANAGED_DIR: join(base, 'none') }
  let http = { port: 0, pid: 0, token: '' }
  mkdirSync(state, { recursive: true })
  const journal = journalAt(state)
  const desk = openDesk({
    where: paths(env),
    journal: () => journal,
    source: 'cli',
    trouble: (text) => console.error(text),
  })
  function findHost(): void {
    const told = JSON.parse(readFileSync(join(state, 'daemon.json'), 'utf8')) as {
      http: string
      pid: number
      token_file: string
    }
    http = {
      port: Number(new URL(told.http).port),
      pid: told.pid,
      token: readFileSync(told.token_file, 'utf8').trim(),
    }
  }
  const payload = (session: string, command: string) =>
    JSON.stringify({
      session_id: session,
      cwd: base,
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command },
    })
  return {
    state,
    desk,
    journal,
    async start() {
      await promisify(execFile)(process.execPath, START, { env, timeout: LIMIT_MS })
      findHost()
    },
    kill() {
      process.kill(http.pid, 'SIGKILL')
    },
    call: (session, command) =>
      new Promise((resolve) => {
        const sent = request(
          {
            host: '127.0.0.1',
            port: http.port,
            method: 'POST',
            path: '/v1/agents/codex/PreToolUse',
            headers: { authorization: `Bearer ${http.token}`, 'x-crosshook-work-dir': base },
            agent: false,
          },
          (response) => {
            let text = ''
            response.setEncoding('utf8').on('data', (chunk: string) => {
              text += chunk
            })
            response.on('end', () => resolve(response.statusCode === 200 ? decisionIn(text) : 'lost'))
            response.on('error', () => resolve('lost'))
          },
        )
        sent.setTimeout(LIMIT_MS + wait * 1000, () => sent.destroy(new Error('no answer')))
        sent.on('error', () => resolve('lost'))
        sent.end(payload(session, command))
      }),
    relay: (session, command) =>
      new Promise((resolve) => {
        const child = spawn(RELAY, ['hook', 'codex', 'PreToolUse'], {
          env,
          cwd: base,
          stdio: ['pipe', 'pipe', 'ignore'],
        })
        let text = ''
        child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk
        })
        child.on('close', (code) => resolve(code === 2 ? 'deny' : decisionIn(text)))
        child.stdin.end(payload(session, command))
      }),
    close() {
      desk.questions.close()
      journal.close()
      spawnSync(process.execPath, [MAIN, 'daemon', 'stop'], { env })
      rmSync(base, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

function decisionIn(text: string): Decision {
  return text.includes('"permissionDecision":"deny"') ? 'deny' : 'allow'
}

export interface Following {
  readonly questions: Iterable<Question>
  /** Resolves when this many questions were asked; throws after a time limit. */
  reached(count: number): Promise<void>
  /** Calls back for each question asked so far, and each later one. */
  each(seen: (question: Question) => void): void
  stop(): void
}

/** Questions as they are asked. */
export function followQuestions({ desk: { questions } }: Pick<AskPlace, 'desk'>): Following {
  const seen = new Map<string, Question>()
  const callbacks = new Set<(question: Question) => void>()
  const stop = questions.follow((name) => {
    const [id = '', kind, ...more] = name.split('.')
    if (kind !== 'question' || more.length > 0 || seen.has(id)) return
    const question = questions.get(id)!
    seen.set(id, question)
    for (const call of callbacks) call(question)
  })
  return {
    questions: { [Symbol.iterator]: () => seen.values() },
    async reached(count) {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const look = () => seen.size >= count && resolve()
      callbacks.add(look)
      const limit = setTimeout(
        () =>
          reject(
            new Error(
              `${seen.size} of ${count} questions were noticed within ${LIMIT_MS / 1000} s, ${questions.list().length} are kept`,
            ),
          ),
        LIMIT_MS,
      )
      look()
      await promise.finally(() => {
        clearTimeout(limit)
        callbacks.delete(look)
      })
    },
    each(call) {
      for (const question of seen.values()) call(question)
      callbacks.add(call)
    },
    stop,
  }
}
