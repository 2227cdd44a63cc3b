/** One attempt at one hook: encode the event in its format, run it, decode its answer. */

import { loadDialect, loadedDialect } from '../../dialects/list.ts'
import type { Answer } from '../../engine/attempt.ts'
import type { Planned } from '../../engine/plan.ts'
import { type AnyExecutor, EXECUTORS } from '../../executors/list.ts'
import { unheard } from '../../spec/attempted.ts'
import type { Decoded, HookFormat } from '../../spec/dialect.ts'
import type { HookEvent } from '../../spec/event.ts'
import type { Call, Executor, HookInput, Host, RawResult } from '../../spec/executor.ts'
import type { Hook, Run } from '../../spec/hook.ts'
import { type Failure, failure, isFailure, type Outcome } from '../../spec/outcome.ts'

/** Cached answers. */
export interface AnswerCache {
  get(hook: Hook, event: HookEvent): Answer | undefined
  set(hook: Hook, event: HookEvent, answer: Answer): void
}

export interface ExecuteOptions {
  cache?: AnswerCache
  /** A project's hook in the form in which it may run: its trusted copy. */
  runnable?: (hook: Hook, workDir: string) => Hook | Failure
  /** Runs hooks whose handler is in another process, reached through a stream. */
  remote?: Executor<Extract<Run, { type: 'remote' }>>
  /** Used instead of those that this process would load. */
  executors?: Partial<Record<Run['type'], AnyExecutor>>
}

type CallLimits = Pick<Call, 'signal' | 'timeout' | 'attempt'>

/** A loaded executor with its concurrency limit. */
interface Ready {
  executor: AnyExecutor
  permits: Permits
}

export function createExecute({ cache, runnable, remote, executors = {} }: ExecuteOptions) {
  const loaded = new Map<string, Ready>()

  const executorFor = async (type: Run['type']) => {
    let found = loaded.get(type)
    if (!found) {
      if (type === 'remote') {
        if (!remote) throw new Error('hooks of SDK processes run only in the daemon')
        found = { executor: remote, permits: permits(Number.POSITIVE_INFINITY) }
      } else {
        const row = EXECUTORS[type]
        found = { executor: executors[type] ?? (await row.load()), permits: permits(row.permits) }
      }
      loaded.set(type, found)
    }
    return found
  }

  /** Returns a promise only when it has to wait: many answers are synchronous. */
  return function execute(
    host: Host,
    planned: Planned,
    event: HookEvent,
    limits: CallLimits,
  ): Answer | Promise<Answer> {
    const isOfProject = planned.hook.scope === 'project'
    const hook = runnable && isOfProject ? runnable(planned.hook, event.work_dir) : planned.hook
    if (isFailure(hook)) return { outcome: hook }
    const known = fixed.get(hook)?.get(event.event_type)
    if (known) return known
    const dialect = loadedDialect(hook.format)
    const ready = loaded.get(hook.run.type)
    if (!dialect || !ready || hook.cache) return executeSlowly({ host, hook, event, limits })
    return call(dialect.format, ready, { host, hook, event, limits })
  }

  async function executeSlowly(given: Given): Promise<Answer> {
    const { hook, event } = given
    const known = hook.cache ? cache?.get(hook, event) : undefined
    if (known) return { ...known, cached: true }
    const dialect = loadedDialect(hook.format) ?? (await loadDialect(hook.format))
    const ready = loaded.get(hook.run.type) ?? (await executorFor(hook.run.type))
    const answer = await call(dialect.format, ready, given)
    // Only successful answers are reused: after another exit code the program runs again.
    if (hook.cache && !isFailure(answer.outcome) && !answer.exit_code) cache?.set(hook, event, answer)
    return answer
  }
}

export type Execute = ReturnType<typeof createExecute>

interface Given {
  host: Host
  hook: Hook
  event: HookEvent
  limits: CallLimits
}

function call(
  format: HookFormat | undefined,
  { executor, permits }: Ready,
  { host, hook, event, limits }: Given,
): Answer | Promise<Answer> {
  if (!format)
    return { outcome: failure(`hooks of format ${hook.format} cannot be run`, { retryable: false }) }
  const call = new HookCall(format, { host, hook, event, limits })
  const raw = permits.use(() => executor.run(call), limits)
  const read = (result: RawResult | Failure) => {
    const answer = answerOf(result, format, event, hook)
    const isFixed = format.decodesFixedOnce && !isFailure(result) && result.fixed
    if (isFixed && !hook.cache && !hook.redact_reasons && !isFailure(answer.outcome))
      keep(hook, event, answer)
    return withoutSecrets(answer, hook)
  }
  return raw instanceof Promise ? raw.then(read) : read(raw)
}

/** Answers that need no second reading, by event. */
const fixed = new WeakMap<Hook, Map<string, Answer>>()

