/** One event on its way through the hooks that apply. Every event comes through here, so nothing waits without need. */

import type { HookSet } from '../config/load.ts'
import type { Planned } from '../engine/plan.ts'
import { type Lent, type Ran, report, run } from '../engine/run.ts'
import { after } from '../spec/after.ts'
import { now } from '../spec/clock.ts'
import type { HookEvent } from '../spec/event.ts'
import type { Host } from '../spec/executor.ts'
import type { Hook } from '../spec/hook.ts'
import type { HookReport, Outcome } from '../spec/outcome.ts'
import { startInBackground } from './background.ts'
import { type DebugLines, debugLines } from './debug.ts'
import type { Execute } from './execute.ts'
import type { Known } from './hook-sets.ts'
import type { Observer } from './observe.ts'
import { type Failed, hasFailed } from './record.ts'
import { framedContext } from './result.ts'

export interface DispatchOptions {
  dryRun?: boolean
  env?: NodeJS.ProcessEnv
  /** Hooks that somebody else runs for this event. */
  except?: (hook: Hook) => boolean
}

export interface Dispatched {
  ran: Ran
  outcome: Outcome
  failed: readonly Failed[]
  set: HookSet
  started: number
  duration: number
}

export interface DispatchParts {
  env: NodeJS.ProcessEnv
  state: string
  current(workDir: string): Known | Promise<Known>
  execute: Execute
  hostFor(set: HookSet, env: NodeJS.ProcessEnv): Host
  /** Hooks that nobody waits for, as they start. */
  begun(work: Promise<void>): void
  trouble(sentence: string): void
  debug: ((line: string) => void) | undefined
  observe: Observer | undefined
}

export type Dispatch = (event: HookEvent, options: DispatchOptions) => Dispatched | Promise<Dispatched>

export function createDispatch(parts: DispatchParts): Dispatch {
  return (event, options) => {
    const started = now()
    return after(parts.current(event.work_dir), ({ set, active }) =>
      after(active.candidates(event), (candidates) => {
        const found = { set, started, candidates: without(candidates, options.except) }
        return options.dryRun ? dryRun(event, found) : pass(parts, event, options, found)
      }),
    )
  }
}

interface Found {
  set: HookSet
  started: number
  candidates: readonly Planned[]
}

function without(candidates: readonly Planned[], except: DispatchOptions['except']): readonly Planned[] {
  return except ? candidates.filter(({ hook }) => !except(hook)) : candidates
}

function dryRun(event: HookEvent, { set, started, candidates }: Found): Dispatched {
  const reports = candidates
    .filter(({ matcher }) => matcher.rest === null || matcher.rest(event))
    .map(({ hook, gate }) => ({ ...report(hook, 'skipped', 0), skipped: gate?.() ?? ('dry_run' as const) }))
  const ran: Ran = { outcome: {}, reports, event, contexts: [] }
  return { ran, outcome: {}, failed: [], set, started, duration: 0 }
}

function pass(
  parts: DispatchParts,
  event: HookEvent,
  options: DispatchOptions,
  { set, started, candidates }: Found,
): Dispatched | Promise<Dispatched> {
  const host = parts.hostFor(set, withTrace(options.env ?? parts.env, event))
  const conclude = (passage: Passage) =>
    after(run(candidates, event, passage), (ran) =>
      after(ran.contexts.length === 0 ? ran.outcome : framedContext(ran), (outcome) => ({
        ran,
        outcome,
        failed: passage.failed,
        set,
        started,
        duration: now() - started,
      })),
    )
  const { debug } = parts
  if (!debug) return conclude(new Passage(parts, event, host, undefined))
  return import('../redact/redact.ts').then(({ redactDeep }) =>
    conclude(new Passage(parts, event, host, debugLines(event, debug, redactDeep))),
  )
}

/** What the engine is lent for one event. */
class Passage implements Lent {
  readonly failed: Failed[] = []
  private readonly parts: DispatchParts
  private readonly event: HookEvent
  private readonly host: Host
  private readonly lines: DebugLines | undefined

  constructor(parts: DispatchParts, event: HookEvent, host: Host, lines: DebugLines | undefined) {
    this.parts = parts
    this.event = event
    this.host = host
    this.lines = lines
  }

  execute(planned: Planned, seen: HookEvent, limits: Parameters<Lent['execute']>[2]) {
    return this.parts.execute(this.host, planned, seen, limits)
  }

  background(planned: Planned, seen: HookEvent): void {
    const { host, lines } = this
    const { execute, state, trouble } = this.parts
    this.parts.begun(startInBackground({ planned, event: seen, host, execute, state, trouble, lines }))
  }

  started(hook: Hook): void {
    this.lines?.started(hook)
    this.parts.observe?.started?.(hook, this.event)
  }

  ended(hook: Hook, entry: HookReport): void {
    if (hasFailed(entry)) this.failed.push({ hook, report: entry })
    this.lines?.ended(hook, entry)
    this.parts.observe?.ended?.(hook, entry, this.event)
  }
}

/** Programs find the trace they belong to where the W3C looks for it. */
function withTrace(env: NodeJS.ProcessEnv, { context }: HookEvent): NodeJS.ProcessEnv {
  const { traceparent, tracestate } = context
  if (typeof traceparent !== 'string') return env
  const more = typeof tracestate === 'string' ? { TRACESTATE: tracestate } : {}
  return { ...env, TRACEPARENT: traceparent, ...more }
}
