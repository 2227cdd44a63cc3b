/** The only place where the parts meet: an event comes in, the hooks that apply run, one outcome goes out. */

import type { HookSet } from '../config/load.ts'
import { type Paths, paths } from '../config/paths.ts'
import type { SourceSetting } from '../config/settings.ts'
import { openTrust, type TrustStore } from '../config/trust.ts'
import { loadDialect, loadedDialect } from '../dialects/list.ts'
import { degrade } from '../engine/degrade.ts'
import { type Lent, type Ran, report, run } from '../engine/run.ts'
import type { JournalEntry } from '../journal/journal.ts'
import { removeSessionState, sessionStateDir } from '../journal/session-state.ts'
import { openStore, type Store } from '../journal/store.ts'
import { takeInSoon } from '../journal/take-in.ts'
import { now } from '../spec/clock.ts'
import type { AgentSide, Capability, Reply } from '../spec/dialect.ts'
import { CrosshookError, messageOf } from '../spec/errors.ts'
import { eventRow, type HookEvent } from '../spec/event.ts'
import type { Executor, Host } from '../spec/executor.ts'
import type { Hook, Run } from '../spec/hook.ts'
import type { FireResult, HookReport, Outcome } from '../spec/outcome.ts'
import type { Active } from './active.ts'
import { startInBackground } from './background.ts'
import { answerCache } from './cache.ts'
import { answersElsewhere } from './caller.ts'
import { canaryReason } from './canary.ts'
import { debugLines } from './debug.ts'
import { completeEvent, eventName } from './event.ts'
import { createExecute, type ExecuteOptions } from './execute.ts'
import { createHookSets } from './hook-sets.ts'
import type { Observer } from './observe.ts'
import { runsItself } from './own-files.ts'
import { keep, type Recording } from './record.ts'
import { framedContext, toResult } from './result.ts'
import { brokenWords, untrustedWords } from './silent.ts'
import { limitStops } from './stop-limit.ts'

export interface RuntimeOptions {
  env?: NodeJS.ProcessEnv
  /** The door, for the journal. */
  source: JournalEntry['source']
  /** Only the hooks of these files and folders. */
  sources?: readonly SourceSetting[]
  callbacks?: Host['callbacks']
  /** Further hooks, asked for at each event: those of SDK processes. */
  registered?: () => readonly Hook[]
  remote?: Executor<Extract<Run, { type: 'remote' }>>
  /** In place of those that this process would load by itself. */
  executors?: ExecuteOptions['executors']
  /** Lines for people who asked to see everything. */
  debug?: (line: string) => void
  /** Sentences about what could not be kept or read; they never change a decision. */
  trouble?: (sentence: string) => void
  /** Only the hooks of this name. */
  only?: string
  /** Keep no journal. */
  silent?: boolean
  /** Many events come at once: those of one turn of the event loop share one look at the files. */
  busy?: boolean
  /** The process goes on and on, and each event comes by a connection of its own: see config/watch.ts. */
  stays?: boolean
  /** Told of every event and every hook that runs. */
  observe?: Observer
  /** Keeps what happened in another way than one record at a time; the answer waits for it. */
  keeper?: (store: Store, recording: Recording) => Promise<string[]>
}

export interface FireOptions {
  /** Also report hooks of the event that did not match. */
  all?: boolean
  dryRun?: boolean
  env?: NodeJS.ProcessEnv
  /** Hooks that somebody else runs for this event. */
  except?: (hook: Hook) => boolean
}

export interface Runtime {
  readonly paths: Paths
  readonly trust: TrustStore
  store(): Store
  hookSet(workDir: string): Promise<HookSet>
  active(workDir: string): Promise<Active>
  fire(name: string, given: Record<string, unknown>, options?: FireOptions): Promise<FireResult>
  /** An agent's own payload in, its own reply out. */
  handle(
    agent: string,
    native: unknown,
    hint: {
      event?: string
      cwd: string
      env?: NodeJS.ProcessEnv
      context?: Record<string, unknown>
      /** Sees to what this agent cannot do without, and says what is wrong with it. */
      required?: () => Promise<string | undefined>
    },
  ): Promise<Reply>
  /** When every background hook has been started. */
  settled(): Promise<unknown>
  close(): void
}

