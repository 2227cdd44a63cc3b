/** An agent's settings files: how our entries are added, found and removed. */

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
