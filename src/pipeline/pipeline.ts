/** The stages of every event: decode · guard · select · run · ask · confine · degrade · encode · record. */

import type { HookSet } from '../config/load.ts'
import { type Paths, paths } from '../config/paths.ts'
import { isBuiltIn } from '../config/self-protection.ts'
import { mac, stateKey } from '../config/state-key.ts'
import type { TrustStore } from '../config/trust.ts'
import { trustWhenAsked } from '../config/trust-when-asked.ts'
import { DIALECTS, loadDialect } from '../dialects/list.ts'
import { readPlainLines } from '../engine/plain-lines.ts'
import { report } from '../engine/run.ts'
import { isLost } from '../engine/unread.ts'
import { now } from '../fast/clock.ts'
import type { Journal } from '../journal/port.ts'
import { sessionStateDir } from '../journal/session-state.ts'
import { useMarkKey } from '../redact/mark.ts'
import type { Reply } from '../spec/dialect.ts'
import { CrosshookError, messageOf } from '../spec/errors.ts'
import { eventRow } from '../spec/event.ts'
import type { Host } from '../spec/executor.ts'
import type { Problem } from '../spec/hook.ts'
import type { FireResult, HookReport } from '../spec/outcome.ts'
import { ask } from './ask.ts'
import { confine } from './confine.ts'
import { type AgentCall, type Context, createContext, type Door, type Services } from './context.ts'
import { decode, decodeFields } from './decode.ts'
import { degrade, degradeOutcome } from './degrade.ts'
import { encode } from './encode.ts'
import { guard, refuseLost, refuseUnguarded } from './guard.ts'
import { journalAt } from './journal.ts'
import { hasFailed, inputDigest, record } from './record.ts'
import { answerCache } from './run/reuse-answers.ts'
import { createExecute, type ExecuteOptions } from './run/run-once.ts'
import { spool } from './run/spool.ts'
import { hostFor, run } from './run.ts'
import type { Active } from './select/active.ts'
import { createHookSets, type HookSetOptions, openSessionStarts, select } from './select.ts'
import { tell } from './tell.ts'

const COLLECT_PAUSE_MS = 1000
/** Skipped hooks that the agent is told about. */
const UNHEARD: readonly HookReport['skipped'][] = ['invalid', 'untrusted']

export interface PipelineOptions
  extends Omit<HookSetOptions, 'trust'>,
    Omit<ExecuteOptions, 'cache' | 'runnable'>,
    Partial<Pick<Services, 'debug' | 'trouble' | 'silent' | 'onlyAsks' | 'observe' | 'keeper' | 'ask'>> {
  /** Selects the user's hooks, trust and state; also the environment of events that bring none. */
  env: NodeJS.ProcessEnv
  /** How events come in, for the journal. */
  source: Door
  callbacks?: Host['callbacks']
  /** Where hooks store their memory, if not in the state folder; its group may write there. */
  memory?: string
}

export interface FireOptions {
  /** The event's environment; without it, that of the assembly. */
  env?: NodeJS.ProcessEnv
  cwd?: string
  door?: Door
  dryRun?: boolean
  /** Also report hooks of the event that did not match. */
  all?: boolean
  /** Called with the problems of the hook files that were read. */
  problems?: (found: readonly Problem[]) => void
}

export interface Pipeline {
  readonly paths: Paths
  readonly trust: TrustStore
  journal(): Journal
  hookSet(workDir: string): Promise<HookSet>
  active(workDir: string): Promise<Active>
  /** Takes a canonical event and returns its result. */
  fire(name: string, given: Record<string, unknown>, options?: FireOptions): Promise<FireResult>
  /** Takes an agent's own payload and returns its own reply. */
  handle(call: AgentCall): Promise<Reply>
  /** Like `handle`, but reports errors to the agent and to `trouble`. Throws only when the dialect is damaged. */
  answer(call: AgentCall): Promise<Reply>
  /** Resolves when every background hook has been started. */
  settled(): Promise<unknown>
  /** Records background hooks of processes that are gone; `start` also starts those that never ran. */
  collect(what: 'ended' | 'start'): Promise<void>
  close(): void
}

