/** A dialect is two codecs and a file format: an agent that calls us, a hook that was written for it. */

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
  /** What a person writes to have a hook block when it fails; left out where the format has no such setting. */
  readonly closedBy?: string
  /** Only the exit code of its programs decides: whatever they print is text. */
  readonly exitDecides?: boolean
  /** Files of this format below a project and below the home folder, as globs relative to them. */
  readonly files: { project: readonly string[]; user: readonly string[] }
  /** Does the content say that it is this format? 0 no, 1 perhaps, 2 surely. */
  recognises(source: Source): number
  read(source: Source): Loaded | Promise<Loaded>
  /** Canonical event → what this hook expects to be given. `env` is the event's environment. */
  encode(event: HookEvent, hook: Hook, env: NodeJS.ProcessEnv): HookInput
  /** What came back → what it means, and what a person should know of it. */
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
  /** Without a value the field is taken away. */
  value?: unknown
}

/** One hook as an entry of an agent's own settings. */
export interface NativeEntry {
  /** The native event. */
  event: string
  /** Native tool names that it is for; every one when left out. */
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

/** What an agent does with each effect on each of its events. What is not listed it cannot do. */
export interface Capability {
  /** The canonical event. */
  event: string
  /** Can a deny stop (or, for events after the fact, tell)? */
  deny: boolean
  effects: readonly Effect[]
  /** A deny after the fact ends the turn, so that the model hears no reason, not even that of an earlier deny. */
  denyEndsTurn?: true
  /** What no reply can mend, for `doctor` and the support table. */
  note?: string
}

export interface AgentSide {
  /** `run` = the real program obeys, proven by the tests on this version; `docs` = by documentation. */
  readonly proven: { by: 'run' | 'docs'; version: string }
  /** The demo shows what this agent is told. */
  readonly isShown?: true
  /** How its process, and what it starts, can be told from a person's. */
  readonly process: AgentProcess
  /** By native event name. */
  readonly capabilities: Readonly<Record<string, Capability>>
  /** Limits of the agent as a whole: no hooks in subagents, not in headless mode… */
  readonly notes?: readonly string[]
  /** Native payload → canonical event. Lenient: whatever the agent sends, nothing is lost. */
  decode(native: unknown, hint: { event?: string; env: NodeJS.ProcessEnv; cwd: string }): HookEvent
  /** An outcome that this agent can carry out (see `degrade`) → what it obeys. */
  encode(outcome: Outcome, event: HookEvent): Reply
  /** Is this call a copy that another of our entries will answer? (Agents that also run another's settings.) */
  isForeign?(native: unknown, env: NodeJS.ProcessEnv): boolean
  /** Does nobody see its own dialog, because it runs without a person (`--print`)? Left out: somebody always does. */
  unattended?(run: AgentRun): boolean
  /** How to tell that this agent calls another's entry. */
  readonly caller?: Caller
  /** Hook files of other formats that this agent runs by itself, below home and below the project. */
  readonly alsoRuns?: { user: readonly string[]; project: readonly string[] }
  /** Hooks that it calls over HTTP. A text: it has some, and why they are of no use here. */
  readonly http?: HttpHooks | string
  /** It is no program on a machine: the servers of a model's provider ask a hub. */
  readonly provider?: ProviderHooks
  /** Loaded only by `install`, `uninstall` and `doctor`. */
  readonly install?: () => Promise<Installer>
  /** Its own transcripts; loaded only by who looks back. */
  readonly history?: () => Promise<History>
}

export interface ProviderHooks {
  /** Where a hub is asked: /v1/PATH/TENANT. */
  readonly path: string
  /** One request may be about several things: a payload for each. None: nothing in it is to be judged. */
  parts(native: unknown): readonly unknown[]
}

/** How an agent was started, as far as it can be told. */
export interface AgentRun {
  /** Of its process, as the kernel says; undefined when that cannot be told. */
  argv: readonly string[] | undefined
  /** The environment of the event: a hint, since a project may set it. Neither answer is weaker than the other. */
  env: NodeJS.ProcessEnv
  native: unknown
}

/** What guards must know of an agent, beside its hook files: `guarded.ts` in its folder. */
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
  /** Options whose value is a setting, and how settings begin that switch its hooks off: `-c features.hooks=false`. */
  readonly settings?: { readonly options: string; readonly begin: readonly string[] }
  /** Variables that choose its settings or switch hooks off, beside those that its own files are found by. */
  readonly variables?: readonly string[]
  /** Sub-commands that change its hooks, its plugins or the servers it trusts: `mcp add`. */
  readonly changes?: readonly string[]
}

