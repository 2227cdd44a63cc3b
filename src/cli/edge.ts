/** `crosshook edge`: the process that talks to the hub of this machine's fleet. The engine and the daemon start it. */

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { openDesk } from '../ask/desk.ts'
import { paths } from '../config/paths.ts'
import { takeLock } from '../host/lock.ts'
import { journalOf } from '../pipeline/journal.ts'
import { logLines } from '../pipeline/log.ts'
import { CrosshookError, messageOf } from '../spec/errors.ts'
import { VERSION } from '../version.ts'
import type { Arguments } from './options.ts'

export async function run(args: Arguments): Promise<number> {
  const where = paths(args.env)
  const { readEnrolment } = await import('../fleet/enrolment.ts')
  const enrolment = readEnrolment(where.fleet.folder)
  if (!enrolment)
    throw new CrosshookError('refused', 'This machine is in no fleet.', {
      fix: 'Enrol it: crosshook enroll URL --token T.',
    })
  const lock = takeLock(where.fleet.folder)
  if (!lock) return 0
  const stopping = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => stopping.abort())
  const journal = await journalOf(where)
  const trouble = (sentence: string) => logLines(where.state, [`fleet: ${sentence}`])
  const { runEdge } = await import('../fleet/edge.ts')
  const upload = Number(args.value('upload-every'))
  await runEdge({
    state: where.state,
    fleet: where.fleet.folder,
    enrolment,
    journal,
    desk: openDesk({ stateDir: where.state, journal: () => journal, source: 'daemon', trouble }),
    version: VERSION,
    prove: () => prove(args.env),
    trouble,
    signal: stopping.signal,
    ...(upload > 0 ? { times: { upload, reconnect: upload } } : {}),
  })
  journal.close()
  lock.release()
  return 0
}

interface Doctor {
  agents: {
    id: string
    wired: boolean
    found: { programs: string[] }
    events: { event: string; state: string }[]
    problems: { level: string; message: string }[]
  }[]
}

const DOCTOR_LIMIT_MS = 300_000

/** What doctor finds, without paths and texts of the person. In a process of its own: it loads every dialect. */
async function prove(env: NodeJS.ProcessEnv): Promise<unknown[]> {
  let text: string
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [process.argv[1]!, 'doctor', '--json'], {
      env,
      timeout: DOCTOR_LIMIT_MS,
      maxBuffer: 64 * 1024 * 1024,
    })
    text = stdout
  } catch (error) {
    // It exits with 1 when something is wrong, and says what on stdout.
    text = (error as { stdout?: string }).stdout ?? ''
    if (text === '') throw new Error(`doctor could not look at the agents: ${messageOf(error)}`)
  }
  const { agents } = JSON.parse(text) as Doctor
  return Promise.all(
    agents.map(async ({ id, wired, found, events, problems }) => {
      const count = (...states: string[]) => events.filter(({ state }) => states.includes(state)).length
      return {
        agent: id,
        agent_version: await versionOf(found.programs[0], env),
        obeyed: count('obeyed'),
        cannot: count('cannot'),
        broken: count('broken', 'missing') + problems.filter(({ level }) => level === 'error').length,
        body: { wired, events: events.map(({ event, state }) => ({ event, state })) },
      }
    }),
  )
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
