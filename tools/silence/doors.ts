/** The entry points by which a tool call reaches crosshook, and the answers read from each. */

import { spawn } from 'node:child_process'
import { chownSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:http2'
import { join } from 'node:path'
import { base, dist, entryFile, env, home, LIMIT_MS, project, state } from './place.ts'

export const DOORS = ['relay warm', 'relay cold', 'HTTP', 'gRPC', 'library'] as const
export type Door = (typeof DOORS)[number]

export interface Asked {
  session: string
  tool: string
  /** `error`: the caller got no decision but an error. */
  decision: 'allow' | 'deny' | 'error'
  /** The caller's agent can say that something failed. */
  told: boolean
  text: string
  ms: number
}

export interface How {
  /** Shell commands to run before the call. */
  before?: string
  /** A command prefix, such as `nsenter …`. */
  enter?: readonly string[]
  /** Where the state folder is seen from here. */
  seen?: string
  more?: Record<string, string>
  workDir?: string
}

type Answer = Pick<Asked, 'decision' | 'told' | 'text'>

let asked = 0

export async function ask(door: Door, tool: string, how: How = {}): Promise<Asked> {
  const session = `s${++asked}-${door.replace(' ', '-')}`
  const begun = performance.now()
  const answer = await DOOR[door](tool, session, how)
  return { ...answer, session, tool, ms: Math.round(performance.now() - begun) }
}

const DOOR: Record<Door, (tool: string, session: string, how: How) => Promise<Answer>> = {
  'relay warm': (tool, session, how) => byRelay(tool, session, how),
  'relay cold': (tool, session, how) => byRelay(tool, session, how, coldEntry(session, how)),
  HTTP: byHttp,
  gRPC: byGrpc,
  library: byLibrary,
}

/** The installed entry, as Claude Code calls it. */
async function byRelay(tool: string, session: string, how: How, entry?: string): Promise<Answer> {
  const { hooks } = JSON.parse(readFileSync(join(home, '.claude/settings.json'), 'utf8'))
  const { command, args } = hooks.PreToolUse[0].hooks[0] as { command: string; args: string[] }
  const words = args.map((arg) => (entry && arg.startsWith('--entry=') ? `--entry=${entry}` : arg))
  const payload = {
    session_id: session,
    cwd: project,
    hook_event_name: 'PreToolUse',
    tool_name: tool,
    tool_input: { command: 'ls' },
    tool_use_id: '1',
  }
  const { status, stdout, stderr } = await run([command, ...words], JSON.stringify(payload), how)
  const isDenied = stdout.includes('"permissionDecision":"deny"') || (status === 2 && stderr !== '')
  const text = stdout.trim() + stderr.trim()
  return { decision: isDenied ? 'deny' : 'allow', told: text !== '', text }
}

/** The same entry, in which crosshook is told to start no engine. */
function coldEntry(session: string, { more = {} }: How): string {
  const copy = join(base, `${session}.entry`)
  const set = Object.entries({ CROSSHOOK_NO_DAEMON: '1', ...more }).map(
    ([name, value]) => `set\t${name}=${value}\n`,
  )
  const text = readFileSync(entryFile, 'utf8')
  writeFileSync(copy, text.replace(/^set\tHOME/m, `${set.join('')}set\tHOME`), { mode: 0o600 })
  const { uid, gid } = statSync(entryFile)
  chownSync(copy, uid, gid)
  return copy
}

async function byLibrary(tool: string, session: string, how: How): Promise<Answer> {
  const program = `import { readFileSync } from 'node:fs'
const { loadHooks } = await import(${JSON.stringify(join(dist, 'lib/index.js'))})
const hooks = await loadHooks({ work_dir: ${JSON.stringify(project)} })
console.log(JSON.stringify(await hooks.fire('before_tool', JSON.parse(readFileSync(0, 'utf8')))))
process.exit()`
  const input = JSON.stringify(eventOf(tool, session, how))
  const { stdout, stderr } = await run([process.execPath, '--input-type=module', '-e', program], input, how)
  return stdout === '' ? none(stderr || 'the process ended') : understood(stdout)
}

async function byHttp(tool: string, session: string, how: How): Promise<Answer> {
  try {
    const { http, token } = daemon(how)
    const response = await fetch(`${http}/v1/events`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ event_type: 'before_tool', ...eventOf(tool, session, how) }),
      signal: AbortSignal.timeout(HOST_LIMIT_MS),
    })
    const text = await response.text()
    return response.status === 200 ? understood(text) : none(text)
  } catch (error) {
    return none(String(error))
  }
}

