/** How a hook is run. An executor starts it and reports what came back; it does not interpret. */

import type { HookEvent } from './event.ts'
import type { Hook, Run } from './hook.ts'
import type { Failure } from './outcome.ts'

/** What a format gives a hook to read: stdin or body, environment, or the argument of a function. */
export interface HookInput {
  /** stdin of a process, body of a request. */
  text: string
  /** Argument of a function, when it is not the event. */
  value?: unknown
  env?: Record<string, string>
  headers?: Record<string, string>
}

/** What came back, not interpreted: the hook's own format reads it. */
export interface RawResult {
  /** The hook gives this answer at every event. */
  fixed?: true
  exit_code?: number | null
  signal?: string | null
  stdout?: string
  stderr?: string
  /** stdout was cut at the hook's limit. */
  truncated?: boolean
  stderr_truncated?: boolean
  /** Some bytes of stdout are no UTF-8: what they stood for is lost. */
  garbled?: boolean
  /** What a function, a model or a server answered, already parsed. */
  value?: unknown
  /** HTTP status. */
  status?: number
  /** Its program ran confined. */
  confined?: true
  /** What the answer of a model cost, in US dollars. */
  cost_usd?: number
  /** What a person should know about how it was run. */
  notes?: string[]
}

/** Read its fields, do not spread it: some are created on first access. */
export interface Call<R extends Run = Run> {
  hook: Hook
  run: R
  event: HookEvent
  input: HookInput
  /** Aborted at the time limit or when the caller gives up. Executors then end what they started. */
  signal: AbortSignal
  /** Milliseconds left for this attempt. */
  timeout: number
  attempt: number
  host: Host
}

/** What executors get from the process they run in. */
export interface Host {
  env: NodeJS.ProcessEnv
  /** Dangerous variables (hostile-variables.ts) that hooks inherit all the same. */
  passes?: readonly string[]
  /** The project's folders around a working folder: hooks' programs are never taken from there. */
  projects?(workDir: string): readonly string[]
  /** The folders of crosshook's own sockets. */
  sockets?: readonly string[]
  /** The connection as whose user hooks' programs run; without one, as the user of this process. */
  caller?: number
  /** A folder private to this hook and session; created on demand. */
  stateDir(hook: Hook, sessionId: string): string
  /** Single hosts (`127.0.0.1:8080`) that HTTP hooks may reach although they are not public addresses. */
  allowedHosts: readonly string[]
  /** Named functions for `callback` hooks. */
  callbacks: ReadonlyMap<string, (event: HookEvent, input: unknown) => unknown>
  /** Default model and keys for `prompt` and `agent` hooks, from the settings file. */
  models: Readonly<Record<string, unknown>>
  debug(line: string): void
}

export interface Executor<R extends Run = Run> {
  readonly type: R['type']
  run(call: Call<R>): Promise<RawResult | Failure> | RawResult | Failure
}
