/**
 * A dialect describes one agent or hook format: decoding and encoding for the agent that calls us and for hooks written
 * in that format, and the format of its files.
 */

import type { HookEvent } from './event.ts'
import type { HookInput, RawResult } from './executor.ts'
import type { History } from './history.ts'
import type { Hook, Loaded, Scope } from './hook.ts'
import type { Installer } from './installer.ts'
import type { Effect, Failure, Outcome } from './outcome.ts'
import type { ToolTable } from './tool.ts'

export interface Dialect {
  readonly id: string
  /** As people write it: `Claude Code`. */
  readonly title: string
  /** Its own event names → canonical ones. Several when one native event covers them all. */
  readonly events: Readonly<Record<string, string | readonly string[]>>
  readonly tools: ToolTable
  /** Hooks written in this format. */
  readonly format?: HookFormat
  /** The agent as a caller. */
  readonly agent?: AgentSide
}

/** A file or folder offered to a format. */
export interface Source {
  path: string
  /** Content, when it is a file. */
  text?: string
  /** SHA-256 of the file's bytes, where trust needs it. */
  digest?: string
  scope: Scope
}

export interface HookFormat {
  /** One invalid hook makes the whole file inactive. */
  readonly allOrNothing?: boolean
  /** The setting that makes a hook block when it fails; left out where the format has none. */
  readonly closedBy?: string
  /** Only the exit code of its programs decides; their output is plain text. */
  readonly exitDecides?: boolean
  /** A fixed answer means the same at every event of a type, so it is decoded once. */
  readonly decodesFixedOnce?: boolean
  /** Files of this format below a project and below the home folder, as globs relative to them. */
  readonly files: { project: readonly string[]; user: readonly string[] }
  /** Does the content say that it is this format? 0 no, 1 perhaps, 2 surely. */
  recognises(source: Source): number
  read(source: Source): Loaded | Promise<Loaded>
  /** Canonical event → what this hook expects to be given. `env` is the event's environment. */
  encode(event: HookEvent, hook: Hook, env: NodeJS.ProcessEnv): HookInput
  /** What came back → its meaning, and warnings for a person. */
  decode(raw: RawResult, event: HookEvent, hook: Hook): Decoded
  /** Several answers of this format → the texts the model reads (a wrapper, a heading). */
  wrapContext?(texts: readonly string[], event: HookEvent): string[]
  /** Changes fields of a hook's text and keeps every other byte, where the format is one that people write. */
  readonly editor?: () => Promise<HookEditor>
  /** A settings text with just these entries, for `export`. */
  write?(entries: readonly NativeEntry[]): string | Promise<string>
}

export interface HookEditor {
  /** The fields as data. Throws a CrosshookError that says what is wrong with the text. */
  readFields(text: string): Record<string, unknown>
  /** Throws a CrosshookError where the change cannot be written without touching the rest. */
  editFields(text: string, edits: readonly FieldEdit[]): string
  /** JSON Schema of the fields. */
  schema(): Promise<unknown>
}

export interface FieldEdit {
  /** `['matcher', 'any', 0, 'does']`. */
  path: readonly (string | number)[]
  /** Left out: the field is removed. */
  value?: unknown
}

/** One hook as an entry of an agent's own settings. */
export interface NativeEntry {
  /** The native event. */
  event: string
  /** Native tool names that it is for; all when left out. */
  tools?: readonly string[]
  command: string
  timeout: number
}

export interface Decoded {
  outcome: Outcome | Failure
  warnings?: string[]
}

/** What the agent prints and exits with. */
export interface Reply {
  stdout: string
  stderr: string
  exit_code: number
}

/** What an agent does with each effect on each of its events. An effect that is not listed is not supported. */
export interface Capability {
  /** The canonical event. */
  event: string
  /** Can a deny stop the operation (or, after the fact, be told to the model)? */
  deny: boolean
  effects: readonly Effect[]
  /** A deny after the fact ends the turn, so that the model hears no reason, not even that of an earlier deny. */
  denyEndsTurn?: true
  /** A limit that no reply can work around, for `doctor` and the support table. */
  note?: string
}

