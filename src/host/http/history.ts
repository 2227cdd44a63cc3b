/** Past calls over HTTP: replay, one session, and agents that call no hook. */

import { spawn } from 'node:child_process'
import { setPriority } from 'node:os'
import { join, relative } from 'node:path'
import { packageFolder } from '../../config/package-folder.ts'
import { alarmOf, heartbeats } from '../../history/heartbeat.ts'
import { createTally } from '../../history/reading.ts'
import { type Replay, summaryOf } from '../../history/replay.ts'
import { fileCalls, historians } from '../../history/transcripts.ts'
import { redactClipped } from '../../redact/redact.ts'
import type { Core } from '../core.ts'
import { Refusal } from '../problem.ts'
import type { Route, RouteContext } from './routes.ts'

export const HISTORY_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/replay',
    scope: 'admin',
    summary:
      'What the hooks of today would have decided about the calls of the past; runs no tool and no hook',
    query: ['since', 'agent'],
    answer: 'Replay',
    handle: getReplay,
  },
  {
    method: 'GET',
    path: '/v1/replay/session',
    scope: 'admin',
    summary: 'The tool calls of one transcript, oldest first',
    query: ['file', 'session'],
    answer: 'PastCalls',
    handle: getSessionCalls,
  },
  {
    method: 'GET',
    path: '/v1/heartbeat',
    scope: 'admin',
    summary: 'Agents whose transcripts have tool calls that no hook was asked about',
    answer: 'Heartbeats',
    handle: getHeartbeat,
  },
]

/** Most changes in an answer; the command line has all. */
const MAX_CHANGES = 500
const MAX_CALLS = 2000
const REPLAY_LIMIT_MS = 300_000
/** Below everything that answers agents. */
const LOW_PRIORITY = 15

let running: Promise<Response> | undefined

/** Runs in a process of its own, one at a time, so that no agent waits for it. */
async function getReplay(core: Core, c: RouteContext): Promise<Response> {
  if (running)
    throw new Refusal({
      status: 409,
      code: 'busy',
      detail: 'Another replay runs.',
      fix: 'Wait for it to end.',
    })
  const since = c.req.query('since') ?? '7d'
  const agent = c.req.query('agent')
  if (!/^\w[\w.:+-]{0,40}$/.test(since)) throw wrong('since must be such as 7d, or a date')
  if (agent !== undefined && !/^[a-z0-9][a-z0-9-]{0,40}$/.test(agent))
    throw wrong('agent must be the id of an agent')
  const args = [`--since=${since}`, ...(agent === undefined ? [] : [`--agent=${agent}`])]
  running = replayed(core, args).then((report) =>
    c.json({
      ...report,
      changed: report.changed.slice(0, MAX_CHANGES),
      changed_left_out: report.changed_left_out + Math.max(0, report.changed.length - MAX_CHANGES),
    }),
  )
  try {
    return await running
  } finally {
    running = undefined
  }
}

function replayed({ options, runtime, closing }: Core, args: readonly string[]): Promise<Replay> {
  const main = join(packageFolder('gallery'), '..', 'dist', 'cli', 'main.cjs')
  const child = spawn(process.execPath, [main, 'replay', '--json', ...args], {
    cwd: runtime.paths.home,
    env: options.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    signal: AbortSignal.any([closing, AbortSignal.timeout(REPLAY_LIMIT_MS)]),
    windowsHide: true,
  })
  if (child.pid !== undefined) lower(child.pid)
  const output: Buffer[] = []
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk))
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => {
      try {
        if (code === 0) return resolve(JSON.parse(Buffer.concat(output).toString('utf8')) as Replay)
      } catch {
        // its output was not a report
      }
      const [detail = '', fix] = said.replace(/^error: /, '').split('\n')
      reject(
        new Refusal({
          status: 409,
          code: 'not_replayed',
          detail: detail || 'The replay ended without a report.',
          ...(fix ? { fix: fix.trim() } : {}),
        }),
      )
    })
  })
}

function lower(pid: number): void {
  try {
    setPriority(pid, LOW_PRIORITY)
  } catch {
    // it has ended, or setting a priority is not permitted
  }
}

/** Reads only files in agents' transcript folders. */
async function getSessionCalls({ runtime, options }: Core, c: RouteContext): Promise<Response> {
  const file = c.req.query('file') ?? ''
  const session = c.req.query('session')
  const { home } = runtime.paths
  for (const historian of await historians())
    for (const place of historian.history.places({ home, env: options.env })) {
      const name = relative(place.folder, file)
      if (name === '' || name.startsWith('..') || !place.files.test(name)) continue
      const calls = []
      const around = { home, env: options.env, tally: createTally() }
      for await (const call of fileCalls(file, place, historian, around)) {
        const { event, became } = call
        if (session !== undefined && event.session_id !== session) continue
        calls.push({
          at: event.timestamp,
          session: event.session_id,
          tool: redactClipped(String(event.tool_name ?? ''), 200),
          summary: summaryOf(call),
          ended: became.ended ?? null,
        })
        if (calls.length >= MAX_CALLS) break
      }
      return c.json({ agent: historian.id, file, calls: calls.sort((a, b) => (a.at < b.at ? -1 : 1)) })
    }
  throw new Refusal({ status: 404, code: 'not_found', detail: 'No agent keeps a transcript there.' })
}

async function getHeartbeat({ runtime, options }: Core, c: RouteContext): Promise<Response> {
  const beats = await heartbeats({ env: options.env, journal: runtime.journal() })
  return c.json({ agents: beats.map((beat) => ({ ...beat, alarm: alarmOf(beat, beat.agent) ?? null })) })
}

function wrong(detail: string): Refusal {
  return new Refusal({ status: 400, code: 'bad_input', detail: `${detail}.` })
}
