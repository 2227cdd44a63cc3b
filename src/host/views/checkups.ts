/** The last result of `crosshook doctor`, whoever ran it; and running it in a process of its own. */

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { writeDurably } from '../../journal/write-durably.ts'
import { CrosshookError, messageOf } from '../../spec/errors.ts'
import { readText } from '../../spec/read-file.ts'

export interface DoctorReport {
  ok: boolean
  problems: ReportedProblem[]
  agents: ReportedAgent[]
}

export interface ReportedProblem {
  level: 'error' | 'warning'
  message: string
  fix: string
  /** Also found without doctor: leave it out where both are shown. */
  also?: string
  /** The agent that it is about. */
  agent?: string
  kind?: 'drift'
}

export interface ReportedAgent {
  id: string
  title: string
  wired: boolean
  events: {
    event: string
    canonical: string
    state: string
    detail: string | null
    last_called: string | null
    /** How long the agent waits for our answer. */
    limit_ms?: number
  }[]
  problems: ReportedProblem[]
  last_called: string | null
}

export interface KeptReport {
  /** ISO 8601. */
  at: string
  report: DoctorReport
}

export function keepReport(stateDir: string, report: object): void {
  writeDurably(file(stateDir), JSON.stringify({ at: new Date().toISOString(), report }))
}

/** Undefined when doctor has never run. */
export function lastReport(stateDir: string): KeptReport | undefined {
  let text: string
  try {
    text = readText(file(stateDir))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new CrosshookError('store', `${file(stateDir)} cannot be read: ${messageOf(error)}`, {
      cause: error,
    })
  }
  try {
    return JSON.parse(text) as KeptReport
  } catch {
    return undefined // incomplete; the next run writes it again
  }
}

let running: Promise<KeptReport> | undefined

/** One run at a time: concurrent callers share the answer. */
const DOCTOR_LIMIT_MS = 120_000

export function runDoctor(env: NodeJS.ProcessEnv, stateDir: string, cwd: string): Promise<KeptReport> {
  running ??= start(env, stateDir, cwd).finally(() => {
    running = undefined
  })
  return running
}

function start(env: NodeJS.ProcessEnv, stateDir: string, cwd: string): Promise<KeptReport> {
  const main = process.argv[1]!
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [...process.execArgv, main, 'doctor', '--json'],
      { env, cwd, timeout: DOCTOR_LIMIT_MS, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => {
        // It exits with 1 when something is wrong and prints what: that is an answer.
        const report = parse(stdout)
        if (report) resolve(lastReport(stateDir) ?? { at: new Date().toISOString(), report })
        else
          reject(
            new CrosshookError('internal', `doctor failed: ${stderr.trim() || error?.message || ''}`, {
              fix: 'Run `crosshook doctor` in a terminal.',
            }),
          )
      },
    )
  })
}

function parse(text: string): DoctorReport | undefined {
  try {
    const value = JSON.parse(text) as DoctorReport
    return Array.isArray(value.agents) ? value : undefined
  } catch {
    return undefined
  }
}

function file(stateDir: string): string {
  return join(stateDir, 'doctor.json')
}