export interface AgentSide {
  /** `run` = the real program obeys, proven by the tests on this version; `docs` = by documentation. */
  readonly proven: { by: 'run' | 'docs'; version: string }
  /** The demo includes this agent. */
  readonly isShown?: true
  /** How to tell its process, and what it starts, from a person's. */
  readonly process: AgentProcess
  /** By native event name. */
  readonly capabilities: Readonly<Record<string, Capability>>
  /** Limits of the agent as a whole: no hooks in subagents, not in headless mode… */
  readonly notes?: readonly string[]
  /** Native payload → canonical event. Lenient: unknown fields are kept. */
  decode(native: unknown, hint: { event?: string; env: NodeJS.ProcessEnv; cwd: string }): HookEvent
  /** An outcome that this agent can carry out (see `degrade`) → what it obeys. */
  encode(outcome: Outcome, event: HookEvent): Reply
  /** Is this call a duplicate that another of our entries answers? (Some agents also run another agent's settings.) */
  isForeign?(native: unknown, env: NodeJS.ProcessEnv): boolean
  /**
   * True when it runs without a person (`--print`), so that nobody sees its own dialog. Left out: somebody always does.
   */
  unattended?(run: AgentRun): boolean
  /** How to tell that this agent calls another's entry. */
  readonly caller?: Caller
  /** Hook files of other formats that this agent runs by itself, below home and below the project. */
  readonly alsoRuns?: { user: readonly string[]; project: readonly string[] }
  /** Hooks that it calls over HTTP. A text: it has such hooks, but they cannot be used, and this is why. */
  readonly http?: HttpHooks | string
  /** Not a program on a machine: the servers of a model provider ask a hub. */
  readonly provider?: ProviderHooks
  /** Loaded only by `install`, `uninstall` and `doctor`. */
  readonly install?: () => Promise<Installer>
  /** Canonical events that it does not fire and that crosshook derives from its transcript. */
  readonly derives?: Readonly<Record<string, Derived>>
  /** Its own transcripts; loaded only by commands that read the past. */
  readonly history?: () => Promise<History>
}

export interface Derived {
  /** Native events at which the transcript is looked at, and whose answer carries what hooks say. */
  readonly at: readonly string[]
  /** Does the transcript say how many tokens fit into the context? Else only a person's settings can. */
  readonly limit: boolean
}

export interface ProviderHooks {
  /** Path at which the hub is called: /v1/PATH/TENANT. */
  readonly path: string
  /** One payload per thing to judge in a request; empty when nothing in it needs judging. */
  parts(native: unknown): readonly unknown[]
}

/** How an agent was started, as far as this is known. */
export interface AgentRun {
  /** Command line of its process as the kernel reports it; undefined when unknown. */
  argv: readonly string[] | undefined
  /** The environment of the event. Only a hint, since a project may set it: neither answer weakens a guard. */
  env: NodeJS.ProcessEnv
  native: unknown
}

/** What guards need to know about an agent beside its hook files: `guarded.ts` in its folder. */
export interface Guarded {
  /** Further files that decide which hooks run, below home and below the project. */
  readonly files?: { readonly user?: readonly string[]; readonly project?: readonly string[] }
  /** Files and folders with its credentials, below home; globs. */
  readonly secrets?: readonly string[]
  readonly programs?: Readonly<Record<string, GuardedProgram>>
}

/** The agent's own command line. */
export interface GuardedProgram {
  /** Options with which it runs without its hooks. */
  readonly unguarded?: string
  /** Options with which it runs every tool without asking: `--yolo`, `--mode=yolo`. */
  readonly unasked?: readonly string[]
  /**
   * Options that take a setting, and the beginnings of settings that switch its hooks off: `-c features.hooks=false`.
   */
  readonly settings?: { readonly options: string; readonly begin: readonly string[] }
  /** Variables that choose its settings or switch hooks off, beside those that move its own files. */
  readonly variables?: readonly string[]
  /** Sub-commands that change its hooks, its plugins or the servers it trusts: `mcp add`. */
  readonly changes?: readonly string[]
}

/** How to recognise the agent's process. Both must be seen, because anybody can set a variable. */
export interface AgentProcess {
  /** Names of its programs and scripts and of the packages that contain them, without extensions. */
  readonly names: readonly string[]
  /** Variables that it sets for the commands of its tools: a hint, since anybody may set or unset them. */
  readonly marks: readonly string[]
  /** An editor: people work in terminals that it opens. */
  readonly opensTerminals?: true
}

export interface Caller {
  /** Environment variables that this agent gives to hooks. */
  readonly marks: readonly string[]
  /** Names of its program, or names in the path of its script. */
  readonly programs: readonly string[]
}

/** Which of its events an agent can send to a URL. */
export interface HttpHooks {
  /** Native events that are installed as commands anyway, and why. */
  readonly except: Readonly<Record<string, string>>
  /** What it does when the URL does not answer; `install` tells people. */
  readonly unanswered: string
}
