/** The state of one event on its way through the stages. Each stage reads what earlier stages have written. */

import type { HookSet } from '../config/load.ts'
import type { Paths } from '../config/paths.ts'
import type { TrustState } from '../config/trust.ts'
import type { Step } from '../engine/plan.ts'
import type { Ran } from '../engine/run.ts'
import { now } from '../fast/clock.ts'
import type { Journal, JournalEntry } from '../journal/port.ts'
import { learnSecrets } from '../redact/redact.ts'
import type { Capability, Dialect, Reply } from '../spec/dialect.ts'
import type { HookEvent } from '../spec/event.ts'
import type { Host } from '../spec/executor.ts'
import type { Hook } from '../spec/hook.ts'
import type { Failure, FireResult, Outcome } from '../spec/outcome.ts'
import type { Ask } from './ask.ts'
import type { Failed, Recording } from './record.ts'
import type { Observer } from './run/observe.ts'
import type { Execute } from './run/run-once.ts'
import type { Active } from './select/active.ts'
import type { HooksOfFolder, SessionStarts } from './select.ts'

/** How an event reached us, for the journal. */
export type Door = JournalEntry['source']

/** Shared by every event of one assembly. */
export interface Services {
  paths: Paths
  hooksOf: HooksOfFolder
  starts: SessionStarts
  execute: Execute
  /** The hook in the form in which it may run: a project's hook from its trusted copy. */
  runnable(hook: Hook, workDir: string): Hook | Failure
  trustOf(hook: Hook): TrustState
  callbacks: Host['callbacks']
  stateDir: Host['stateDir']
  /** The folder that contains what `stateDir` returns. */
  memory: string
  journal(): Journal
  /** Registers background work that somebody may want to wait for. */
  pending(work: Promise<void>): void
  /** Reports what could not be stored or read; never changes a decision. */
  trouble(sentence: string): void
  debug: ((line: string) => void) | undefined
  observe: Observer | undefined
  /** Keeps no journal. */
  silent: boolean
  /** Only determines what hooks would decide: background hooks are not started. */
  onlyAsks: boolean
  /** Stores records in another way than one at a time; the answer waits for it. */
  keeper: ((journal: Journal, recording: Recording) => Promise<string[]>) | undefined
  /** Answers `ask` in place of the agent's own dialog; without it the agent asks. */
  ask: Ask | undefined
}

/** An agent's call as it reached a door. */
export interface AgentCall {
  agent: string
  /** The native event's name, where the call says it. */
  event?: string
  cwd: string
  /** The agent's environment, as far as the door knows it; otherwise that of the assembly. */
  env?: NodeJS.ProcessEnv
  /** The calling process, as far as the door knows it: the agent, a shell of it, or the relay. */
  parent?: number
  /** The connection it came by, where hooks' programs run as the user at its other end. */
  caller?: number
  /** A signal that is aborted when the caller no longer waits: cancelled or killed. Made only when it is needed. */
  gone?(): AbortSignal
  /** Overrides the assembly's door. */
  door?: Door
  /** Added to the event's context: a trace. */
  context?: Record<string, unknown>
  /** What the agent sent: a text, or the bytes of a large one. */
  read(): string | Buffer
  /** Prepares what this agent requires, and returns what is wrong with it. */
  required?: (() => Promise<string | undefined> | undefined) | undefined
}

export interface Context {
  readonly services: Services
  readonly door: Door
  /** The environment of the event, never that of the answering process. */
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
  /** The process that called, as far as the door knows it: see `AgentCall`. */
  readonly parent: number | undefined
  /** The connection whose user hooks' programs run as: see `AgentCall`. */
  readonly caller: number | undefined
  /** A signal that is aborted when nobody waits for the answer any more. */
  readonly gone: (() => AbortSignal) | undefined
  readonly startedAt: number
  readonly dryRun: boolean

  // decode
  /** Undefined for an event that no agent sent (`fire`). */
  agent: (Dialect & { agent: NonNullable<Dialect['agent']> }) | undefined
  /** What the agent sent: parsed JSON, or a text that is not JSON. */
  native: unknown
  event: HookEvent
  /** What the agent can do with an answer to this event. */
  capability: Capability | undefined
  /** The event that the payload names, if it differs from the event of the entry that was called. */
  strayed: string | undefined
  /** The agent has no such event: what it was made of, for the journal. */
  derived: string | undefined

  // guard
  /** What keeps hooks from judging this event, if anything does. */
  gap: Promise<string | undefined> | string | undefined

  // select
  set: HookSet | undefined
  active: Active | undefined
  steps: readonly Step[]

  // run, ask
  ran: Ran | undefined
  outcome: Outcome
  failed: readonly Failed[]
  duration: number

  // degrade
  /** What is left of the outcome for this agent. */
  possible: Outcome
  /** What was left out so far, for the journal. */
  dropped: string[]

  // encode
  /** What the agent is told. */
  reply: Reply | undefined

  // record
  /** Digest of the tool's input, when there was time to make it before. */
  digest: string | undefined
  result: FireResult | undefined
}

export interface Given {
  door: Door
  env: NodeJS.ProcessEnv
  cwd: string
  parent?: number | undefined
  caller?: number | undefined
  gone?: (() => AbortSignal) | undefined
  dryRun?: boolean
}

/** `event` is set by the stage `decode`. All fields exist from the start, so that V8 sees one shape. */
export function createContext(
  services: Services,
  { door, env, cwd, parent, caller, gone, dryRun = false }: Given,
): Context {
  learnSecrets(env)
  return {
    services,
    door,
    env,
    cwd,
    parent,
    caller,
    gone,
    startedAt: now(),
    dryRun,
    agent: undefined,
    native: undefined,
    event: NOT_DECODED,
    capability: undefined,
    strayed: undefined,
    derived: undefined,
    gap: undefined,
    set: undefined,
    active: undefined,
    steps: [],
    ran: undefined,
    outcome: {},
    failed: [],
    duration: 0,
    possible: {},
    dropped: [],
    reply: undefined,
    digest: undefined,
    result: undefined,
  }
}

const NOT_DECODED = Object.freeze({}) as HookEvent
