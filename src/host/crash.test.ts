import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { PROGRAM } from '../../test/program.ts'
import { times } from '../../test/times.ts'
import { CrosshookClient } from '../client.ts'
import { deadLetters } from '../journal/dead-letters.ts'
import { openJournal } from '../journal/sqlite/open.ts'
import { place, userHook } from './testing.ts'

const run = promisify(execFile)
const ROUNDS = times(5, 50)
const WORKERS = 8

interface Seen {
  session: string
  /** Its hook failed, so that there is a dead letter of it. */
  fails: boolean
}

test(
  'what the daemon has answered is kept, and SDK hooks are back, whenever it is killed',
  async () => {
    const at = place()
    userHook(at, 'guard', 'exit 0', 'matcher:\n  tool: Shell\n')
    userHook(at, 'broken', 'exit 3', 'matcher:\n  tool: Fails\non_failure: closed\n')
    const state = join(at.env.XDG_STATE_HOME!, 'crosshook')
    let client: CrosshookClient | undefined
    onTestFinished(() => client?.close())
    let acknowledged = 0
    let failed = 0
    for (let round = 0; round < ROUNDS; round++) {
      const { stdout } = await run(process.execPath, [PROGRAM, 'daemon', 'start', '--json'], { env: at.env })
      const status = JSON.parse(stdout)
      onTestFinished(() => kill(status.pid))
      const token = readFileSync(status.token_file, 'utf8').trim()
      if (!client) {
        at.configure('crosshook/config.toml', `[daemon]\ngrpc = "${status.grpc}"\n`)
        client = new CrosshookClient({ address: status.grpc, token })
        await client.registerHook('PreToolUse', {
          matcher: { tool: 'Remote' },
          handler: () => ({ action: 'block', reason: 'back again' }),
        })
      }
      await hookIsBack(status.http, token)
      const seen = await load(status, token, round, 50 + Math.random() * 300)
      const store = openJournal(state)
      const records = store.list({ limit: -1 })
      const kept = new Set(records.map(({ session_id }) => session_id))
      const letters = new Set(
        deadLetters(state)
          .list()
          .map(({ session_id }) => session_id),
      )
      // A record that was being written when the daemon was killed may be cut off: nobody was answered for it.
      expect(store.warnings().filter((sentence) => !sentence.includes('was stopped while it wrote'))).toEqual(
        [],
      )
      expect(store.verify().findings).toEqual([])
      store.close()
      const isLost = ({ session, fails }: Seen) => !kept.has(session) || (fails && !letters.has(session))
      expect(seen.filter(isLost)).toEqual([])
      acknowledged += seen.length
      failed += seen.filter(({ fails }) => fails).length
    }
    expect(acknowledged).toBeGreaterThan(ROUNDS)
    expect(failed).toBeGreaterThan(0)
  },
  60_000 + ROUNDS * 10_000,
)

/** A client waits a little before it tries again. */
async function hookIsBack(http: string, token: string): Promise<void> {
  const end = Date.now() + 30_000
  const body = JSON.stringify({ event_type: 'before_tool', tool_name: 'Remote' })
  const ask = async () => {
    const headers = { authorization: `Bearer ${token}` }
    const response = await fetch(`${http}/v1/events`, { method: 'POST', headers, body })
    return ((await response.json()) as { reason: string | null }).reason
  }
  while ((await ask()) !== 'back again') {
    if (Date.now() > end) throw new Error('the hook of the SDK process is not back')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Sends events until the daemon is killed; those whose answers came. */
async function load(
  { http, pid }: { http: string; pid: number },
  token: string,
  round: number,
  life: number,
): Promise<Seen[]> {
  const agent = new Agent({ keepAlive: true })
  const answered: Seen[] = []
  let count = 0
  const worker = async () => {
    for (;;) {
      const number = count++
      const seen = { session: `${round}-${number}`, fails: number % 40 === 0 }
      if (!(await send(http, token, seen, agent))) return
      answered.push(seen)
    }
  }
  const workers = Array.from({ length: WORKERS }, worker)
  setTimeout(() => kill(pid), life)
  await Promise.all(workers)
  agent.destroy()
  return answered
}

/** False when there is nobody any more. */
function send(http: string, token: string, { session, fails }: Seen, agent: Agent): Promise<boolean> {
  return new Promise((resolve) => {
    const sent = request(
      `${http}/v1/events`,
      { method: 'POST', headers: { authorization: `Bearer ${token}` }, agent },
      (response) => {
        response.resume()
        response.once('end', () => resolve(response.statusCode === 200))
        response.once('error', () => resolve(false))
      },
    )
    sent.once('error', () => resolve(false))
    const tool_name = fails ? 'Fails' : 'ReadFile'
    sent.end(JSON.stringify({ event_type: 'before_tool', tool_name, session_id: session }))
  })
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It is gone already.
  }
}
