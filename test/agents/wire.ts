/** crosshook in and out of an agent's settings, and what it wrote down: all through its command line. */

import { execFile } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { JournalRecord } from '../../src/journal/journal.ts'
import type { Place } from './agents/agent.ts'

export const PROGRAM = join(dirname(fileURLToPath(import.meta.url)), '../../bin/crosshook')

export async function wire(agent: string, place: Place, env: NodeJS.ProcessEnv): Promise<void> {
  await crosshook(['install', agent, '--yes'], place, env)
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

async function crosshook(args: string[], place: Place, env: NodeJS.ProcessEnv): Promise<string> {
  const { stdout } = await promisify(execFile)(PROGRAM, args, {
    cwd: place.project,
    env,
    maxBuffer: 64 * 1024 * 1024,
  })
  return stdout
}
