/** What is known about the machine of a call. */

import { lstatSync, readdirSync, realpathSync, type Stats, statSync } from 'node:fs'
import { homedir, userInfo } from 'node:os'
import { readText } from '../spec/read-file.ts'

export interface World {
  /** The folder of the event: the project. */
  workDir: string
  home: string
  /** What `~` and `$HOME` mean to the agent's own processes, where that is another folder. */
  agentHome?: string
  user: string
  platform: NodeJS.Platform
  /** Variables of the agent's environment whose values may stand in a path. */
  variables: Readonly<Record<string, string>>
  /** Null: nothing is looked up. */
  disk: Disk | null
  /** crosshook's own program file and folders. */
  own: readonly string[]
}

export interface Disk {
  realpath(path: string): string | undefined
  entries(path: string): readonly string[]
  stat(path: string): Stats | undefined
  isFolder(path: string): boolean
  /** Undefined when it is no plain file, or a longer one. */
  text(path: string, maxBytes: number): string | undefined
}

/** Values of the environment that a path may be made of. None of them is a secret. */
const NAMES =
  'HOME USER LOGNAME PATH SHELL TMPDIR XDG_CONFIG_HOME XDG_STATE_HOME XDG_CACHE_HOME XDG_DATA_HOME XDG_RUNTIME_DIR APPDATA LOCALAPPDATA USERPROFILE'.split(
    ' ',
  )

/** An installed entry says where crosshook's files are; what the agent has instead comes under this name (relay/entry.h). */
const AGENTS_OWN = 'CROSSHOOK_AGENT_'

export function thisWorld(
  workDir: string,
  env: NodeJS.ProcessEnv = {},
  own: readonly string[] = ownFolders(),
): World {
  const home = env.HOME || env.USERPROFILE || homedir()
  const agentHome = env[`${AGENTS_OWN}HOME`]
  const variables: Record<string, string> = {
    HOME: home,
    SHELL: '/bin/sh',
    PATH: '/usr/local/bin:/usr/bin:/bin',
    TMPDIR: '/tmp',
  }
  for (const name of NAMES) {
    const value = env[AGENTS_OWN + name] || env[name]
    if (value) variables[name] = value
  }
  return {
    workDir,
    home,
    ...(agentHome ? { agentHome } : {}),
    get user() {
      return variables.USER ?? userName()
    },
    platform: process.platform,
    variables,
    disk,
    own,
  }
}

/** The folder of the program that runs here, when it is crosshook's own. */
function ownFolders(): string[] {
  const found = /^(.*)\/cli\/[\w.-]+\.c?js$/.exec(process.argv[1]?.replaceAll('\\', '/') ?? '')
  return found && /\/dist$|\/crosshook\//.test(found[1]!) ? [found[1]!] : []
}

/** Read once: the system looks it up in a file. */
let knownUser: string | undefined

function userName(): string {
  try {
    knownUser ??= userInfo().username
  } catch {
    // A user without an entry in the system's list of users.
    knownUser = ''
  }
  return knownUser
}

/** Any disk access may fail; the path is then used as written. */
const disk: Disk = {
  // Asked first: an error takes many times as long as to look, and most paths of a call are not there yet. Not by
  // `existsSync`: it asks for the user alone, without the right of a managed resident to look into closed folders.
  realpath: (path) =>
    quietly(() => (statSync(path, { throwIfNoEntry: false }) ? realpathSync.native(path) : undefined)),
  entries: (path) => quietly(() => readdirSync(path)) ?? [],
  stat: (path) => quietly(() => statSync(path, { throwIfNoEntry: false })),
  isFolder: (path) => quietly(() => lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) ?? false,
  text: (path, maxBytes) => quietly(() => readText(path, maxBytes)),
}

function quietly<T>(look: () => T): T | undefined {
  try {
    return look()
  } catch {
    return undefined
  }
}
