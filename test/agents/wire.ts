/** crosshook in and out of an agent's settings, and what it wrote down: all through its command line. */

import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { overHttp } from '../../src/config/over-http.ts'
import type { JournalRecord } from '../../src/journal/port.ts'
import type { Agent, Place } from './agents/agent.ts'
import { mainOf, nodeOf } from './program.ts'

export const PROGRAM = join(dirname(fileURLToPath(import.meta.url)), '../../bin/crosshook')

export async function wire(agent: Agent, place: Place, env: NodeJS.ProcessEnv): Promise<void> {
  await crosshook(['install', agent.id, '--yes', '--all-events', ...(agent.install ?? [])], place, env)
}

export async function unwire(agent: string, place: Place, env: NodeJS.ProcessEnv): Promise<void> {
  await crosshook(['uninstall', agent, '--yes'], place, env)
}

/** Records of the journal after this one. */
export async function readJournal(
  place: Place,
  env: NodeJS.ProcessEnv,
  after: number,
): Promise<JournalRecord[]> {
  const lines = await crosshook(['log', '--json', '--limit', '100000'], place, env)
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as JournalRecord)
    .filter(({ seq }) => seq > after)
}

/** Until `undo` is called there is no daemon; `isForGood`: and its port is taken, so that none can be started. */
export async function withoutDaemon(
  place: Place,
  env: NodeJS.ProcessEnv,
  isForGood: boolean,
): Promise<() => Promise<void>> {
  await crosshook(['daemon', 'stop'], place, env)
  if (!isForGood) return async () => {}
  const { origin } = Object.values(overHttp(join(place.home, '.local/state/crosshook')))[0]!
  const { hostname, port } = new URL(origin)
  const server = createServer((_request, response) => response.writeHead(404).end())
  await new Promise<void>((ready) => server.listen(Number(port), hostname, ready))
  return async () => {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
    await crosshook(['daemon', 'start'], place, env)
  }
}

async function crosshook(args: string[], place: Place, env: NodeJS.ProcessEnv): Promise<string> {
  const { stdout } = await promisify(execFile)(nodeOf(place), [mainOf(place), ...args], {
    cwd: place.project,
    env,
    maxBuffer: 64 * 1024 * 1024,
  })
  return stdout
}
