/**
 * Background hooks. Each is written to the spool before the answer leaves, and recorded when it has ended: a program
 * runs on under its own supervisor, anything else in this process. At least once: see docs/failures.md.
 */

import { join } from 'node:path'
import { loadDialect } from '../../dialects/list.ts'
import { attempt } from '../../engine/attempt.ts'
import { toResult } from '../../engine/merge.ts'
import type { Planned } from '../../engine/plan.ts'
import { report } from '../../engine/run.ts'
import { now } from '../../fast/clock.ts'
import { sha256Hex } from '../../fast/digest.ts'
import { messageOf } from '../../spec/errors.ts'
import type { HookEvent } from '../../spec/event.ts'
import type { Host } from '../../spec/executor.ts'
import type { Hook } from '../../spec/hook.ts'
import { type Failure, failure, isFailure, type Outcome } from '../../spec/outcome.ts'
import type { Door, Services } from '../context.ts'
import { hasFailed, keep } from '../record.ts'
import type { DebugLines } from './debug.ts'
import { type End, type Promised, type Spool, spool } from './spool.ts'

export interface BackgroundStart {
  planned: Planned
  event: HookEvent
  host: Host
  door: Door
  services: Services
  lines: DebugLines | undefined
}

/** Settles when a program has been started, or for anything else when it is done; never rejects. */
export function startInBackground(start: BackgroundStart): Promise<void> {
  const { planned, event, door, services, lines } = start
  lines?.started(planned.hook)
  const waiting = spool(services.paths.state)
  const promised: Promised = {
    id: `${Date.now().toString(36)}-${process.pid.toString(36)}-${(count++).toString(36)}`,
    at: Date.now(),
    starts: 1,
    owner: process.pid,
    door,
    hook: planned.hook,
    event,
  }
  // Must run in this process: a function, or a program that runs as another user.
  const isOurs =
    planned.direct ||
    planned.hook.run.type === 'callback' ||
    planned.hook.run.type === 'remote' ||
    start.host.caller !== undefined
  try {
    if (!isOurs && !services.silent) waiting.put(promised)
  } catch (error) {
    services.trouble(
      `background hook "${planned.hook.name}" would not survive this process: ${messageOf(error)}`,
    )
  }
  return begin(planned, promised, { services, host: start.host, waiting })
}

let count = 0

export interface With {
  services: Services
  host: Host
  waiting: Spool
}

export async function begin(planned: Planned, promised: Promised, parts: With): Promise<void> {
  const { hook } = planned
  try {
    // Under a supervisor it would run as this process's user.
    if (hook.run.type === 'command' && parts.host.caller === undefined)
      await startProgram(hook, promised, parts)
    else await runHere(planned, promised, parts)
  } catch (error) {
    await finish(
      promised,
      { outcome: failure(messageOf(error)), attempts: promised.starts, duration: 0 },
      parts,
    )
  }
}

async function startProgram(hook: Hook, promised: Promised, parts: With): Promise<void> {
  const { services, host, waiting } = parts
  const { startDetached } = await import('../../executors/command.ts')
  const { outputFilter } = await import('./output-filter.ts')
  const { format } = await loadDialect(hook.format)
  const { event } = promised
  const limits = {
    signal: AbortSignal.timeout(hook.timeout),
    timeout: hook.timeout,
    attempt: promised.starts,
  }
  const input = format!.encode(event, hook, host.env)
  const call = { hook, run: hook.run as never, event, input, host, ...limits }
  const log = join(services.paths.state, 'background', `${sha256Hex(hook.name).slice(0, 16)}.log`)
  const filter = outputFilter()
  const started = await startDetached(call, {
    // Without the filter that redacts secrets, the output is discarded.
    ...(filter ? { log, filter } : { log: '/dev/null' }),
    retries: hook.retries,
    end: waiting.endFile(promised.id),
    ended: () => services.pending(record(promised.id, parts)),
  })
  if (isFailure(started)) await finish(promised, { outcome: started, attempts: 1, duration: 0 }, parts)
}

async function runHere(planned: Planned, promised: Promised, parts: With): Promise<void> {
  const { services, host } = parts
  const started = now()
  const lent = {
    execute: (each: Planned, event: HookEvent, limits: Parameters<Services['execute']>[3]) =>
      services.execute(host, each, event, limits),
    background: () => {},
  }
  const settled = await attempt(planned, promised.event, lent, started)
  await finish(promised, { ...settled, duration: now() - started }, parts)
}

/** Records a program that has ended; the first process to get there does it. */
export async function record(id: string, parts: With): Promise<void> {
  const promised = parts.waiting.read(id)
  const end = parts.waiting.end(id)
  if (!promised || !end || !parts.waiting.take(id)) return
  const { format } = await loadDialect(promised.hook.format)
  const outcome = outcomeOf(end, promised, format!)
  const duration = Math.max(0, end.at - promised.at)
  const ended = { outcome, attempts: end.attempts, duration, exit_code: exitCode(end) }
  // It has run: a hook whose sandbox is unavailable is never started.
  await finish(promised, promised.hook.sandbox ? { ...ended, confined: true } : ended, parts)
}

function exitCode({ exit }: End): number | null {
  return exit === 'timeout' ? null : exit
}

type Format = NonNullable<Awaited<ReturnType<typeof loadDialect>>['format']>

/** Interprets the exit code by the hook's format. The output is in the log. */
function outcomeOf({ exit }: End, { hook, event }: Promised, format: Format): Outcome | Failure {
  if (exit === 'timeout') return failure(`timed out after ${hook.timeout} ms`, { kind: 'timed_out' })
  return format.decode({ exit_code: exit, signal: null, stdout: '', stderr: '' }, event, hook).outcome
}

interface Ended {
  outcome: Outcome | Failure
  attempts: number
  /** Milliseconds. */
  duration: number
  exit_code?: number | null
  confined?: boolean
  cost_usd?: number
}

/** One journal record, the counters, and a dead letter if it finally failed. */
export async function finish(promised: Promised, ended: Ended, { services, waiting }: With): Promise<void> {
  const { hook, event, door } = promised
  const entry = {
    ...report(hook, 'allowed', ended.duration),
    attempts: ended.attempts,
    background: true as const,
    ...(ended.confined ? { confined: true as const } : {}),
    ...(ended.cost_usd ? { cost_usd: ended.cost_usd } : {}),
  }
  entry.exit_code = ended.exit_code ?? null
  if (isFailure(ended.outcome)) {
    entry.status = ended.outcome.kind
    entry.error = ended.outcome.message
    entry.exit_code ??= ended.outcome.exit_code ?? null
    services.trouble(`background hook "${hook.name}" failed: ${ended.outcome.message}`)
  }
  const recording = {
    event,
    result: toResult(event, { outcome: {}, reports: [entry] }),
    failed: hasFailed(entry) ? [{ hook, report: entry }] : [],
    duration: ended.duration,
    source: door,
  }
  try {
    if (!services.silent) {
      const journal = services.journal()
      const said = services.keeper ? await services.keeper(journal, recording) : keep(journal, recording)
      for (const sentence of said) services.trouble(sentence)
    }
  } finally {
    waiting.forget(promised.id)
  }
  services.observe?.ended?.(hook, entry, event)
}
