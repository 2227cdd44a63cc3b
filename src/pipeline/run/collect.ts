/** Takes over background hooks of processes that are gone: records those that ended, starts those that never ran. */

import { isAlive } from '../../config/is-alive.ts'
import { createMatcher } from '../../engine/match.ts'
import type { Host } from '../../spec/executor.ts'
import type { Hook } from '../../spec/hook.ts'
import { failure } from '../../spec/outcome.ts'
import { begin, finish, record, type With } from './background.ts'
import type { Promised, Spool } from './spool.ts'

/** Longest time between the spool entry and the start of the program; after that its process is assumed dead. */
const STARTING_MS = 10_000
/** Time a supervisor needs beyond its program's time limit. */
const GRACE_MS = 60_000
/** A hook that ended its own process this often is given up. */
const MAX_STARTS = 3

export interface Collecting extends Omit<With, 'host'> {
  hostFor(promised: Promised): Promise<Host>
  /** May the hook still run? */
  mayRun(hook: Hook): boolean
  /** Only record: a command that shows what happened starts nothing. */
  onlyEnded: boolean
  /** True when hooks may run in this process, which then stays until they are done. */
  stays: boolean
}

export async function collect(collecting: Collecting): Promise<void> {
  const { waiting, services } = collecting
  for (const id of waiting.ids()) {
    const promised = waiting.read(id)
    if (!promised) continue
    const parts = { services, waiting, host: await collecting.hostFor(promised) }
    // Looked at before the end: a supervisor writes the end, and then is gone.
    const isGone = !isUnderWay(promised, waiting)
    if (waiting.end(id)) await record(id, parts)
    else if (isGone && !collecting.onlyEnded) await startAgain(promised, parts, collecting)
  }
}

async function startAgain(promised: Promised, parts: With, { mayRun, stays }: Collecting): Promise<void> {
  const { hook } = promised
  if (hook.run.type !== 'command' && !stays) return
  if (!parts.waiting.take(promised.id)) return
  const attempts = promised.starts
  if (attempts >= MAX_STARTS || !mayRun(hook)) {
    const why = mayRun(hook) ? `it did not end in ${attempts} starts` : 'it is not trusted any more'
    await finish(promised, { outcome: failure(`interrupted: ${why}`), attempts, duration: 0 }, parts)
    return
  }
  const next = { ...promised, starts: promised.starts + 1, owner: process.pid, at: Date.now() }
  parts.waiting.forget(promised.id)
  parts.waiting.put(next)
  await begin({ hook, matcher: createMatcher(hook.matcher) }, next, parts)
}

function isUnderWay({ id, at, owner, hook }: Promised, waiting: Spool): boolean {
  const age = Date.now() - at
  const longest = hook.timeout * (hook.budget === 'total' ? 1 : hook.retries + 1) + GRACE_MS
  const supervisor = waiting.supervisor(id)
  if (supervisor !== undefined) return age < longest && isAlive(supervisor)
  return isAlive(owner) && age < (hook.run.type === 'command' ? STARTING_MS : longest)
}