export function createPipeline(options: PipelineOptions): Pipeline {
  const { env, source } = options
  const where = paths(env)
  readPlainLines()
  useMarkKey(() => mac(stateKey(where.state), 'mark', ''))
  const trust = trustWhenAsked(where.state, env.CROSSHOOK_TRUST === 'all')
  const open = new Set<Promise<void>>()
  let opened: Journal | undefined
  const journal = () => (opened ??= journalAt(where.state))
  const hooksOf = createHookSets({ ...options, trust })
  const memory = options.memory ?? where.state
  const services: Services = {
    paths: where,
    hooksOf,
    starts: openSessionStarts(where.state),
    execute: createExecute({ ...options, cache: answerCache(journal), runnable: trust.runnable }),
    runnable: trust.runnable,
    trustOf: trust.state,
    callbacks: options.callbacks ?? new Map(),
    stateDir: (hook, sessionId) =>
      sessionStateDir(memory, hook.name, sessionId, options.memory === undefined ? 0o700 : 0o770),
    memory,
    journal,
    pending(work) {
      open.add(work)
      work.finally(() => open.delete(work))
    },
    trouble: options.trouble ?? (() => {}),
    debug: options.debug,
    observe: options.observe,
    silent: options.silent ?? false,
    onlyAsks: options.onlyAsks ?? false,
    keeper: options.keeper,
    ask: options.ask,
  }

  async function collect(what: 'ended' | 'start'): Promise<void> {
    const waiting = spool(where.state)
    if (waiting.ids().length === 0) return
    const { collect: see } = await import('./run/collect.ts')
    await see({
      services,
      waiting,
      onlyEnded: what === 'ended',
      stays: options.stays ?? false,
      hostFor: async ({ event }) =>
        hostFor({ services, env, event, caller: undefined, set: (await hooksOf(event.work_dir)).set }),
      mayRun: (hook) => hook.scope !== 'project' || trust.state(hook) === 'trusted',
    })
  }

  let collected = Number.NEGATIVE_INFINITY
  /** After the answer: looks at the spool, at most once in COLLECT_PAUSE_MS. */
  function collectLater(at: number): void {
    if (services.silent || at - collected < COLLECT_PAUSE_MS) return
    collected = at
    const say = (error: unknown) => services.trouble(`background hooks: ${messageOf(error)}`)
    try {
      // A process of one call looks at once: in a turn of the event loop V8 would clear its memory, a millisecond before the end.
      if (!options.stays && spool(where.state).ids().length === 0) return
    } catch (error) {
      say(error)
      return
    }
    services.pending(
      new Promise<void>((resolve) => setImmediate(resolve)).then(() => collect('start')).catch(say),
    )
  }

  async function fire(name: string, given: Record<string, unknown>, more: FireOptions = {}) {
    const context = createContext(services, {
      door: more.door ?? source,
      env: more.env ?? env,
      cwd: more.cwd ?? process.cwd(),
      dryRun: more.dryRun ?? false,
    })
    decodeFields(context, name, given)
    options.observe?.event?.(context.event)
    let waiting = select(context)
    if (waiting) await waiting
    more.problems?.(context.set!.problems)
    waiting = run(context)
    if (waiting) await waiting
    if (isLost(context.event)) await refuseLost(context)
    if (context.outcome.decision === 'ask') await ask(context)
    if (context.outcome.confine !== undefined) await confine(context)
    waiting = record(context)
    if (waiting) await waiting
    const over = now()
    observe(context, over)
    if (!context.dryRun) collectLater(over)
    if (more.all) await addUnmatched(context)
    return context.result!
  }

  async function handle(call: AgentCall): Promise<Reply> {
    const context = createContext(services, {
      door: call.door ?? source,
      env: call.env ?? env,
      cwd: call.cwd,
      parent: call.parent,
      caller: call.caller,
      gone: call.gone,
    })
    // Await only when necessary: most stages are synchronous, and each await costs a turn of the queue.
    let waiting = decode(context, call)
    if (waiting) await waiting
    const reply = guard(context, call)
    if (reply) return reply
    options.observe?.event?.(context.event)
    waiting = select(context)
    if (waiting) await waiting
    if (wantsFacts(context)) await (await import('./session-facts.ts')).addFacts(context)
    const running = run(context)
    // Computed while the hooks' programs run.
    if (context.steps.length > 0) context.digest = inputDigest(context.event)
    if (running) await running
    if (derives(context)) await (await import('./derive.ts')).derive(context)
    if (hasNews(context)) await tell(context)
    waiting = refuseUnguarded(context)
    if (waiting) await waiting
    if (context.outcome.decision === 'ask') await ask(context)
    if (context.outcome.confine !== undefined) await confine(context)
    degrade(context)
    const answer = encode(context)
    context.reply = answer
    waiting = record(context)
    if (waiting) await waiting
    const over = now()
    observe(context, over)
    collectLater(over)
    return answer
  }

  /** Must the agent be told more than the hooks have said? Usually all of them ran and none failed. */
  function hasNews({ event, set, ran }: Context): boolean {
    return (
      set!.problems.length > 0 ||
      eventRow(event.event_type).begins === 'session' ||
      ran!.reports.some((report) => hasFailed(report) || UNHEARD.includes(report.skipped))
    )
  }

  /** True if a hook listens to an event that is derived at this one: see derive.ts. */
  function derives({ agent, event, active }: Context): boolean {
    const { derives: more } = agent!.agent
    const native = event.native_event ?? event.event_type
    for (const name in more) if (more[name]!.at.includes(native) && active!.all(name).length > 0) return true
    return false
  }

  /** Only for hooks that ask: transcripts can be long. */
  function wantsFacts({ steps }: Context): boolean {
    return steps.some(({ hooks }) => hooks.some(({ hook }) => hook.facts === true))
  }

  return {
    paths: where,
    trust,
    journal,
    hookSet: async (workDir) => (await hooksOf(workDir)).set,
    active: async (workDir) => (await hooksOf(workDir)).active,
    fire,
    handle,
    async answer(call) {
      try {
        return await handle(call)
      } catch (error) {
        services.trouble(messageOf(error))
        return refusal(call, error)
      }
    },
    settled: () => Promise.all(open),
    collect,
    close: () => opened?.close(),
  }
}