function keep(hook: Hook, { event_type }: HookEvent, answer: Answer): void {
  let answers = fixed.get(hook)
  if (!answers) fixed.set(hook, (answers = new Map()))
  answers.set(event_type, answer)
}

/** A class, because V8 keeps a separate shape for every object literal with a getter, that is for each call. */
class HookCall implements Call<never> {
  readonly hook: Hook
  readonly run: never
  readonly event: HookEvent
  readonly host: Host
  readonly timeout: number
  readonly attempt: number
  private readonly limits: CallLimits
  private readonly format: HookFormat
  private encoded: HookInput | undefined

  constructor(format: HookFormat, { host, hook, event, limits }: Given) {
    this.hook = hook
    this.run = hook.run as never
    this.event = event
    this.host = host
    this.timeout = limits.timeout
    this.attempt = limits.attempt
    this.limits = limits
    this.format = format
    this.encoded = undefined
  }

  /** Created on demand: many hooks use only the event, and the encoded input may be large. */
  get input(): HookInput {
    this.encoded ??= this.format.encode(this.event, this.hook, this.host.env)
    return this.encoded
  }

  get signal(): AbortSignal {
    return this.limits.signal
  }
}

function answerOf(raw: RawResult | Failure, format: HookFormat, event: HookEvent, hook: Hook): Answer {
  const decoded: Decoded = isFailure(raw)
    ? { outcome: raw }
    : heard(format.decode(raw, event, hook), raw, format)
  const warnings = [...(isFailure(raw) ? [] : (raw.notes ?? [])), ...(decoded.warnings ?? [])]
  return {
    outcome: decoded.outcome,
    exit_code: raw.exit_code ?? null,
    ...(raw.confined ? { confined: true } : {}),
    ...(raw.cost_usd ? { cost_usd: raw.cost_usd } : {}),
    ...(warnings.length > 0 ? { warnings } : {}),
  }
}

/** An answer without an error of which nothing was understood is not consent. */
function heard(decoded: Decoded, raw: RawResult, { exitDecides }: HookFormat): Decoded {
  if (!raw.stdout || isFailure(decoded.outcome)) return decoded
  const wrong = raw.garbled ? lost(raw, decoded.outcome) : exitDecides ? undefined : unheard(raw, decoded)
  if (wrong === undefined) return decoded
  return {
    ...decoded,
    outcome: failure(`The answer cannot be read: ${wrong}.`, { exit_code: raw.exit_code ?? null }),
  }
}

/** Of JSON that is not UTF-8 some word is not what the hook wrote: it may be part of an input. A refusal needs no words. */
function lost({ stdout }: RawResult, { decision, stop }: Outcome): string | undefined {
  if (decision === 'deny' || stop !== undefined || !stdout!.trimStart().startsWith('{')) return undefined
  return 'it is not UTF-8 text'
}

/** Some formats promise that reasons contain no secrets. */
function withoutSecrets(answer: Answer, { redact_reasons }: Hook): Answer | Promise<Answer> {
  return redact_reasons ? redacted(answer.outcome).then((outcome) => ({ ...answer, outcome })) : answer
}

async function redacted<T extends Outcome | { message: string }>(answer: T): Promise<T> {
  const { redact } = await import('../../redact/redact.ts')
  const clean = { ...answer } as Record<string, unknown>
  for (const field of ['reason', 'stop', 'user_message', 'message'])
    if (typeof clean[field] === 'string') clean[field] = redact(clean[field])
  return clean as T
}

/** Limits how many calls run at once; the others wait in order of arrival. */
interface Permits {
  /** Waits for a permit or the signal, then does the work. Returns a promise only when it has to wait. */
  use<T>(work: () => Promise<T> | T, limits: { readonly signal: AbortSignal }): Promise<T> | T
}

export function permits(most: number): Permits {
  let free = most
  const waiting: (() => void)[] = []
  return {
    use(work, limits) {
      if (free <= 0) return turn(waiting, limits.signal).then(() => done(work))
      free--
      return done(work)
    },
  }

  function done<T>(work: () => Promise<T> | T): Promise<T> | T {
    let result: Promise<T> | T | undefined
    try {
      result = work()
      return result instanceof Promise ? result.finally(giveBack) : result
    } finally {
      if (!(result instanceof Promise)) giveBack()
    }
  }

  function giveBack(): void {
    const next = waiting.shift()
    if (next) next()
    else free++
  }
}

function turn(waiting: (() => void)[], signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const go = () => {
      signal.removeEventListener('abort', giveUp)
      resolve()
    }
    const giveUp = () => {
      waiting.splice(waiting.indexOf(go), 1)
      reject(signal.reason)
    }
    signal.addEventListener('abort', giveUp, { once: true })
    waiting.push(go)
  })
}
