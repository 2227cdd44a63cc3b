/** What a machine reports to its hub: doctor's findings without paths and texts of the person. */

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Alarm, Proof } from '../fleet/edge.ts'
import { messageOf } from '../spec/errors.ts'
import type { EntryProblem } from '../spec/installer.ts'

interface Doctor {
  problems: EntryProblem[]
  agents: {
    id: string
    wired: boolean
    found: { programs: string[] }
    events: { event: string; state: string }[]
    problems: { level: string; message: string }[]
  }[]
}

const DOCTOR_LIMIT_MS = 300_000

/** In a process of its own, because it loads every dialect. */
export async function prove(env: NodeJS.ProcessEnv): Promise<Proof> {
  let text: string
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [process.argv[1]!, 'doctor', '--json'], {
      env,
      timeout: DOCTOR_LIMIT_MS,
      maxBuffer: 64 * 1024 * 1024,
    })
    text = stdout
  } catch (error) {
    // It exits with 1 when something is wrong and prints the report on stdout.
    text = (error as { stdout?: string }).stdout ?? ''
    if (text === '') throw new Error(`doctor could not look at the agents: ${messageOf(error)}`)
  }
  const { agents, problems } = JSON.parse(text) as Doctor
  return {
    alarms: alarmsIn(problems),
    agents: await Promise.all(
      agents.map(async ({ id, wired, found, events, problems: own }) => {
        const count = (...states: string[]) => events.filter(({ state }) => states.includes(state)).length
        // An agent whose canary obeys but that calls tools without asking hooks does not obey.
        const isSilent = problems.some(({ kind, agent }) => kind === 'heartbeat' && agent === id)
        return {
          agent: id,
          agent_version: await versionOf(found.programs[0], env),
          obeyed: count('obeyed'),
          cannot: count('cannot'),
          broken:
            count('broken', 'missing') +
            own.filter(({ level }) => level === 'error').length +
            Number(isSilent),
          body: { wired, events: events.map(({ event, state }) => ({ event, state })) },
        }
      }),
    ),
  }
}

/** Number of problems per kind; `doctor` on the machine has the details. */
function alarmsIn(problems: readonly EntryProblem[]): Alarm[] {
  const worth = problems.filter(({ level, kind }) => level === 'error' || kind === 'drift')
  const groups = Map.groupBy(worth, ({ kind = 'problem', agent = '' }) => `${kind} ${agent}`)
  return [...groups.values()].map((own) => {
    const { kind = 'problem', agent } = own[0]!
    return { kind, n: own.length, ...(agent === undefined ? {} : { agent }) }
  })
}

async function versionOf(program: string | undefined, env: NodeJS.ProcessEnv): Promise<string> {
  if (program === undefined) return ''
  try {
    const { stdout } = await promisify(execFile)(program, ['--version'], { env, timeout: 10_000 })
    return /\d[\w.+-]*/.exec(stdout)?.[0].slice(0, 60) ?? ''
  } catch {
    return '' // it does not say
  }
}
