import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { journal } from '../journal/journal.ts'
import { openStore } from '../journal/store.ts'
import { place, userHook } from './testing.ts'

const main = join(dirname(fileURLToPath(import.meta.url)), '..', 'cli', 'main.ts')
const run = promisify(execFile)
/** More for whoever has the time: CROSSHOOK_CRASHES=50. */
const ROUNDS = Number(process.env.CROSSHOOK_CRASHES ?? 10)
const WORKERS = 8

test(
  'what the daemon has answered is in the journal, whenever it is killed',
  async () => {
    const at = place()
    userHook(at, 'guard', 'exit 0', 'matcher:\n  tool: Shell\n')
    let acknowledged = 0
    for (let round = 0; round < ROUNDS; round++) {
      const { stdout } = await run(process.execPath, [main, 'daemon', 'start', '--json'], { env: at.env })
      const status = JSON.parse(stdout)
      onTestFinished(() => kill(status.pid))
      const token = readFileSync(status.token_file, 'utf8').trim()
      const seen = await load(status, token, round, 50 + Math.random() * 300)
      const store = openStore(join(at.env.XDG_STATE_HOME!, 'crosshook'))
      const kept = new Set(
        journal(store)
          .list({ limit: -1 })
          .map(({ session_id }) => session_id),
      )
      expect(store.error).toBeUndefined()
      store.close()
      expect(seen.filter((id) => !kept.has(id))).toEqual([])
      acknowledged += seen.length
    }
    expect(acknowledged).toBeGreaterThan(ROUNDS)
  },
  60_000 + ROUNDS * 10_000,
)

/** Sends events until the daemon is killed; the sessions whose answers came. */
async function load(
  { http, pid }: { http: string; pid: number },
  token: string,
  round: number,
  life: number,
): Promise<string[]> {
  const agent = new Agent({ keepAlive: true })
  const answered: string[] = []
  let count = 0
  const worker = async () => {
    for (;;) {
      const session = `${round}-${count++}`
      if (!(await send(http, token, session, agent))) return
      answered.push(session)
    }
  }
  const workers = Array.from({ length: WORKERS }, worker)
  setTimeout(() => kill(pid), life)
  await Promise.all(workers)
  agent.destroy()
  return answered
}

/** False when there is nobody any more. */
function send(http: string, token: string, session_id: string, agent: Agent): Promise<boolean> {
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
    sent.end(JSON.stringify({ event_type: 'before_tool', tool_name: 'ReadFile', session_id }))
  })
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It is gone already.
  }
}