export function createRuntime(options: RuntimeOptions): Runtime {
  const env = options.env ?? process.env
  const where = paths(env)
  const trust = openTrust(where.state, env.CROSSHOOK_TRUST === 'all')
  const begun = pending()
  let opened: Store | undefined
  const store = () => (opened ??= openStore(where.state))
  const trouble = options.trouble ?? (() => {})

  const hookSet = async (workDir: string) => (await current(workDir)).set

  const current = createHookSets({ ...options, env, trust })

  const hostFor = (set: HookSet, eventEnv: NodeJS.ProcessEnv): Host => ({
    env: eventEnv,
    stateDir: (hook, sessionId) => sessionStateDir(where.state, hook.name, sessionId),
    allowedHosts: set.settings.allowed_hosts,
    callbacks: options.callbacks ?? new Map(),
    models: set.settings.models,
    debug: options.debug ?? (() => {}),
  })
  const execute = createExecute({
    cache: answerCache(store),
    ...(options.remote ? { remote: options.remote } : {}),
    ...(options.executors ? { executors: options.executors } : {}),
  })

  async function dispatch(event: HookEvent, fireOptions: FireOptions = {}) {
    const started = now()
    const known = current(event.work_dir)
    const { set, active } = known instanceof Promise ? await known : known
    const found = active.candidates(event)
    const all = found instanceof Promise ? await found : found
    const { except } = fireOptions
    const candidates = except ? all.filter(({ hook }) => !except(hook)) : all
    const hooks = new Map<HookReport, Hook>()
    if (fireOptions.dryRun) {
      const reports = candidates
        .filter(({ matcher }) => matcher.rest === null || matcher.rest(event))
        .map(({ hook, gate }) => ({
          ...report(hook, 'skipped', 0),
          skipped: gate?.() ?? ('dry_run' as const),
        }))
      return { ran: emptyRun(event, reports), outcome: {}, hooks, set, duration: 0 }
    }
    const host = hostFor(set, withTrace(fireOptions.env ?? env, event))
    const lines =
      options.debug && debugLines(event, options.debug, (await import('../journal/redact.ts')).redactDeep)
    const lent: Lent = {
      execute: (planned, seen, limits) => execute(host, planned, seen, limits),
      background: (planned, seen) =>
        begun.add(
          startInBackground({ planned, event: seen, host, execute, state: where.state, trouble, lines }),
        ),
      started(hook) {
        lines?.started(hook)
        options.observe?.started?.(hook, event)
      },
      ended(hook, entry) {
        hooks.set(entry, hook)
        lines?.ended(hook, entry)
        options.observe?.ended?.(hook, entry, event)
      },
    }
    const ran = await run(candidates, event, lent)
    const outcome = ran.contexts.length === 0 ? ran.outcome : await framedContext(ran)
    return { ran, outcome, hooks, set, duration: now() - started }
  }

  async function finish(
    event: HookEvent,
    result: FireResult,
    more: { hooks: Map<HookReport, Hook>; duration: number; dropped?: string[] },
    set: HookSet,
  ) {
    if (!options.silent && set.settings.journal.enabled !== false) {
      const recording = { event, result, source: options.source, ...more }
      const kept = options.keeper ? await options.keeper(store(), recording) : keep(store(), recording)
      for (const sentence of kept) trouble(sentence)
      if (store().waiting) begun.add(takeInSoon(store()).then((sentences) => sentences.forEach(trouble)))
    }
    if (eventRow(event.event_type).ends !== 'session') return
    try {
      removeSessionState(where.state, event.session_id)
    } catch (error) {
      trouble(`what hooks remembered of the session could not be removed: ${messageOf(error)}`)
    }
  }

  return {
    paths: where,
    trust,
    store,
    hookSet,
    active: async (workDir) => (await current(workDir)).active,
    async fire(name, given, fireOptions = {}) {
      const event = completeEvent(eventName(name), given, process.cwd())
      const over = options.observe?.event?.(event)
      const { ran, outcome, hooks, set, duration } = await dispatch(event, fireOptions)
      const result = toResult(event, { outcome, reports: ran.reports })
      if (!fireOptions.dryRun) await finish(event, result, { hooks, duration }, set)
      over?.(result)
      if (fireOptions.all) {
        const planned = (await current(event.work_dir)).active.all(event.event_type)
        const seen = new Set(result.hooks.map((entry) => entry.name))
        for (const { hook } of planned)
          if (!seen.has(hook.name)) result.hooks.push({ ...report(hook, 'skipped', 0), skipped: 'no_match' })
      }
      return result
    },
    async handle(agentId, native, hint) {
      const dialect = loadedDialect(agentId) ?? (await loadDialect(agentId))
      const { agent } = dialect
      if (!agent)
        throw new CrosshookError(
          'unknown_agent',
          `${dialect.title} is a hook format, not an agent that calls hooks`,
        )
      const eventEnv = hint.env ?? env
      if (Number(eventEnv.CROSSHOOK_DEPTH ?? 0) >= DEEPEST)
        throw new CrosshookError(
          'refused',
          'a hook calls an agent or crosshook, which runs that hook again, without end',
          {
            fix: 'Let the hook start its agent without hooks, or give it a matcher that leaves its own work out.',
          },
        )
      const silent = { stdout: '', stderr: '', exit_code: 0 }
      if (agent.isForeign?.(native, eventEnv) || answersElsewhere(agentId, eventEnv, where.state, hint.cwd))
        return silent
      const event = agent.decode(native, { ...hint, env: eventEnv })
      if (hint.context) event.context = { ...hint.context, ...event.context }
      const capability = capabilityOf(agent, event)
      const canary = capability?.deny ? canaryReason(event, where.state) : undefined
      if (canary !== undefined)
        return agent.encode(
          degrade({ decision: 'deny', reason: canary }, capability, dialect.title).outcome,
          event,
        )
      const over = options.observe?.event?.(event)
      const missing = await hint.required?.()
      if (missing !== undefined) trouble(missing)
      const except = runsItself(dialect, { home: where.home, workDir: event.work_dir })
      const found = await dispatch(event, { env: eventEnv, except })
      const { ran, hooks, set, duration } = found
      const outcome = missing === undefined ? found.outcome : unguarded(found.outcome, missing, capability)
      const limited = limitStops(where.state, event, outcome)
      const { outcome: possible, notes } = degrade(limited.outcome, capability, dialect.title)
      const result = toResult(event, { outcome: limited.outcome, reports: ran.reports })
      await finish(event, result, { hooks, duration, dropped: [...limited.notes, ...notes] }, set)
      over?.(result)
      for (const sentence of [...untrustedWords(ran), ...brokenWords(set)]) trouble(sentence)
      return agent.encode(possible, event)
    },
    settled: begun.all,
    close() {
      opened?.close()
    },
  }
}

