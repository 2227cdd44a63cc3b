/** Hooks for people who build agents: register functions, fire events, obey one outcome. */

import { fileURLToPath } from 'node:url'
import { FOLDER_FORMAT } from '../dialects/lib/gen/folder-format.ts'
import { checkMatcher } from '../engine/match.ts'
import { toResult } from '../engine/merge.ts'
import { type Planned, plan, type Step } from '../engine/plan.ts'
import { type Lent, run } from '../engine/run.ts'
import { callDirectly } from '../fast/direct.ts'
import type { Assembly } from '../host/assemble.ts'
import { ownEnvironment } from '../host/environment.ts'
import { completeEvent, eventName } from '../pipeline/decode/complete-event.ts'
import { type Active, activate } from '../pipeline/select/active.ts'
import { CrosshookError, messageOf } from '../spec/errors.ts'
import type { HookEvent } from '../spec/event.ts'
import { HOOK_DEFAULTS, type Hook } from '../spec/hook.ts'
import type { Matcher } from '../spec/matcher.ts'
import { type FireResult, failure, type Outcome } from '../spec/outcome.ts'
import { type DirectPlan, directPlan } from './direct-plans.ts'
import type { GivenEvent, HandledEvent, KnownEvent } from './handled-event.ts'

/** What a function may answer: any part of an outcome, or nothing. */
export type Answer = Outcome | undefined | null
// biome-ignore lint/suspicious/noConfusingVoidType: a handler without a return statement answers nothing
export type Handler<E extends string> = (event: HandledEvent<E>) => Answer | void | Promise<Answer | void>

export interface HandlerOptions {
  name?: string
  matcher?: Matcher
  /** 0–1000, higher first, as in HOOK.md. */
  priority?: number
  /** Milliseconds. */
  timeout?: number
  on_failure?: 'open' | 'closed'
  retries?: number
  after?: readonly string[]
}

export interface Hooks {
  /** Registers a function; returns the function that removes it. */
  on<E extends KnownEvent>(event: E, handler: Handler<E>, options?: HandlerOptions): () => void
  /** Runs every hook that applies. Never throws for what a hook does. */
  fire<E extends KnownEvent>(event: E, given?: GivenEvent<E>): Promise<FireResult>
  /**
   * Registers a hook of any format whose handler is a function of this process; returns the function that removes it.
   */
  add(hook: Hook): () => void
  /** Every registered or loaded hook. */
  list(): readonly Hook[]
  close(): void
}

/** In process and empty. */
export function createHooks(): Hooks {
  const registry = createRegistry()
  let active: Active | undefined
  let seen: readonly Hook[] | undefined
  return {
    on: registry.on,
    add: registry.add,
    list: registry.list,
    close() {},
    fire(name, given = {}) {
      const event = completeEvent(eventName(name), given, process.cwd())
      const hooks = registry.list()
      if (!active || seen !== hooks) {
        seen = hooks
        active = activate(hooks, { trust: undefined, settings: { disabled: [] } }, directly)
      }
      const candidates = active.candidates(event)
      return candidates instanceof Promise
        ? candidates.then((ready) => finish(ready, event))
        : finish(candidates, event)
    },
  }
}

export interface LoadHooksOptions {
  work_dir?: string
  env?: NodeJS.ProcessEnv
  /** Only these files and folders. */
  sources?: readonly (string | { path: string; format?: string })[]
  /** Named functions for `callback` hooks. */
  callbacks?: Readonly<Record<string, (event: HookEvent, input: unknown) => unknown>>
  /** Called with what could not be stored or read. */
  onTrouble?: (sentence: string) => void
}

/** Every HOOK.md and configured source of a project, together with functions. */
export async function loadHooks(options: LoadHooksOptions = {}): Promise<Hooks & { runtime: Assembly }> {
  const registry = createRegistry()
  const workDir = options.work_dir ?? process.cwd()
  // Loaded on demand: programs that only register functions do not need the pipeline.
  const { assemble } = await import('../host/assemble.ts')
  const runtime = assemble({
    source: 'library',
    main: fileURLToPath(new URL('../cli/main.cjs', import.meta.url)),
    registered: registry.list,
    env: options.env ?? ownEnvironment(),
    ...(options.sources
      ? { sources: options.sources.map((source) => (typeof source === 'string' ? { path: source } : source)) }
      : {}),
    ...(options.callbacks ? { callbacks: new Map(Object.entries(options.callbacks)) } : {}),
    ...(options.onTrouble ? { trouble: options.onTrouble } : {}),
  })
  let loaded = (await runtime.hookSet(workDir)).hooks
  return {
    runtime,
    on: registry.on,
    add: registry.add,
    list: () => [...loaded, ...registry.list()],
    async fire(name, given = {}) {
      const result = await runtime.fire(name, { work_dir: workDir, ...given })
      loaded = (await runtime.hookSet(workDir)).hooks
      return result
    },
    close: () => void runtime.close(),
  }
}

