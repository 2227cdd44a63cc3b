/** Stage 4: runs the hooks in their order and merges their answers. */

import type { HookSet } from '../config/load.ts'
import { projectFolders } from '../config/repository.ts'
import { loadDialect } from '../dialects/list.ts'
import { foresee, type Planned, type Step } from '../engine/plan.ts'
import { type Lent, type Ran, report, run as runHooks } from '../engine/run.ts'
import { now } from '../fast/clock.ts'
import type { HookEvent } from '../spec/event.ts'
import type { Host } from '../spec/executor.ts'
import type { Hook } from '../spec/hook.ts'
import type { HookReport, Outcome } from '../spec/outcome.ts'
import type { Context } from './context.ts'
import { type Failed, hasFailed } from './record.ts'
import { startInBackground } from './run/background.ts'
import type { DebugLines } from './run/debug.ts'

/** Returns a promise only when it has to wait for a hook. */
export function run(context: Context): Promise<void> | undefined {
  if (context.dryRun) return runDry(context)
  return context.services.debug ? runInView(context) : runHooksOf(context, undefined)
}

async function runDry(context: Context): Promise<void> {
  context.ran = await wouldRun(context.event, context.steps)
}

async function runInView(context: Context): Promise<void> {
  await runHooksOf(context, await debugLines(context))
}

function runHooksOf(context: Context, lines: DebugLines | undefined): Promise<void> | undefined {
  const passage = new Passage(context, hostFor(context), lines)
  const ran = runHooks(context.steps, context.event, passage)
  return ran instanceof Promise
    ? ran.then((late) => judged(context, passage, late))
    : judged(context, passage, ran)
}

function judged(context: Context, { failed }: Passage, ran: Ran): Promise<void> | undefined {
  context.ran = ran
  context.failed = failed
  if (ran.contexts.length > 0) return framedContext(ran).then((outcome) => conclude(context, outcome))
  return conclude(context, ran.outcome)
}

function conclude(context: Context, outcome: Outcome): undefined {
  context.outcome = outcome
  context.duration = now() - context.startedAt
}

/** Formats that wrap their hooks' context do so once for all hooks of the format, at the place of the first. */
async function framedContext({ outcome, contexts, event }: Ran): Promise<Outcome> {
  const texts: string[] = []
  const framed = new Set<string>()
  for (const { hook, texts: own } of contexts) {
    const { format } = await loadDialect(hook.format)
    if (!format?.wrapContext) texts.push(...own)
    else if (!framed.has(hook.format)) {
      framed.add(hook.format)
      const all = contexts
        .filter((other) => other.hook.format === hook.format)
        .flatMap((other) => other.texts)
      texts.push(...format.wrapContext(all, event))
    }
  }
  return { ...outcome, additional_context: texts }
}

/** The plan instead of results: each hook with its step, then the skipped ones. */
async function wouldRun(event: HookEvent, plan: readonly Step[]): Promise<Ran> {
  const { steps, others } = await foresee(plan, event)
  const reports = steps.flatMap(({ hooks }, at) =>
    hooks.map(({ planned }) => ({
      ...report(planned.hook, 'skipped', 0),
      skipped: 'dry_run' as const,
      step: at + 1,
    })),
  )
  const barred = others
    .filter(({ skipped }) => skipped !== 'no_match')
    .map(({ planned, skipped }) => ({ ...report(planned.hook, 'skipped', 0), skipped }))
  return { outcome: {}, reports: [...reports, ...barred], event, contexts: [] }
}

async function debugLines({ services, event }: Context): Promise<DebugLines | undefined> {
  const { debug } = services
  if (!debug) return undefined
  const [lines, { redactDeep }] = await Promise.all([import('./run/debug.ts'), import('../redact/redact.ts')])
  return lines.debugLines(event, debug, redactDeep)
}

export function hostFor({
  services,
  set,
  env,
  event,
  caller,
}: Pick<Context, 'services' | 'set' | 'env' | 'event' | 'caller'>): Host {
  const { settings } = set as HookSet
  return {
    env: withTrace(env, event),
    passes: settings.pass_env,
    projects: projectFolders,
    sockets: [services.paths.runtime],
    ...(caller === undefined ? {} : { caller }),
    allowedHosts: settings.allowed_hosts,
    models: settings.models,
    stateDir: services.stateDir,
    callbacks: services.callbacks,
    debug: services.debug ?? ignore,
  }
}

const ignore = () => {}

/** Passes the trace to programs in the W3C variables. */
function withTrace(env: NodeJS.ProcessEnv, { context }: HookEvent): NodeJS.ProcessEnv {
  const { traceparent, tracestate } = context
  if (typeof traceparent !== 'string') return env
  const more = typeof tracestate === 'string' ? { TRACESTATE: tracestate } : {}
  return { ...env, TRACEPARENT: traceparent, ...more }
}

/** What the pipeline provides to the engine for one event. */
class Passage implements Lent {
  readonly failed: Failed[] = []
  private readonly context: Context
  private readonly host: Host
  private readonly lines: DebugLines | undefined

  constructor(context: Context, host: Host, lines: DebugLines | undefined) {
    this.context = context
    this.host = host
    this.lines = lines
  }

  execute(planned: Planned, seen: HookEvent, limits: Parameters<Lent['execute']>[2]) {
    return this.context.services.execute(this.host, planned, seen, limits)
  }

  background(planned: Planned, seen: HookEvent): void {
    const { host, lines } = this
    const { services, door } = this.context
    if (services.onlyAsks) return
    services.pending(startInBackground({ planned, event: seen, host, door, services, lines }))
  }

  started(hook: Hook): void {
    this.lines?.started(hook)
    this.context.services.observe?.started?.(hook, this.context.event)
  }

  ended(hook: Hook, entry: HookReport): void {
    if (hasFailed(entry)) this.failed.push({ hook, report: entry })
    this.lines?.ended(hook, entry)
    this.context.services.observe?.ended?.(hook, entry, this.context.event)
  }
}
