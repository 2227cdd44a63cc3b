/** Runs past calls through today's hooks: what they would decide, and what that changes. */

import { detailOf } from '../pipeline/record.ts'
import { redactClipped } from '../redact/redact.ts'
import type { Decision } from '../spec/outcome.ts'
import type { PastCall } from './call.ts'
import { createSums, type Group, type HookSum } from './groups.ts'
import type { Judge, Verdict } from './judge-call.ts'
import type { Reading } from './reading.ts'

export interface Replay {
  coverage: Coverage
  /** What the hooks say today. */
  decisions: Record<Decision, number>
  changed: Change[]
  /** Changes that did not fit into the list. */
  changed_left_out: number
  /** The changes again, those that are alike together. */
  groups: Group[]
  hooks: HookSum[]
  friction: Friction
}

export interface Coverage {
  /** Tool calls that were found. */
  calls: number
  /** Of these: judged by every hook that applies, on the whole input. */
  replayed: number
  /** Judged on part of the input, or without a hook that was not asked. */
  partial: number
  /** Records that could not be read. */
  unreadable: number
  /** Calls without any known input: no hook could judge them. */
  unjudged: number
  /** Calls by where they were found. */
  transcripts: number
  journal: number
  files: number
  bytes: number
  agents: Record<string, number>
  /** What was unknown about calls. */
  lacks: { what: string; calls: number }[]
  left_out: Reading['left_out']
}

export interface Friction {
  /** Days on which there was a call. */
  days: number
  asks_per_day: number
  denies_per_day: number
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
  /** The transcript that it is from. */
  file?: string
}

export interface ReplayOptions {
  judge: Judge
  /** Compare with the verdicts of these hooks instead of the original decisions. */
  before?: Judge
  /** Typical duration of each hook in milliseconds, for those that are not run. */
  typical?: ReadonlyMap<string, number>
  /** Called for each call, with the verdict. */
  onCall?(call: PastCall, after: Verdict, before: Decision): void
}

const MAX_CHANGES = 100_000
/** In characters. */
const MAX_SUMMARY_CHARS = 300
const MAX_REASON_CHARS = 300
const NOTHING: Reading = { files: 0, bytes: 0, unreadable: 0, left_out: [] }

export async function replay(
  { calls, reading = NOTHING }: { calls: AsyncIterable<PastCall> | Iterable<PastCall>; reading?: Reading },
  { judge, before, typical = new Map(), onCall }: ReplayOptions,
): Promise<Replay> {
  const counts = { calls: 0, replayed: 0, partial: 0, unjudged: 0, transcripts: 0, journal: 0 }
  const decisions = { allow: 0, ask: 0, deny: 0 }
  const changed: Change[] = []
  let leftOut = 0
  const agents: Record<string, number> = {}
  const lacks = new Map<string, number>()
  const days = new Set<string>()
  const sums = createSums()
  for await (const call of calls) {
    const { event, source } = call
    counts.calls++
    counts[source === 'journal' ? 'journal' : 'transcripts']++
    agents[event.agent ?? ''] = (agents[event.agent ?? ''] ?? 0) + 1
    days.add(event.timestamp.slice(0, 10))
    for (const what of call.lacks) lacks.set(what, (lacks.get(what) ?? 0) + 1)
    if (call.isBare) {
      counts.unjudged++
      continue
    }
    const earlier = before ? await before.judge(call) : call.became
    const after = withUnasked(await judge.judge(call), earlier)
    counts[call.lacks.length > 0 || after.unasked.length > 0 ? 'partial' : 'replayed']++
    decisions[after.decision]++
    sums.add(call, after)
    onCall?.(call, after, earlier.decision)
    if (earlier.decision === after.decision) continue
    const change = changeOf(call, after, earlier)
    sums.change(call, { ...after, hook: change.hook }, earlier.decision, change.summary)
    if (changed.length < MAX_CHANGES) changed.push(change)
    else leftOut++
  }
  const { files, bytes, unreadable, left_out } = reading
  const perDay = (count: number) => Math.round((10 * count) / Math.max(1, days.size)) / 10
  return {
    coverage: {
      ...counts,
      unreadable,
      files,
      bytes,
      agents,
      lacks: [...lacks].map(([what, calls]) => ({ what, calls })),
      left_out,
    },
    decisions,
    changed,
    changed_left_out: leftOut,
    groups: sums.groups(),
    hooks: sums.hooks(typical),
    friction: {
      days: days.size,
      asks_per_day: perDay(decisions.ask),
      denies_per_day: perDay(decisions.deny),
    },
  }
}

interface Earlier {
  decision: Decision
  hook?: string | null
  reason?: string | null
}

/** The hook that decided still applies but was not asked again: assume the same decision. */
function withUnasked(verdict: Verdict, { decision, hook, reason }: Earlier): Verdict {
  const isWeaker = STRENGTH[verdict.decision] < STRENGTH[decision]
  if (!isWeaker || !verdict.unasked.some((each) => each.hook === hook)) return verdict
  return { ...verdict, decision, hook: hook ?? null, reason: reason ?? null }
}

const STRENGTH: Record<Decision, number> = { allow: 0, ask: 1, deny: 2 }

function changeOf(call: PastCall, { decision, hook, reason }: Verdict, earlier: Earlier): Change {
  const { event, file } = call
  return {
    agent: event.agent ?? '',
    session: redactClipped(event.session_id, MAX_SUMMARY_CHARS),
    at: event.timestamp,
    tool: redactClipped(String(event.tool_name ?? ''), MAX_SUMMARY_CHARS),
    summary: summaryOf(call),
    before: earlier.decision,
    after: decision,
    // When these hooks say nothing, an earlier one decided.
    hook: hook ?? earlier.hook ?? null,
    reason: reason === null ? null : redactClipped(reason, MAX_REASON_CHARS),
    ...(file === undefined ? {} : { file }),
  }
}

/** Without secrets. */
export function summaryOf({ event }: PastCall): string {
  const text = detailOf(event) ?? JSON.stringify(event.tool_input ?? {})
  return redactClipped(text.slice(0, 8 * MAX_SUMMARY_CHARS), MAX_SUMMARY_CHARS)
}
