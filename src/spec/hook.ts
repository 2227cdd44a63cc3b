/** A hook as the engine knows it: plain data that can be cached, whatever format it was written in. */

import type { HookEvent } from './event.ts'
import type { Matcher } from './matcher.ts'
import type { Outcome } from './outcome.ts'

/** Who the hook belongs to, strongest first. `source` and `sdk` hooks were named by the caller. */
export const SCOPES = ['managed', 'user', 'project', 'source', 'sdk'] as const
export type Scope = (typeof SCOPES)[number]

/** In place of a shell's name: the shell in the event's environment, or /bin/sh. */
export const USER_SHELL = '$SHELL'

export type Run =
  | { type: 'command'; entry: string } // the hook's folder: scripts/run, run.sh or run.py in it
  | { type: 'command'; command: string; shell: string; args: readonly string[] } // shell, its flags, then the line
  | { type: 'command'; argv: readonly string[] } // no shell
  | { type: 'module'; file: string }
  | { type: 'outcome'; outcome: Outcome }
  | { type: 'callback'; name: string; call?: (event: HookEvent) => unknown }
  | { type: 'http'; url: string; headers?: Record<string, string>; method?: 'POST' }
  | { type: 'prompt'; template: string; system_prompt?: string; model?: ModelChoice }
  | {
      type: 'agent'
      template: string
      system_prompt?: string
      model?: ModelChoice
      tools?: readonly string[]
      max_turns?: number
    }
  | { type: 'remote'; client: string; hook_id: string }

export interface ModelChoice {
  provider?: string
  name?: string
  generation?: Record<string, unknown>
  max_output_tokens?: number
  max_cost_usd?: number
}

/** What a confined hook may do beyond the minimum: paths, or `project`, `home`, `temp`. See executors/confine. */
export interface Sandbox {
  read?: readonly string[]
  write?: readonly string[]
  /** `*`: the network; `unix:PATH`: one socket. */
  connect?: readonly string[]
  /** Variables of the agent's environment that it inherits. */
  env?: readonly string[]
  memory_mb?: number
}

export interface Hook {
  name: string
  /** Id of the dialect that this hook is written in. */
  format: string
  scope: Scope
  /** Its name is its identity: a hook of the same format and name replaces it, or is replaced. */
  unique_name?: boolean
  /** False: a hook of the same name runs beside it; only a managed one replaces it. */
  replaceable?: false
  description?: string
  /** Canonical events, or an agent's own as `agent/Event`. */
  events: readonly string[]
  /** The name of the event in the hook's own format, where it has one. */
  native_event?: string
  matcher: Matcher
  run: Run
  /** Signed distance from its format's default priority: lower runs first. */
  order: number
  /** One after another, stopped by a block; all at once; or started and not awaited. */
  mode: 'sequence' | 'concurrent' | 'background'
  /**
   * In a sequence: neither matched nor reported once the operation is refused; its libraries are loaded at its turn.
   */
  unless_refused?: true
  timeout: number
  /** Does the time limit cover one attempt, or all of them with their pauses? */
  budget: 'attempt' | 'total'
  on_failure: 'open' | 'closed'
  /** For a managed hook: its file does not set `on_failure`. */
  on_failure_unsaid?: true
  /** Its reasons may contain secrets and are redacted before anyone sees them. */
  redact_reasons?: boolean
  /** A closed failure not only blocks the operation but also asks the agent not to go on. */
  failure_stops?: boolean
  retries: number
  /** May its answer stop the operation? If not, a block is only reported. */
  blocks: boolean
  /** How its rewritten input joins an earlier hook's: replaces it, or field by field. */
  input_merge: 'replace' | 'shallow'
  /** Its format reports the rewritten input even of a call that the hook refuses. No agent receives it. */
  reports_refused_input?: true
  output_limit: number
  on_overflow: 'fail' | 'truncate'
  /** Wait for the output to close, not only for the process to end. */
  awaits_output: boolean
  /** What its program leaves running goes on, as the agent of its format has it. Else it is ended with the call. */
  children_stay?: true
  cache?: { seconds: number; key: 'input' | 'hook' }
  after?: readonly string[]
  /** Who may answer when it asks; anybody who may answer at all when left out. */
  approvers?: readonly string[]
  /** How many different people must say yes when it asks; 1 when left out. */
  approvals?: number
  /** Environment for its process, beside the common variables. */
  env?: Record<string, string>
  sandbox?: boolean | Sandbox
  disabled?: boolean
  /** It gets what the agent's transcript says about the session: model, usage, last tools. */
  facts?: true
  /** It runs and is recorded but decides nothing; the report has what it would have decided. */
  shadow?: true
  /** Stands in for a hook that does not load, for this reason: it fails at its events, or is reported as missing. */
  broken?: string
  /** Programs that were pinned when it was trusted: bare name → full path. */
  programs?: Readonly<Record<string, string>>
  /** Where it was defined. `dir` is the folder whose bytes are trusted, if it has one of its own. */
  origin: {
    file: string
    dir?: string
    line?: number
    /** SHA-256 of the file as it was read, for hooks that need trust: what is checked is what was read. */
    digest?: string
  }
  metadata?: Record<string, unknown>
}

/** A problem in a file that a person wrote. A warning does not stop a hook from loading. */
export interface Problem {
  level: 'error' | 'warning'
  file: string
  line?: number
  /** The field, as a path: `matcher.tool`. */
  field?: string
  hook?: string
  message: string
  fix: string
  /** The system could not read it. This may change without a change of any file, so it is never cached. */
  unread?: true
}

/** What a file or folder of hooks contains. */
export interface Loaded {
  hooks: Hook[]
  /** Hooks of a file that is refused as a whole: checked, so that every problem is named at once, but never run. */
  refused?: Hook[]
  /** Stand-ins for hooks that do not load (`Hook.broken`), where the format knows their events. */
  broken?: Hook[]
  problems: Problem[]
  /**
   * The line of a hook's field (`matcher.tool`), if the format knows it; otherwise problems are shown at the hook's
   * line.
   */
  lineOf?: (hook: Hook, field: string) => number | undefined
}

/** Defaults of every format; a dialect states only what differs. */
export const HOOK_DEFAULTS = {
  matcher: {},
  order: 0,
  mode: 'sequence',
  timeout: 30_000,
  budget: 'attempt',
  on_failure: 'open',
  retries: 0,
  blocks: true,
  input_merge: 'replace',
  output_limit: 1024 * 1024,
  on_overflow: 'fail',
  awaits_output: false,
} as const satisfies Partial<Hook>
