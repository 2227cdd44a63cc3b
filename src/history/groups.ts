/** Groups of similar changes, and what each hook would have done: sums that do not grow with the number of calls. */

import { redactClipped } from '../redact/redact.ts'
import type { Decision } from '../spec/outcome.ts'
import type { PastCall } from './call.ts'
import type { Verdict } from './judge-call.ts'
import { likenessOf, shownLikeness } from './likeness.ts'
import { type SavedCase, savedCase } from './saved-case.ts'

export interface Group {
  hook: string | null
  before: Decision
  after: Decision
  tool: string
  /** What its calls have in common, redacted. */
  like: string
  calls: number
  agents: string[]
  /** Of the newest call. */
  at: string
  example: string
  reason: string | null
  /** The example call as a case for `cases.yaml`, redacted; null when part of it is unknown. */
  case: SavedCase | null
}

export interface HookSum {
  hook: string
  /** Calls that it applies to. */
  applied: number
  denied: number
  asked: number
  /** Calls that it was not asked about, and why. */
  unasked: number
  why: string | null
  failed: number
  /** Milliseconds that it would have taken; null when unknown. */
  cost: number | null
}

const MAX_GROUPS = 2000

export interface Sums {
  add(call: PastCall, after: Verdict): void
  change(call: PastCall, after: Verdict, before: Decision, summary: string): void
  groups(): Group[]
  /** Groups that did not fit. */
  readonly left_out: number
  hooks(typical: ReadonlyMap<string, number>): HookSum[]
}

export function createSums(): Sums {
  const byLikeness = new Map<string, Group>()
  const byHook = new Map<string, Omit<HookSum, 'cost'> & { measured: number }>()
  let leftOut = 0
  const sumOf = (hook: string) => {
    let sum = byHook.get(hook)
    if (!sum)
      byHook.set(
        hook,
        (sum = { hook, applied: 0, denied: 0, asked: 0, unasked: 0, why: null, failed: 0, measured: 0 }),
      )
    return sum
  }
  return {
    add(_call, { hooks, unasked }) {
      const silent = new Map(unasked.map(({ hook, why }) => [hook, why]))
      for (const report of hooks) {
        if (report.status === 'skipped' && report.skipped !== 'untrusted') continue
        const sum = sumOf(report.name)
        sum.applied++
        const why = silent.get(report.name)
        if (why !== undefined) {
          sum.unasked++
          sum.why = why
          continue
        }
        if (report.status === 'blocked') sum.denied++
        if (report.status === 'failed' || report.status === 'timed_out') sum.failed++
        if (report.asked) sum.asked++
        sum.measured += report.duration_ms
      }
    },
    change(call, { decision, hook, reason }, before, summary) {
      const { event } = call
      const like = likenessOf(event)
      const key = [hook, before, decision, event.tool_name, like].join('\0')
      const known = byLikeness.get(key)
      const agent = event.agent ?? ''
      if (known) {
        known.calls++
        if (!known.agents.includes(agent)) known.agents.push(agent)
        if (event.timestamp > known.at)
          Object.assign(known, {
            at: event.timestamp,
            example: summary,
            case: savedCase(call, decision, summary),
          })
      } else if (byLikeness.size < MAX_GROUPS)
        byLikeness.set(key, {
          hook,
          before,
          after: decision,
          tool: redactClipped(String(event.tool_name ?? ''), 100),
          like: shownLikeness(event),
          calls: 1,
          agents: [agent],
          at: event.timestamp,
          example: summary,
          reason: reason === null ? null : redactClipped(reason, 300),
          case: savedCase(call, decision, summary),
        })
      else leftOut++
    },
    groups: () => [...byLikeness.values()].sort((a, b) => b.calls - a.calls || (a.like < b.like ? -1 : 1)),
    get left_out() {
      return leftOut
    },
    hooks: (typical) =>
      [...byHook.values()]
        .map(({ measured, ...sum }) => ({ ...sum, cost: costOf(sum, measured, typical.get(sum.hook)) }))
        .sort((a, b) => b.denied + b.asked - (a.denied + a.asked) || b.applied - a.applied),
  }
}

/** Measured here, or for hooks that were not run, from the journal. */
function costOf(
  { unasked }: Pick<HookSum, 'unasked'>,
  measured: number,
  typical: number | undefined,
): number | null {
  if (unasked === 0) return Math.round(measured * 100) / 100
  return typical === undefined ? null : Math.round(measured + unasked * typical)
}