/**
 * An internal error means that nothing judged the event, so it is denied where possible. Throws when the dialect is
 * damaged.
 */
async function refusal(call: AgentCall, error: unknown): Promise<Reply> {
  const fix = error instanceof CrosshookError ? `\n${error.fix}` : ''
  const words = `crosshook: ${messageOf(error)}${fix}`
  try {
    const { agent, title } = await loadDialect(call.agent)
    const event = agent?.decode({}, { env: {}, cwd: call.cwd, ...(call.event ? { event: call.event } : {}) })
    const capability = event && agent!.capabilities[event.native_event ?? event.event_type]
    if (capability?.deny) {
      const reason = `${words}\nNo hook has judged this, so it is refused.`
      const { outcome } = degradeOutcome(
        { decision: 'deny', reason, user_message: reason },
        capability,
        title,
      )
      return agent!.encode(outcome, event!)
    }
  } catch (damage) {
    // Without the dialect no reply can be made. The relay that supervises us refuses by itself when no answer comes.
    if (Object.hasOwn(DIALECTS, call.agent)) throw damage
  }
  // Agents treat failing hooks differently; 1 means "failed, not blocked" in all that use exit codes.
  return { stdout: '', stderr: `${words}\n`, exit_code: 1 }
}

function observe({ services, event, result, startedAt }: Context, over: number): void {
  services.observe?.over?.(event, result!, over - startedAt)
}

async function addUnmatched({ services, event, result }: Context): Promise<void> {
  const { active } = await services.hooksOf(event.work_dir)
  const seen = new Set(result!.hooks.map((entry) => entry.name))
  for (const { hook } of active.all(event.event_type))
    if (!seen.has(hook.name) && !isBuiltIn(hook))
      result!.hooks.push({ ...report(hook, 'skipped', 0), skipped: 'no_match' })
}
