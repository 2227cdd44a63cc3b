/** What a tool call does, in terms that are the same for every tool. */

export const DOES = [
  'read',
  'write',
  'delete',
  'run',
  'connect',
  'send',
  'install',
  'publish',
  'escalate',
  'kill',
  'rewrite_history',
  'discard_work',
  'change_guards',
  'reveal_secret',
  'unknown',
] as const

export type Does = (typeof DOES)[number]

/** Kinds of places that a guard can name. The first group follows from a path, the second from a program's row. */
export const PLACES = [
  /** Inside the folder of the event, outside of it, below the home folder. */
  'project',
  'outside',
  'home',
  /** The top folder itself: `/`, the home folder, the project, a drive. */
  'root',
  'system',
  'device',
  'temp',
  'secret',
  /** The files that decide which hooks run. */
  'guard',
  /** What version control keeps: `.git`. */
  'vcs',
  /** What runs by itself later: shell profiles, cron, systemd units, git hooks. */
  'startup',
  /** The path cannot be determined from the call. */
  'unknown',

  'database',
  'cloud',
  'container',
  'cluster',
  /** Packages of a registry, releases, repositories of a forge. */
  'registry',
  /** The text came over the network: `curl … | sh`. */
  'remote',
  /** The text that is run was decoded or decrypted, or hidden in another way: `base64 -d | sh`. A host: it seems to be another. */
  'decoded',
  /** A secret in the text of the call itself. */
  'text',
  /** The machine itself: a service, a unit, a scheduled job, a firewall. */
  'machine',
  /** The environment of the process, with the secrets in it. */
  'environment',
] as const

export type Place = (typeof PLACES)[number]

export interface Act {
  does: Does
  /** Absolute, links followed; as written when it cannot be resolved. */
  path?: string
  /** As written, where that differs. */
  spelled?: string
  host?: string
  /** Base name of the program that does it; absent for tools that start none. */
  program?: string
  /** The words of that command, joined by one space. */
  command?: string
  /** False: a guess. */
  certain: boolean
  why?: string
  /** What the command was wrapped in, outermost first: `sudo`, `bash -c`, `ssh example.org`. */
  through?: string[]
  places?: Place[]
  /** Everything below the path as well. */
  recursive?: boolean
  /** With `unknown`: the call was too long or too deep to be followed to its end, so it may do more than is listed. */
  incomplete?: boolean
}

/** True if a pattern holds and no pattern with a leading `!` does. With exclusions only, everything else matches. */
export function matchesOne(patterns: readonly string[], test: (pattern: string) => boolean): boolean {
  const wanted = patterns.filter((pattern) => !pattern.startsWith('!'))
  if (patterns.some((pattern) => pattern.startsWith('!') && test(pattern.slice(1)))) return false
  return wanted.length === 0 || wanted.some(test)
}