/** Hooks within agents within hooks. */
const DEEPEST = 5

/** Promises that somebody may want to wait for. */
function pending() {
  const open = new Set<Promise<void>>()
  return {
    add(work: Promise<void>): void {
      open.add(work)
      work.finally(() => open.delete(work))
    },
    all: () => Promise.all(open),
  }
}

/** Programs find the trace they belong to where the W3C looks for it. */
function withTrace(env: NodeJS.ProcessEnv, { context }: HookEvent): NodeJS.ProcessEnv {
  const { traceparent, tracestate } = context
  if (typeof traceparent !== 'string') return env
  const more = typeof tracestate === 'string' ? { TRACESTATE: tracestate } : {}
  return { ...env, TRACEPARENT: traceparent, ...more }
}

/** What the agent does next could not be guarded: it is kept from it where it can be, and says so everywhere. */
function unguarded(outcome: Outcome, missing: string, capability: Capability | undefined): Outcome {
  const user_message = [missing, outcome.user_message].filter(Boolean).join('\n')
  if (capability?.deny) return { decision: 'deny', reason: missing, user_message }
  return { ...outcome, user_message, additional_context: [missing, ...(outcome.additional_context ?? [])] }
}

function capabilityOf(agent: AgentSide, event: HookEvent) {
  return agent.capabilities[event.native_event ?? event.event_type]
}

function emptyRun(event: HookEvent, reports: HookReport[]): Ran {
  return { outcome: {}, reports, event, contexts: [] }
}
