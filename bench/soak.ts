/**
 * A daemon under long and hostile use, on loopback: `node bench/soak.ts streams|memory|bad` (all three when none is named).
 *
 * SOAK_STREAMS=1000 SOAK_MINUTES=10 SOAK_RATE=200 SOAK_REQUESTS=100000 SOAK_SEED=1 are what it takes by itself.
 * Exits with 1 when something was wrong. Whatever ends it early says what it was, when, and what the daemon's log has
 * last: its own error, a signal, a daemon that is gone.
 */

import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { CrosshookClient } from '../src/client.ts'
import { badRequests } from './bad-requests.ts'

const program = process.env.CROSSHOOK_PROGRAM ?? fileURLToPath(new URL('../bin/crosshook', import.meta.url))
const execute = promisify(execFile)
const STREAMS = Number(process.env.SOAK_STREAMS ?? 1000)
const MINUTES = Number(process.env.SOAK_MINUTES ?? 10)
const RATE = Number(process.env.SOAK_RATE ?? 200)
const REQUESTS = Number(process.env.SOAK_REQUESTS ?? 100_000)
const SEED = Number(process.env.SOAK_SEED ?? 1)
const HOOKS = 50
/** Events under way at once. */
const WORKERS = 16
/** How much the memory of a daemon may grow between the first and the last minute, beyond random variation. */
const GROWTH = 1.15

export interface Target {
  pid: number
  http: string
  grpc: string
  token: string
}

const SOAKS: Record<string, (target: Target) => Promise<string[]>> = { streams, memory, bad }

/** Every stream is open at the same time, and each event reaches the one program that asked for it. */
async function streams(target: Target): Promise<string[]> {
  const before = residentMegabytes(target.pid)
  const clients: CrosshookClient[] = []
  const wrong: string[] = []
  const started = performance.now()
  for (let i = 0; i < STREAMS; i++) {
    const client = new CrosshookClient({ address: target.grpc, token: target.token })
    clients.push(client)
    const handler = () => ({ action: 'block' as const, reason: `program ${i}` })
    await client.registerHook('PreToolUse', { matcher: { tool: `Tool${i}` }, handler })
  }
  const opened = performance.now() - started
  const { open_streams: count } = await status(target)
  const during = residentMegabytes(target.pid)
  const order = Array.from({ length: STREAMS }, (_, i) => (i * 7919) % STREAMS)
  const asked = performance.now()
  await inParallel(order, async (i) => {
    const { decision, reason } = await fire(target, `Tool${i}`, `stream-${i}`)
    if (decision !== 'deny' || reason !== `program ${i}`)
      wrong.push(`Tool${i}: ${decision}, ${reason ?? 'no reason'}`)
  })
  const answered = performance.now() - asked
  say(`streams   ${STREAMS} programs connected in ${seconds(opened)}; the daemon counts ${count} streams`)
  say(`streams   ${STREAMS} events answered in ${seconds(answered)}, ${wrong.length} by the wrong program`)
  say(`streams   resident MB: ${before} before, ${during} with all, ${residentMegabytes(target.pid)} after`)
  if (count !== STREAMS) wrong.push(`the daemon counts ${count} streams`)
  await inParallel(clients, (client) => client.close())
  await sleep(2000)
  const left = await status(target)
  if (left.open_streams !== 0) wrong.push(`${left.open_streams} streams are left`)
  say(`streams   resident MB two seconds after the last has gone: ${residentMegabytes(target.pid)}`)
  return wrong
}

