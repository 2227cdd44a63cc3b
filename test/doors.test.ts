/**
 * Whatever door an event comes by, the same hooks see the same bytes and the same environment, and the agent gets the
 * same answer: every recorded payload is sent through the library, the relay to a warm engine, the relay to a daemon and
 * HTTP. One of each event of each agent passes the cold path, which takes a new process each time, and as a canonical event.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadDialect } from '../src/dialects/list.ts'
import { assemble } from '../src/host/assemble.ts'
import { environmentHeader } from '../src/host/http/environment-header.ts'
import { NO_LOG } from '../src/host/log.ts'
import { daemonOptions } from '../src/host/options.ts'
import { answers } from '../src/host/relay/is-listening.ts'
import { startDaemon } from '../src/host/serve.ts'
import type { Reply } from '../src/spec/dialect.ts'
import { EVENT_NAMES } from '../src/spec/event.ts'
import { calledBefore } from './compile-cache.ts'

const root = resolve(import.meta.dirname, '..')
const main = join(root, 'dist/cli/main.cjs')
const dialects = join(root, 'src/dialects')
const AT_ONCE = 4

interface Capture {
  agent: string
  event: string
  file: string
  /** The payload as its agent wrote it, but in a folder that is there. */
  text: string
}

/** What one hook was given. */
interface Seen {
  hook: string
  argv: string
  input: string
  env: string[]
}

interface Passed {
  reply: Reply
  seen: Seen[]
}

let place: string
let project: string
let agentEnv: NodeJS.ProcessEnv
let server: Server
let captures: Capture[]
const requests = new Map<string, Seen[]>()
const results = new Map<string, Passed[]>()

beforeAll(async () => {
  // Short, since the path of a socket has to be.
  place = realpathSync(mkdtempSync(join(tmpdir(), 'xd-')))
  project = join(place, 'project')
  mkdirSync(project)
  server = createServer(recordRequest)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  agentEnv = writeHooks((server.address() as AddressInfo).port)
  captures = await readCaptures()
})

afterAll(() => {
  server.close()
  server.closeAllConnections()
  rmSync(place, { recursive: true, force: true, maxRetries: 5 })
})

describe('every recorded event', () => {
  it('passes the library, in the agent’s words', async () => {
    await through('library', async ({ agent, event, text }, env) => {
      const assembly = assemble({ env, source: 'library' })
      const reply = await assembly.answer({ agent, event, cwd: project, read: () => text })
      await assembly.settled()
      await assembly.close()
      return reply
    })
    // A test of nothing would pass: some hook sees each event that has a name of its own here.
    const passed = results.get('library')!
    expect(passed.filter(({ seen }) => seen.length > 0).length).toBeGreaterThan(150)
    expect(passed.some(({ seen }) => seen.some(({ hook }) => hook === 'http'))).toBe(true)
  }, 600_000)

  it('is the same as a canonical event', async () => {
    await through(
      'fire',
      async ({ agent, event, text }, env) => {
        const dialect = await loadDialect(agent)
        const fields = dialect.agent!.decode(JSON.parse(text), { event, env, cwd: project })
        const assembly = assemble({ env, source: 'library' })
        await assembly.fire(fields.event_type, fields)
        await assembly.settled()
        await assembly.close()
        return { stdout: '', stderr: '', exit_code: 0 }
      },
      firstOfEachEvent(),
    )
    // A copy of a call that another entry answers reaches no hook; as a plain event it would.
    compare('fire', ({ seen }, native) => (native.seen.length > 0 ? seen : []))
  }, 600_000)

  it('is the same by the cold path', async () => {
    await through('cold', (capture, env) => run(process.execPath, [main], capture, env), firstOfEachEvent())
    expect(Object.keys(results.get('cold')!).length).toBeGreaterThan(150)
    compare('cold')
  }, 600_000)

  it('is the same by the relay to a warm engine', async () => {
    const relay = relayWithoutColdPath()
    // An engine holds nothing of the agents that call it.
    const { MY_TOKEN: _, ...plain } = agentEnv
    const engine = spawn(process.execPath, [main, 'engine'], { env: plain, stdio: 'ignore' })
    await expect.poll(() => answers(socketPath()), { timeout: 60_000 }).toBe(true)
    await through('warm', (capture, env) => run(relay, [], capture, env))
    await ended(engine)
    compare('warm')
  }, 600_000)

  it('is the same by the relay to a daemon, and by HTTP', async () => {
    const relay = relayWithoutColdPath()
    const daemon = await startDaemon({
      ...(await daemonOptions({ ...agentEnv, MY_TOKEN: "the daemon's own" })),
      log: NO_LOG,
    })
    try {
      await through('daemon', (capture, env) => run(relay, [], capture, env))
      const token = readFileSync(daemon.status.token_file, 'utf8').trim()
      await through('http', (capture, env) => post(daemon.status.http, token, capture, env))
    } finally {
      await daemon.stop()
    }
    compare('daemon')
    compare('http')
  }, 600_000)
})

