/** The only place where the parts meet: an event comes in, the hooks that apply run, one outcome goes out. */

import type { HookSet } from '../config/load.ts'
import { type Paths, paths } from '../config/paths.ts'
import type { SourceSetting } from '../config/settings.ts'
import { openTrust, type TrustStore } from '../config/trust.ts'
import { loadDialect, loadedDialect } from '../dialects/list.ts'
import { degrade } from '../engine/degrade.ts'
import { report } from '../engine/run.ts'
import type { JournalEntry } from '../journal/journal.ts'
import { removeSessionState, sessionStateDir } from '../journal/session-state.ts'
import { openStore, type Store } from '../journal/store.ts'
import { takeInSoon } from '../journal/take-in.ts'
import { after } from '../spec/after.ts'
import { now } from '../spec/clock.ts'
import type { AgentSide, Capability, Reply } from '../spec/dialect.ts'
import { CrosshookError, messageOf } from '../spec/errors.ts'
import { eventRow, type HookEvent } from '../spec/event.ts'
import type { Executor, Host } from '../spec/executor.ts'
import type { Hook, Run } from '../spec/hook.ts'
import type { FireResult, Outcome } from '../spec/outcome.ts'
import type { Active } from './active.ts'
import { answerCache } from './cache.ts'
import { answersElsewhere } from './caller.ts'
import { canaryReason } from './canary.ts'
import { createDispatch, type Dispatched, type DispatchOptions } from './dispatch.ts'
import { completeEvent, eventName } from './event.ts'
import { createExecute, type ExecuteOptions } from './execute.ts'
import { createHookSets } from './hook-sets.ts'
import type { Observer } from './observe.ts'
import { runsItself } from './own-files.ts'
import { inputDigest, keep, type Recording } from './record.ts'
import { toResult } from './result.ts'
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

export interface FireOptions extends DispatchOptions {
  /** Also report hooks of the event that did not match. */
  all?: boolean
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
  const { observe } = options

  const hookSet = async (workDir: string) => (await current(workDir)).set

  const current = createHookSets({ ...options, env, trust })

  const lent: Omit<Host, 'env' | 'allowedHosts' | 'models'> = {
    stateDir: (hook, sessionId) => sessionStateDir(where.state, hook.name, sessionId),
    callbacks: options.callbacks ?? new Map(),
    debug: options.debug ?? (() => {}),
  }
  const hostFor = (set: HookSet, eventEnv: NodeJS.ProcessEnv): Host => ({
    env: eventEnv,
    allowedHosts: set.settings.allowed_hosts,
    models: set.settings.models,
    stateDir: lent.stateDir,
    callbacks: lent.callbacks,
    debug: lent.debug,
  })
  const execute = createExecute({
    cache: answerCache(store),
    ...(options.remote ? { remote: options.remote } : {}),
    ...(options.executors ? { executors: options.executors } : {}),
  })

  const dispatch = createDispatch({
    env,
    state: where.state,
    current,
    execute,
    hostFor,
    begun: begun.add,
    trouble,
    debug: options.debug,
    observe: options.observe,
  })

  /** Keeps what happened; a promise only where the keeper has to be waited for. */
  function finish(
    event: HookEvent,
    result: FireResult,
    found: Dispatched,
    more: Pick<Recording, 'dropped' | 'digest'> = {},
  ) {
    if (options.silent || found.set.settings.journal.enabled === false) return finished(event, [])
    const { failed, duration } = found
    const recording: Recording = { event, result, source: options.source, failed, duration, ...more }
    const kept = options.keeper ? options.keeper(store(), recording) : keep(store(), recording)
    return after(kept, (sentences) => finished(event, sentences))
  }

  function finished(event: HookEvent, sentences: readonly string[]): void {
    for (const sentence of sentences) trouble(sentence)
    if (opened?.waiting) begun.add(takeInSoon(opened).then((said) => said.forEach(trouble)))
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
      observe?.event?.(event)
      const passing = dispatch(event, fireOptions)
      const found = passing instanceof Promise ? await passing : passing
      const result = toResult(event, { outcome: found.outcome, reports: found.ran.reports })
      if (!fireOptions.dryRun) await finish(event, result, found)
      observe?.over?.(event, result, now() - found.started)
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
      observe?.event?.(event)
      const except = runsItself(dialect, { home: where.home, workDir: event.work_dir })
      const passing = dispatch(event, { env: eventEnv, except })
      // While a program runs there is time for the rest.
      const digest = passing instanceof Promise ? inputDigest(event) : undefined
      const [found, required] = await Promise.all([passing, hint.required?.()])
      const missing = unreadable(native, dialect.title) ?? required
      if (missing !== undefined) trouble(missing)
      const outcome = missing === undefined ? found.outcome : unguarded(found.outcome, missing, capability)
      const limited = limitStops(where.state, event, outcome)
      const { outcome: possible, notes } = degrade(limited.outcome, capability, dialect.title)
      const result = toResult(event, { outcome: limited.outcome, reports: found.ran.reports })
      await finish(event, result, found, { dropped: [...limited.notes, ...notes], digest })
      observe?.over?.(event, result, now() - found.started)
      for (const sentence of [...untrustedWords(found.ran), ...brokenWords(found.set)]) trouble(sentence)
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

/** An event that nobody can read has no tool and no input: no guard would match, and it would pass as if one had agreed. */
function unreadable(native: unknown, agent: string): string | undefined {
  if (typeof native !== 'string' || native.trim() === '') return undefined
  return `${agent} sent ${native.length} characters that are not JSON: no hook can judge what it is about to do.`
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