/** Sessions that never come back, programs that run, programs that fail, one SDK process. */
async function memory(target: Target): Promise<string[]> {
  const client = new CrosshookClient({ address: target.grpc, token: target.token })
  await client.registerHook('PreToolUse', {
    matcher: { tool: 'Remote' },
    handler: () => ({ action: 'block', reason: 'remote' }),
  })
  const wrong: string[] = []
  const tools = [...Array.from({ length: 17 }, (_, i) => `Other${i}`), 'Remote', 'Remote']
  const started = Date.now()
  const end = started + MINUTES * 60_000
  const figures: number[] = []
  let sent = 0
  const watch = setInterval(() => {
    figures.push(residentMegabytes(target.pid))
    say(`memory    minute ${figures.length}: ${figures.at(-1)} MB resident, ${sent} events`)
  }, 60_000)
  const worker = async () => {
    while (Date.now() < end) {
      const number = sent++
      const due = started + (number / RATE) * 1000
      if (due > Date.now()) await sleep(due - Date.now())
      const tool = number % 200 === 0 ? 'Runs' : number % 997 === 0 ? 'Fails' : tools[number % tools.length]!
      const { decision } = await fire(target, tool, `soak-${number}`).catch((error: Error) => {
        // Stop at the first failure, which is the informative one.
        if (!isAlive()) throw new Error(`event ${number} found no daemon`, { cause: error })
        wrong.push(`event ${number}: ${error.message}, ${new Date().toISOString()}`)
        return { decision: 'none' }
      })
      const expected = tool === 'Remote' || tool === 'Fails' ? 'deny' : 'allow'
      if (decision !== expected) wrong.push(`event ${number}, ${tool}: ${decision}`)
    }
  }
  await Promise.all(Array.from({ length: WORKERS }, worker))
  await sleep(1000)
  clearInterval(watch)
  await client.close()
  const [first, last] = [figures[0], figures.at(-1)]
  if (first !== undefined && last !== undefined && last > first * GROWTH + 10)
    wrong.push(`it grew from ${first} MB to ${last} MB`)
  return wrong
}

/** The daemon survives malformed requests and still answers valid ones. */
async function bad(target: Target): Promise<string[]> {
  const wrong: string[] = []
  const figures = [residentMegabytes(target.pid)]
  const started = performance.now()
  const tally = await badRequests(target, REQUESTS, SEED, async (count) => {
    const { decision } = await fire(target, 'Denied', `good-${count}`)
    if (decision !== 'deny') wrong.push(`after ${count} bad requests a deny was ${decision}`)
    if (count % (REQUESTS / 5) === 0) figures.push(residentMegabytes(target.pid))
  })
  const counts = [...tally.counts].sort(([a], [b]) => a.localeCompare(b)).map(([what, n]) => `${what} ${n}`)
  say(`bad       ${REQUESTS} requests in ${seconds(performance.now() - started)}: ${counts.join(', ')}`)
  say(`bad       resident MB, before and after each fifth: ${figures.join(', ')}`)
  return [...wrong, ...tally.serverErrors]
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const waiting = [...items]
  const worker = async () => {
    for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) await work(item)
  }
  await Promise.all(Array.from({ length: WORKERS }, worker))
}

const agent = new Agent({ keepAlive: true })

export async function fire(target: Target, tool: string, session: string) {
  const event = {
    event_type: 'before_tool',
    session_id: session,
    tool_name: tool,
    tool_input: { command: 'ls' },
  }
  const body = await ask(target, 'POST', '/v1/events', JSON.stringify(event))
  return body as { decision: string; reason: string | null }
}

async function status(target: Target) {
  return (await ask(target, 'GET', '/v1/status')) as { open_streams: number }
}

/** A working daemon answers everything within this time. */
const ANSWER_LIMIT = 60_000

function ask(target: Target, method: string, path: string, body = ''): Promise<unknown> {
  const { http, token } = target
  const what = `${method} ${path}`
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'content-length': Buffer.byteLength(body) }
    const sent = request(`${http}${path}`, { method, headers, agent, timeout: ANSWER_LIMIT }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      response.on('error', (error) => reject(new Error(`${what}: the answer broke off`, { cause: error })))
      response.once('end', () => {
        if (response.statusCode === 200) return resolve(JSON.parse(text))
        reject(new Error(`${what}: HTTP ${response.statusCode}: ${text.slice(0, 500)}`))
      })
    })
    sent.on('timeout', () => sent.destroy(new Error(`no answer after ${ANSWER_LIMIT} ms`)))
    sent.on('error', (error: NodeJS.ErrnoException) => {
      // The daemon has just closed a connection that nobody had used: a client asks again on a new one.
      if (sent.reusedSocket && error.code === 'ECONNRESET') resolve(ask(target, method, path, body))
      else reject(new Error(`${what}: ${error.message}`, { cause: error }))
    })
    sent.end(body)
  })
}

