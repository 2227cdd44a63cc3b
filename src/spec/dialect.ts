/**
 * A dialect describes one agent or hook format: decoding and encoding for the agent that calls us and for hooks written
 * in that format, and the format of its files.
 */

import type { HookEvent } from './event.ts'
import type { HookInput, RawResult } from './executor.ts'
import type { History } from './history.ts'
import type { Hook, Loaded, Scope } from './hook.ts'
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

/** Where an agent keeps its settings, and how our entries are added and removed. */
export interface Installer {
  /** How to tell that the agent is on this machine: programs on PATH, folders below home. */
  readonly detect: { programs: readonly string[]; folders: readonly string[] }
  /** Settings files, relative to home and to the project; a function, because a variable may move them. */
  files(place: Place): readonly SettingsFile[]
  /**
   * Settings of the whole machine, which only an administrator can write and which no setting of a person or a project
   * takes back. Left out where the agent has none.
   */
  managed?(): readonly SettingsFile[]
  /**
   * It reads hooks of a repository and starts them by a shell or a plugin, so `install --portable` can wire it there.
   * Left out where it does not.
   */
  readonly portable?: PortableWiring
  /** Seconds it waits for our entry of this event; 600 when left out. */
  waitSeconds?(nativeEvent: string): number
  /** Files and folders that change whenever the agent is used: its sessions, its logs. */
  activity?(place: Place): readonly string[]
}

export interface PortableWiring {
  /** The hosted service that runs it with only the repository; wired when no agent is named. */
  readonly hosted?: string
  /** The variable that tells hooks the project's folder. Left out: hooks start in it or below it. */
  readonly root?: string
  /** What it needs besides the files of the repository. */
  readonly note?: string
}

export interface Place {
  home: string
  project: string
  env: NodeJS.ProcessEnv
  level: 'user' | 'project' | 'managed'
}

export interface SettingsFile {
  path: string
  /** False: with these events the file needs no entry of ours. Left out: it always does. */
  isWanted?(command: CommandLine): boolean
  /** Text of the file (undefined: no file) → text with our entries, or without them. */
  add(text: string | undefined, command: CommandLine): string
  remove(text: string): string | undefined
  /** Hook entries found in the text, ours and others'. */
  find(text: string): Entry[]
  /** Needs the person's explicit consent, and why. */
  consent?: string
  mode?: number
  /** Why our entries would not run although they are present: switched off, not trusted… */
  problems?(text: string | undefined, place: Place): readonly EntryProblem[]
}

export interface EntryProblem {
  level: 'error' | 'warning'
  message: string
  fix: string
  /** Also reported elsewhere (hooks that wait for trust, do not load or failed): leave it out where both are shown. */
  also?: 'hooks' | 'dead_letters'
  /** The agent that it is about, if it is not listed under that agent. */
  agent?: string
  /** `drift`: a hook differs from what was added. */
  kind?: 'drift' | 'heartbeat'
}

/** How the installed entry calls us: `line('PreToolUse')` → a shell command. */
export interface CommandLine {
  line(nativeEvent: string): string
  argv(nativeEvent: string): readonly string[]
  /** Does any hook use this event? Left out: entries for every event are wanted. */
  wants?(nativeEvent: string): boolean
  /** For agents that start a program without a shell. Also works where the agent drops the arguments. */
  program?(nativeEvent: string): { command: string; args: readonly string[] }
  /** True where crosshook refuses what it cannot check; an agent with its own setting for failing hooks gets it set. */
  refuses?(nativeEvent: string): boolean
  /** The same call over HTTP, where the agent has such hooks and the person wants them. */
  http?(nativeEvent: string): HttpCall
}

export interface HttpCall {
  url: string
  /** `${NAME}` stands for a variable of the agent's environment. */
  headers: Readonly<Record<string, string>>
  /** The variables that the headers name. */
  variables: readonly string[]
}

export interface Entry {
  event: string
  command: string
  ours: boolean
  matcher?: string
  line?: number
  /** Arguments to call it with, where the command is not a shell line. */
  argv?: readonly string[]
  /** Arguments after the command, where the command is a program without a shell. */
  args?: readonly string[]
  /** Request headers, where the command is a URL. */
  headers?: Readonly<Record<string, string>>
}