function createRegistry() {
  let hooks: readonly Hook[] = []
  let count = 0
  const add = (hook: Hook) => {
    hooks = [...hooks, hook]
    return () => {
      hooks = hooks.filter((other) => other !== hook)
    }
  }
  return {
    list: () => hooks,
    add,
    on(event: string, handler: (event: never) => unknown, options: HandlerOptions = {}) {
      const hook = define(eventName(event), handler as (event: HookEvent) => unknown, options, ++count)
      if (options.matcher) void warnOfDeadMatcher(hook)
      for (const option of Object.keys(options))
        if (!OPTIONS.includes(option))
          process.emitWarning(
            `hook "${hook.name}": there is no option "${option}", so it has no effect. Options are: ${OPTIONS.join(', ')}.`,
          )
      return add(hook)
    },
  }
}

const OPTIONS: readonly string[] = Object.keys({
  name: 0,
  matcher: 0,
  priority: 0,
  timeout: 0,
  on_failure: 0,
  retries: 0,
  after: 0,
} satisfies Record<keyof HandlerOptions, 0>)

/** A hook with an invalid pattern never matches: warn, so that nobody takes it for a guard. */
async function warnOfDeadMatcher({ name, matcher }: Hook): Promise<void> {
  for (const { field, message } of await checkMatcher(matcher))
    process.emitWarning(`hook "${name}" never runs: ${field}: ${message}`)
}

function define(
  event: string,
  call: (event: HookEvent) => unknown,
  options: HandlerOptions,
  count: number,
): Hook {
  const { priority = 100, timeout = HOOK_DEFAULTS.timeout, retries = 0 } = options
  if (!(priority >= 0 && priority <= 1000))
    throw new CrosshookError('usage', `priority ${priority}: must be 0 to 1000`, {
      fix: 'Higher runs first; the default is 100.',
    })
  if (!(timeout > 0))
    throw new CrosshookError('usage', `timeout ${timeout}: must be milliseconds above 0`, {
      fix: 'Leave it out for 30 seconds.',
    })
  if (!(Number.isInteger(retries) && retries >= 0 && retries <= 3))
    throw new CrosshookError('usage', `retries ${retries}: must be 0 to 3`, { fix: 'The default is 0.' })
  const name = options.name ?? (call.name || `${event}-${count}`)
  return {
    ...HOOK_DEFAULTS,
    name,
    format: FOLDER_FORMAT,
    scope: 'sdk',
    events: [event],
    matcher: options.matcher ?? {},
    run: { type: 'callback', name, call },
    order: 100 - priority,
    timeout,
    retries,
    on_failure: options.on_failure ?? 'open',
    ...(options.after ? { after: options.after } : {}),
    origin: { file: 'registered by a program' },
  }
}

function directly(hook: Hook): Planned['direct'] {
  if (hook.run.type !== 'callback' || !hook.run.call) return undefined
  const { call } = hook.run
  return hook.format === FOLDER_FORMAT ? call : (event) => inOwnWords(hook, call, event)
}

/** Functions of another format answer in that format. */
async function inOwnWords(hook: Hook, call: (event: HookEvent) => unknown, event: HookEvent) {
  const { loadDialect } = await import('../dialects/list.ts')
  const { format } = await loadDialect(hook.format)
  return format!.decode({ value: await call(event) }, event, hook).outcome
}

const lent: Lent = {
  execute: async () => ({ outcome: failure('only functions run here', { retryable: false }) }),
  background: (planned, event) => void startUnwatched(planned, event),
}

/** Not awaited, so a failure becomes a process warning. */
async function startUnwatched({ hook, direct }: Planned, event: HookEvent): Promise<void> {
  try {
    await direct?.(event)
  } catch (thrown) {
    process.emitWarning(`background hook "${hook.name}" failed: ${messageOf(thrown)}`)
  }
}

interface Prepared {
  steps: readonly Step[]
  direct: DirectPlan | null
}

/** Candidates are cached per kind of event, and so are their plans. */
const latest: { candidates?: readonly Planned[]; prepared?: Prepared } = {}
const known = new WeakMap<readonly Planned[], Prepared>()

function finish(candidates: readonly Planned[], event: HookEvent): Promise<FireResult> {
  let prepared = candidates === latest.candidates ? latest.prepared : known.get(candidates)
  if (!prepared) {
    const steps = plan(candidates)
    prepared = { steps, direct: directPlan(steps, lent) }
    known.set(candidates, prepared)
  }
  latest.candidates = candidates
  latest.prepared = prepared
  return prepared.direct ? callDirectly(prepared.direct, event) : indirectly(prepared.steps, event)
}

async function indirectly(steps: readonly Step[], event: HookEvent): Promise<FireResult> {
  return toResult(event, await run(steps, event, lent))
}