/** Callers of the daemon set their own limit. */
const HOST_LIMIT_MS = 8000

function byGrpc(tool: string, session: string, how: How): Promise<Answer> {
  return new Promise((resolve) => {
    const end = (answer: Answer) => {
      clearTimeout(late)
      client?.destroy()
      resolve(answer)
    }
    const late = setTimeout(() => end(none('no answer in time')), HOST_LIMIT_MS)
    let client: ReturnType<typeof connect> | undefined
    try {
      const { grpc, token } = daemon(how)
      client = connect(`http://${grpc}`)
      client.on('error', (error) => end(none(String(error))))
      const stream = client.request({
        ':method': 'POST',
        ':path': '/HookService/Fire',
        'content-type': 'application/grpc+json',
        te: 'trailers',
        authorization: `Bearer ${token}`,
      })
      const parts: Buffer[] = []
      let status = 'the stream ended'
      const hear = (headers: Record<string, unknown>) => {
        if (headers['grpc-status'] !== undefined)
          status = `${headers['grpc-status']} ${headers['grpc-message']}`
      }
      stream.on('response', hear).on('trailers', hear)
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('error', (error) => end(none(String(error))))
      stream.on('close', () => {
        const body = Buffer.concat(parts).subarray(5).toString()
        if (body === '' || !status.startsWith('0')) return end(none(status))
        const { decision, result } = JSON.parse(body) as { decision: string; result: string }
        const answer = understood(Buffer.from(result, 'base64').toString())
        end(
          answer.decision === decision || decision === 'ask'
            ? answer
            : none(`${decision} and ${answer.decision}`),
        )
      })
      const event = Buffer.from(JSON.stringify(eventOf(tool, session, how))).toString('base64')
      const message = Buffer.from(JSON.stringify({ eventType: 'before_tool', event }))
      const head = Buffer.alloc(5)
      head.writeUInt32BE(message.length, 1)
      stream.end(Buffer.concat([head, message]))
    } catch (error) {
      end(none(String(error)))
    }
  })
}

function eventOf(tool: string, session: string, { workDir = project }: How) {
  return { tool_name: tool, tool_input: { command: 'ls' }, work_dir: workDir, session_id: session }
}

function daemon({ seen = state }: How): { http: string; grpc: string; token: string } {
  const { http, grpc } = JSON.parse(readFileSync(join(seen, 'daemon.json'), 'utf8'))
  return { http, grpc, token: readFileSync(join(seen, 'daemon.events-token'), 'utf8').trim() }
}

function none(text: string): Answer {
  return { decision: 'error', told: true, text }
}

/** A result as `crosshook fire --json` prints it. */
function understood(text: string): Answer {
  const result = JSON.parse(text) as {
    decision: Asked['decision']
    hooks: { status: string; error?: unknown; reason?: unknown }[]
  }
  const told = result.hooks.some(
    ({ status, error, reason }) => ['failed', 'timed_out'].includes(status) && Boolean(error ?? reason),
  )
  return { decision: result.decision, told, text }
}

interface Ran {
  status: number | null
  stdout: string
  stderr: string
}

function run(
  words: readonly string[],
  input: string,
  { before = '', enter = [], more = {} }: How,
): Promise<Ran> {
  const shell = ['/bin/sh', '-c', `cd '${project}'\n${before}\nexec "$0" "$@"`]
  const all = [...enter, ...shell, ...words]
  return new Promise((resolve) => {
    const child = spawn(all[0]!, all.slice(1), { env: { ...env, ...more }, cwd: '/', timeout: LIMIT_MS })
    const ran: Ran = { status: null, stdout: '', stderr: '' }
    child.stdout.setEncoding('utf8').on('data', (text: string) => (ran.stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (ran.stderr += text))
    child.once('error', (error) => resolve({ ...ran, stderr: String(error) }))
    child.once('close', (status) => resolve({ ...ran, status }))
    child.stdin.on('error', () => {}) // it may end without reading
    child.stdin.end(input)
  })
}
