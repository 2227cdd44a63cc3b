/** Calls of the past through the hooks of today: what they would have decided, and what that changes. */

import { detailOf } from '../pipeline/detail.ts'
import { redactClipped } from '../redact/redact.ts'
import type { Decision } from '../spec/outcome.ts'
import type { PastCall } from './call.ts'
import type { Judge, Verdict } from './judge.ts'
import type { Reading } from './tally.ts'

export interface Replay {
  coverage: Coverage
  /** What the hooks say today. */
  decisions: Record<Decision, number>
  changed: Change[]
  /** Changes that did not fit into the list. */
  changed_left_out: number
}

export interface Coverage {
  /** Tool calls that were found. */
  calls: number
  /** Of these: judged by every hook that applies, on their whole input. */
  replayed: number
  /** Judged on a part of their input, or without a hook that was not asked. */
  partial: number
  /** Records that could not be read. */
  unreadable: number
}

export interface Change {
  agent: string
  session: string
  at: string
  tool: string
  /** What it was about to do, without secrets. */
  summary: string
  before: Decision
  after: Decision
  hook: string | null
  reason: string | null
}

export interface ReplayOptions {
  judge: Judge
  /** In place of what happened then: what these hooks would have said. */
  before?: Judge
  /** Told of each call, with what was said to it. */
  onCall?(call: PastCall, after: Verdict, before: Decision): void
}

const MOST_CHANGES = 100_000
/** In characters. */
const SUMMARY_LENGTH = 300
const REASON_LENGTH = 300

export async function replay(
  { calls, reading }: { calls: AsyncIterable<PastCall> | Iterable<PastCall>; reading?: Reading },
  { judge, before, onCall }: ReplayOptions,
): Promise<Replay> {
  const result: Replay = {
    coverage: { calls: 0, replayed: 0, partial: 0, unreadable: 0 },
    decisions: { allow: 0, ask: 0, deny: 0 },
    changed: [],
    changed_left_out: 0,
  }
  const { coverage, decisions, changed } = result
  for await (const call of calls) {
    coverage.calls++
    if (call.isBare) continue
    const earlier = before ? await before.judge(call) : call.became
    const after = withUnasked(await judge.judge(call), earlier)
    const isPartial = call.lacks.length > 0 || after.unasked.length > 0
    if (isPartial) coverage.partial++
    else coverage.replayed++
    decisions[after.decision]++
    onCall?.(call, after, earlier.decision)
    if (earlier.decision === after.decision) continue
    if (changed.length < MOST_CHANGES) changed.push(changeOf(call, after, earlier))
    else result.changed_left_out++
  }
  coverage.unreadable = reading?.unreadable ?? 0
  return result
}

interface Earlier {
  decision: Decision
  hook?: string | null
  reason?: string | null
}

/** The hook that decided then still applies, and nobody asked it again: nothing says that it changed its mind. */
function withUnasked(verdict: Verdict, { decision, hook, reason }: Earlier): Verdict {
  const isWeaker = STRENGTH[verdict.decision] < STRENGTH[decision]
  if (!isWeaker || !verdict.unasked.some((each) => each.hook === hook)) return verdict
  return { ...verdict, decision, hook: hook ?? null, reason: reason ?? null }
}

const STRENGTH: Record<Decision, number> = { allow: 0, ask: 1, deny: 2 }

function changeOf(call: PastCall, { decision, hook, reason }: Verdict, earlier: Earlier): Change {
  const { event } = call
  return {
    agent: event.agent ?? '',
    session: redactClipped(event.session_id, SUMMARY_LENGTH),
    at: event.timestamp,
    tool: redactClipped(String(event.tool_name ?? ''), SUMMARY_LENGTH),
    summary: summaryOf(call),
    before: earlier.decision,
    after: decision,
    // Where these hooks have nothing to say, it was an earlier one that did.
    hook: hook ?? earlier.hook ?? null,
    reason: reason === null ? null : redactClipped(reason, REASON_LENGTH),
  }
}

/** One line, without secrets. */
export function summaryOf({ event }: PastCall): string {
  const text = detailOf(event) ?? JSON.stringify(event.tool_input ?? {})
  return redactClipped(text.slice(0, 8 * SUMMARY_LENGTH), SUMMARY_LENGTH)
}
