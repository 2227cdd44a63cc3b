/**
 * What a hook would have said to the newest events of the journal, and what it says to its cases. Nothing is started.
 */

import { parseCases } from '../cases/case-file.ts'
import { type Difference, differences, NOT_RUN } from '../cases/expect.ts'
import { fill } from '../cases/fill.ts'
import type { PastCall } from '../history/call.ts'
import { newestCalls } from '../history/journaled.ts'
import { createJudge, type Judge } from '../history/judge-call.ts'
import { type Change, replay } from '../history/replay.ts'
import type { Journal } from '../journal/port.ts'
import { completeEvent } from '../pipeline/decode/complete-event.ts'
import { inCanonicalWords } from '../pipeline/decode/named-tool.ts'
import { CrosshookError } from '../spec/errors.ts'
import type { HookEvent } from '../spec/event.ts'
import type { Hook } from '../spec/hook.ts'
import type { Decision } from '../spec/outcome.ts'

export interface Tried {
  /** Events of its kind that were checked, newest first. */
  events: number
  /** Of these: the hook applies. */
  applies: number
  /** What it would have said where it applies. */
  says: Record<Decision, number> & { confine: number; rewrite: number }
  /** It applies, but its answer is known only when it runs. */
  not_run: number
  /** The input is unknown, or only partly known. */
  partial: number
  changed: Change[]
  /** Number of all changes; the list has the newest. */
  changes: number
  /** The hook that it is compared with; null: with the decision at the time. */
  compared_with: 'before' | null
  took_ms: number
}

const MAX_EVENTS = 1000
const MAX_CHANGES = 50
const STRENGTH: Record<Decision, number> = { allow: 0, ask: 1, deny: 2 }

export interface TryOptions {
  journal: Journal
  env: NodeJS.ProcessEnv
  /** The hook as it is now, where one is changed. */
  before?: Hook | undefined
  most?: number
}

export async function tryOnHistory(hook: Hook, options: TryOptions): Promise<Tried> {
  const { journal, env, before, most = MAX_EVENTS } = options
  const started = performance.now()
  const calls = gently(newestCalls(journal, hook.events[0]!, most))
  const tried: Tried = {
    events: 0,
    applies: 0,
    says: { allow: 0, ask: 0, deny: 0, confine: 0, rewrite: 0 },
    not_run: 0,
    partial: 0,
    changed: [],
    changes: 0,
    compared_with: before ? 'before' : null,
    took_ms: 0,
  }
  const result = await replay(
    { calls },
    {
      judge: judgeOf(hook, env),
      ...(before ? { before: judgeOf(before, env) } : {}),
      onCall(call, { decision, hooks, unasked }) {
        if (call.lacks.length > 0) tried.partial++
        const [report] = hooks
        if (!report || report.status === 'skipped') return
        tried.applies++
        if (unasked.length > 0) tried.not_run++
        else {
          tried.says[decision]++
          if (report.confines) tried.says.confine++
          if (report.rewrote) tried.says.rewrite++
        }
      },
    },
  )
  // Alone it cannot weaken what other hooks decided at the time.
  const changed = before
    ? result.changed
    : result.changed.filter((each) => STRENGTH[each.after] > STRENGTH[each.before])
  tried.events = result.coverage.calls
  tried.partial += result.coverage.calls - result.coverage.replayed - result.coverage.partial
  tried.changed = changed.slice(0, MAX_CHANGES)
  tried.changes = changed.length
  tried.took_ms = Math.round(performance.now() - started)
  return tried
}

/** Calls judged before the host handles other work. */
const CALLS_PER_TURN = 20

/** The host answers agents meanwhile. */
async function* gently(calls: readonly PastCall[]): AsyncGenerator<PastCall> {
  for (const [i, call] of calls.entries()) {
    if (i % CALLS_PER_TURN === CALLS_PER_TURN - 1) await new Promise((resolve) => setImmediate(resolve))
    yield call
  }
}

/** It is tried whether it is enabled or not. */
function judgeOf(hook: Hook, env: NodeJS.ProcessEnv): Judge {
  const { disabled: _, ...rest } = hook
  return createJudge({ env, hooks: [{ ...rest, scope: 'source' }] })
}

export interface TriedCase {
  name: string
  /** Null: it needs the hook's program, so only `crosshook test` can tell. */
  passed: boolean | null
  differences: Difference[]
}

/** Cases whose answer does not depend on a program. */
export async function tryOnCases(
  hook: Hook,
  text: string,
  env: NodeJS.ProcessEnv,
): Promise<{ cases: TriedCase[]; problem: string | null }> {
  let cases: Awaited<ReturnType<typeof parseCases>>
  try {
    cases = await parseCases(text, 'cases.yaml')
  } catch (error) {
    if (error instanceof CrosshookError) return { cases: [], problem: `${error.message} ${error.fix}` }
    throw error
  }
  const judge = judgeOf(hook, env)
  const tried: TriedCase[] = []
  for (const given of cases)
    tried.push(await tryCase(judge, fill(given, { work_dir: WORK_DIR, hook_dir: WORK_DIR })))
  return { cases: tried, problem: null }
}

/** No such folder exists: nothing of a case is written. */
const WORK_DIR = '/crosshook-case'

async function tryCase(
  judge: Judge,
  { name, steps, files }: Awaited<ReturnType<typeof parseCases>>[number],
): Promise<TriedCase> {
  for (const { event, fields, expect } of steps) {
    const named = await inCanonicalWords(event, { session_id: 'case', ...fields })
    const given: HookEvent = completeEvent(event, named.fields, WORK_DIR)
    const { hooks, unasked, result } = await judge.judge(asCall(given))
    if (unasked.length > 0 || expect.files !== undefined || Object.keys(files).length > 0)
      return { name, passed: null, differences: [] }
    const found = differences(expect, { result, hook: hooks[0] ?? NOT_RUN, workDir: WORK_DIR })
    if (found.length > 0) return { name, passed: false, differences: found }
  }
  return { name, passed: true, differences: [] }
}

function asCall(event: HookEvent): PastCall {
  return { event, source: 'journal', became: { decision: 'allow', isJournaled: false }, lacks: [] }
}