/** Sends captures through a door. Each has a folder of its own, in which its hooks write down what they are given. */
async function through(
  door: string,
  send: (capture: Capture, env: NodeJS.ProcessEnv) => Promise<Reply>,
  wanted: (capture: Capture) => boolean = () => true,
): Promise<void> {
  const passed: Passed[] = []
  const waiting = captures.map((_, at) => at).filter((at) => wanted(captures[at]!))
  const worker = async () => {
    for (let at = waiting.shift(); at !== undefined; at = waiting.shift()) {
      const folder = join(place, 'seen', door, String(at))
      mkdirSync(folder, { recursive: true })
      const reply = await send(captures[at]!, { ...agentEnv, SEEN_FOLDER: folder })
      passed[at] = { reply, seen: [...readSeen(folder), ...(requests.get(folder) ?? [])] }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  results.set(door, passed)
}

function firstOfEachEvent(): (capture: Capture) => boolean {
  const events = new Set<string>()
  return ({ agent, event }) => events.size < events.add(`${agent} ${event}`).size
}

/** What passed by a door, with the same by the library. */
function compare(door: string, part: (passed: Passed, native: Passed) => unknown = (passed) => passed): void {
  results.get(door)!.forEach((passed, at) => {
    const native = results.get('library')![at]!
    const { agent, file } = captures[at]!
    expect(part(passed, native), `${agent} ${file} by ${door}`).toEqual(part(native, native))
  })
}

async function readCaptures(): Promise<Capture[]> {
  const found: Capture[] = []
  for (const agent of readdirSync(dialects).sort()) {
    const folder = join(dialects, agent, 'fixtures')
    if (!existsSync(join(dialects, agent, 'index.ts')) || !existsSync(folder)) continue
    const dialect = await loadDialect(agent)
    for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
      const recorded = JSON.parse(readFileSync(join(folder, file), 'utf8'))
      const event = String(recorded.event)
      const native = recorded.stdin ?? recorded.payload
      const { work_dir } = dialect.agent!.decode(native, { event, env: {}, cwd: project })
      const text = JSON.stringify(native).replaceAll(JSON.stringify(work_dir).slice(1, -1), project)
      found.push({ agent, event, file, text })
    }
  }
  return found
}

/** One script for each event, a line of a shell and a request for those before a tool. */
function writeHooks(port: number): NodeJS.ProcessEnv {
  const config = join(place, 'config')
  writeFileSync(join(place, 'zero-byte'), '\0')
  // A warning about the context is told once in a session, by the door that comes first.
  for (const event of EVENT_NAMES.filter((name) => name !== 'context_warning')) {
    const folder = join(config, 'agents/hooks', event.replaceAll('_', '-'))
    mkdirSync(join(folder, 'scripts'), { recursive: true })
    writeFileSync(
      join(folder, 'HOOK.md'),
      `---\nname: ${event.replaceAll('_', '-')}\ndescription: Writes down what it is given\ntrigger: ${event}\n---\n`,
    )
    writeFileSync(join(folder, 'scripts/run.sh'), recorder(event), { mode: 0o755 })
  }
  const native = join(place, 'native.json')
  const headers = { Authorization: 'Bearer $MY_TOKEN', 'X-Seen-Folder': '$SEEN_FOLDER', 'X-Other': '$HOME' }
  const hooks = [
    {
      type: 'http',
      url: `http://127.0.0.1:${port}/`,
      headers,
      allowedEnvVars: ['MY_TOKEN', 'SEEN_FOLDER'],
    },
    { type: 'command', command: join(place, 'native.sh'), args: ['one', '$HOME'] },
  ]
  writeFileSync(
    native,
    JSON.stringify({ hooks: { PreToolUse: [{ hooks }], SessionStart: [{ hooks: [hooks[1]] }] } }),
  )
  writeFileSync(join(place, 'native.sh'), recorder('native'), { mode: 0o755 })
  mkdirSync(join(config, 'crosshook'), { recursive: true })
  writeFileSync(
    join(config, 'crosshook/config.toml'),
    `allowed_hosts = ["127.0.0.1:${port}"]\nsources = [{ path = "${native}", format = "claude-code" }]\n`,
  )
  return calledBefore({
    PATH: process.env.PATH,
    HOME: place,
    XDG_CONFIG_HOME: config,
    XDG_STATE_HOME: join(place, 'state'),
    XDG_CACHE_HOME: join(place, 'cache'),
    XDG_RUNTIME_DIR: join(place, 'run'),
    CROSSHOOK_MANAGED_DIR: join(place, 'managed'),
    MY_TOKEN: "the agent's own",
    LANG: 'C.UTF-8',
  })
}

/** Denies before a tool, adds context elsewhere. */
function recorder(hook: string): string {
  const answer =
    hook === 'before_tool'
      ? 'echo "not this" >&2; exit 2'
      : hook === 'native'
        ? ''
        : `echo '{"additional_context": "seen"}'`
  // One program, since they run thousands of times. The shell's own environment is the one that it was started with.
  return `#!/bin/sh
{ printf '%s\\n' "$0" "$@"; printf '\\0'; cat - ${join(place, 'zero-byte')} /proc/$$/environ; } > "$SEEN_FOLDER/${hook}.$$"
${answer}
`
}

function readSeen(folder: string): Seen[] {
  return readdirSync(folder)
    .sort()
    .map((name) => {
      const [argv, input, ...env] = readFileSync(join(folder, name), 'utf8').split('\0')
      return {
        hook: name.replace(/\.\d+$/, ''),
        argv: argv!,
        input: steady(input!),
        env: env.filter((variable) => variable !== '' && !OF_THE_SHELL.test(variable)).sort(),
      }
    })
}

const OF_THE_SHELL = /^(?:_|SHLVL|PWD|OLDPWD|SEEN_FOLDER)=/

/** Without the time at which the event came in. */
function steady(text: string): string {
  return text
    .replace(/("timestamp": ?)("[^"]*"|\d+)/g, '$1"now"')
    .replaceAll(/seen\/(?:\w+)\/\d+/g, 'seen/here')
}

function recordRequest(request: IncomingMessage, response: ServerResponse): void {
  let input = ''
  request.setEncoding('utf8')
  request.on('data', (chunk: string) => {
    input += chunk
  })
  request.on('end', () => {
    const folder = String(request.headers['x-seen-folder'])
    const env = [`authorization: ${request.headers.authorization}`, `other: ${request.headers['x-other']}`]
    requests.set(folder, [
      ...(requests.get(folder) ?? []),
      { hook: 'http', argv: request.url!, input: steady(input), env },
    ])
    response.end('{}')
  })
}

/** A relay that fails where it would start Node: nothing but a warm process can have answered. */
function relayWithoutColdPath(): string {
  const relay = join(place, 'crosshook-relay')
  if (existsSync(relay)) return relay
  copyFileSync(join(root, 'dist/relay/crosshook-relay'), relay)
  chmodSync(relay, 0o755)
  const no = join(place, 'no-cold-path')
  writeFileSync(no, '#!/bin/sh\necho "the relay took the cold path: $CROSSHOOK_RELAY" >&2\nexit 99\n', {
    mode: 0o755,
  })
  writeFileSync(`${relay}.cold`, `${no}\n${no}\n`)
  return relay
}

function socketPath(): string {
  return join(agentEnv.XDG_RUNTIME_DIR!, 'crosshook/engine.sock')
}

function run(
  program: string,
  before: readonly string[],
  { agent, event, text }: Capture,
  env: NodeJS.ProcessEnv,
): Promise<Reply> {
  return new Promise((done, failed) => {
    const child = spawn(program, [...before, 'hook', agent, event], { cwd: project, env })
    const reply: Reply = { stdout: '', stderr: '', exit_code: -1 }
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      reply.stdout += chunk
    })
    child.stderr.setEncoding('utf8').on('data', (chunk) => {
      reply.stderr += chunk
    })
    child.on('error', failed)
    child.on('close', (code) => done({ ...reply, exit_code: code! }))
    child.stdin.on('error', () => {})
    child.stdin.end(text)
  })
}

async function post(
  origin: string,
  token: string,
  { agent, event, text }: Capture,
  env: NodeJS.ProcessEnv,
): Promise<Reply> {
  const response = await fetch(`${origin}/v1/agents/${agent}/${event}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'x-crosshook-work-dir': project,
      ...environmentHeader(env),
    },
    body: text,
  })
  const body = await response.text()
  const stderr = decodeURIComponent(response.headers.get('x-crosshook-stderr') ?? '')
  const exit_code = Number(response.headers.get('x-crosshook-exit-code'))
  // What says nothing on stdout says it here in words that an HTTP client understands.
  const isWordless =
    body === '{}' ||
    (exit_code === 2 && body === JSON.stringify({ decision: 'block', reason: stderr.trim() }))
  return { stdout: isWordless ? '' : body, stderr, exit_code }
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((done) => {
    child.once('exit', () => done())
    child.kill('SIGTERM')
  })
}