/** Both must be seen: anybody can set a variable. */
export interface AgentProcess {
  /** Its programs, its scripts, and the packages that these lie in, without endings. */
  readonly names: readonly string[]
  /** Variables that it sets for the commands of its tools: a hint, since anybody may set or unset them. */
  readonly marks: readonly string[]
}

export interface Caller {
  /** Environment variables that this agent gives to hooks. */
  readonly marks: readonly string[]
  /** Names of its program, or in the path of the script that it is. */
  readonly programs: readonly string[]
}

/** Which of its events an agent sends to a URL when the person wants that. */
export interface HttpHooks {
  /** Native events that are installed as commands all the same, and why. */
  readonly except: Readonly<Record<string, string>>
  /** What it does when nobody answers: said by `install`. */
  readonly unanswered: string
}

/** Where an agent keeps its settings, and how our entries get in and out of the text. */
export interface Installer {
  /** How to tell that the agent is on this machine: programs on PATH, folders below home. */
  readonly detect: { programs: readonly string[]; folders: readonly string[] }
  /** Settings files, relative to home and to the project. A function where a variable moves them. */
  files(place: Place): readonly SettingsFile[]
  /**
   * Settings of the whole machine, which only an administrator can write and which no setting of a person or a project
   * takes back. Left out where the agent has none.
   */
  managed?(): readonly SettingsFile[]
  /**
   * It reads hooks of a repository, and starts them by a shell or a plugin: `install --portable` can wire it there. Left
   * out where it does not.
   */
  readonly portable?: PortableWiring
  /** How long it waits for our entry of this event; 600 when left out. */
  waitSeconds?(nativeEvent: string): number
  /** Files and folders that are newer whenever the agent was used: its sessions, its logs. */
  activity?(place: Place): readonly string[]
}

export interface PortableWiring {
  /** What runs it where nothing but the repository is: wired when nobody is named. */
  readonly hosted?: string
  /** The variable in which hooks find the project. Left out: they start in it, or in a folder below it. */
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
  /** False: for these events nothing of ours belongs into it. Left out: something always does. */
  isWanted?(command: CommandLine): boolean
  /** Text of the file (undefined: there is none) → text with our entries, or without them. */
  add(text: string | undefined, command: CommandLine): string
  remove(text: string): string | undefined
  /** Hook entries found in the text, ours and others'. */
  find(text: string): Entry[]
  /** Needs the person's explicit consent, and why. */
  consent?: string
  mode?: number
  /** Why our entries would not run although they are there: switched off, not trusted… */
  problems?(text: string | undefined, place: Place): readonly EntryProblem[]
}

export interface EntryProblem {
  level: 'error' | 'warning'
  message: string
  fix: string
  /** Also told elsewhere (hooks that wait for trust, do not load or failed): who shows both leaves it out. */
  also?: 'hooks' | 'dead_letters'
  /** The agent that it is about, where it is not told among that agent's own. */
  agent?: string
  /** A hook is not what was added. */
  kind?: 'drift' | 'heartbeat'
}

/** How the installed entry calls us: `line('PreToolUse')` → a shell command. */
export interface CommandLine {
  line(nativeEvent: string): string
  argv(nativeEvent: string): readonly string[]
  /** Does anybody listen to it? Left out: entries for every event are wanted. */
  wants?(nativeEvent: string): boolean
  /** For agents that start a program without a shell. It also works for those that drop the arguments. */
  program?(nativeEvent: string): { command: string; args: readonly string[] }
  /** What crosshook cannot check is refused: an agent with a setting for hooks that fail is told so, too. */
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
  /** How to call it, where the command is not a line for a shell. */
  argv?: readonly string[]
  /** Where the command is a program, without a shell: what comes after it. */
  args?: readonly string[]
  /** What is sent with it, where the command is a URL. */
  headers?: Readonly<Record<string, string>>
}