function residentMegabytes(pid: number): number {
  const { stdout, error } = spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })
  if (error) throw error
  // `ps` fails when no process matches.
  return stdout.trim() === '' ? Number.NaN : Math.round(Number(stdout) / 1024)
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`
}

function say(line: string): void {
  console.log(line)
}

/** Files of a daemon of its own: 50 hooks, one that runs a program, one that fails, one that denies. */
function makePlace(): { root: string; env: NodeJS.ProcessEnv } {
  const root = mkdtempSync(join(tmpdir(), 'crosshook-soak-'))
  const env: NodeJS.ProcessEnv = { PATH: process.env.PATH, CROSSHOOK_MANAGED_DIR: join(root, 'managed') }
  for (const name of ['CONFIG_HOME', 'STATE_HOME', 'CACHE_HOME', 'RUNTIME_DIR'])
    env[`XDG_${name}`] = join(root, name.toLowerCase())
  env.HOME = join(root, 'home')
  mkdirSync(env.HOME)
  const config = env.XDG_CONFIG_HOME!
  const write = (file: string, text: string, mode = 0o600) => {
    mkdirSync(dirname(join(config, file)), { recursive: true })
    writeFileSync(join(config, file), text, { mode })
  }
  const hook = (name: string, tool: string, script: string) => {
    const head = `---\nname: ${name}\ndescription: soak\ntrigger: before_tool\nmatcher:\n  tool: ${tool}\n`
    write(`agents/hooks/${name}/HOOK.md`, `${head}on_failure: closed\n---\n\n# ${name}\n`)
    write(`agents/hooks/${name}/scripts/run.sh`, `#!/bin/sh\n${script}\n`, 0o755)
  }
  hook('runs', 'Runs', 'exit 0')
  hook('fails', 'Fails', 'exit 3')
  hook('denies', 'Denied', 'echo no >&2; exit 2')
  for (let i = 3; i < HOOKS; i++) hook(`idle-${i}`, `Never${i}`, 'exit 0')
  const limits = { maxHooksPerEvent: STREAMS + 10, maxTotalHooks: STREAMS + 10, auditLevel: 'off' }
  write('crosshook/a3s.json', JSON.stringify({ hooks: limits }))
  return { root, env }
}

const named = process.argv.slice(2)
const { root, env } = makePlace()
const run = (...args: string[]) => execute(program, ['daemon', ...args], { env })
const { pid, http, grpc, token_file } = JSON.parse((await run('start', '--json')).stdout)
const begun = Date.now()
let phase = 'start'

/** What ended it, where it was, and what the daemon said last. */
function abort(what: string, error?: unknown): void {
  process.exitCode = 1
  console.error(`aborted   in "${phase}" after ${seconds(Date.now() - begun)}: ${what}`)
  if (error !== undefined) console.error(error)
  console.error(
    `aborted   the daemon (process ${pid}) ${isAlive() ? 'is running' : 'is gone'}; its log ends with:`,
  )
  const log = join(env.XDG_STATE_HOME!, 'crosshook', 'daemon.log')
  console.error(readFileSync(log, 'utf8').trimEnd().split('\n').slice(-8).join('\n'))
}

function isAlive(): boolean {
  return (
    spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
      .stdout.trim()
      .match(/^[^Z]/) !== null
  )
}

async function end(): Promise<void> {
  agent.destroy()
  await run('stop').catch((error) => console.error('the daemon could not be stopped:', error))
  if (!process.exitCode) rmSync(root, { recursive: true, force: true })
  else say(`The daemon's files are kept: ${root}`)
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => {
    abort(`ended from outside by ${signal}`)
    void end().finally(() => process.exit(1))
  })
for (const unexpected of ['uncaughtException', 'unhandledRejection'] as const)
  process.once(unexpected, (error) => {
    abort(`${unexpected} in the soak itself`, error)
    void end().finally(() => process.exit(1))
  })

try {
  const target = { pid, http, grpc, token: readFileSync(token_file, 'utf8').trim() }
  for (const [name, soak] of Object.entries(SOAKS)) {
    if (named.length > 0 && !named.includes(name)) continue
    phase = name
    const wrong = await soak(target)
    if (!isAlive()) wrong.push('the daemon is gone')
    say(
      `${name.padEnd(9)} ${wrong.length === 0 ? 'well' : `${wrong.length} wrong:\n${wrong.slice(0, 20).join('\n')}`}`,
    )
    if (wrong.length > 0) process.exitCode = 1
  }
} catch (error) {
  abort('a step failed', error)
}
await end()
// An aborted run leaves timers and streams open.
process.exit(process.exitCode)
