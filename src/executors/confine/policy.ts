/** What a confined program may do, whichever system enforces it. Whatever is not named is refused. */

import { isAbsolute, join, resolve } from 'node:path'

export interface Policy {
  /** Read and run what is at or below these paths. */
  read: readonly string[]
  /** Also write there. */
  write: readonly string[]
  /** Not these, though a path above says so. */
  hide: readonly string[]
  /** TCP and UDP, to anywhere. */
  network: boolean
  /** Unix sockets that it may connect to. */
  sockets: readonly string[]
  /** Of each process; 0: no limit of ours. */
  memory_mb: number
  /** It cannot leave its process group, so that ending the group ends all of it. */
  stays_in_group: boolean
}

/** What a person writes: paths, and the words for folders that differ from event to event. */
export interface Wish {
  read?: readonly string[]
  write?: readonly string[]
  connect?: readonly string[]
  hide?: readonly string[]
  memory_mb?: number
}

export interface Folders {
  project: string
  home: string | undefined
  temp: string
}

/** Words that stand for a folder of the event. */
export const FOLDER_WORDS = ['project', 'home', 'temp'] as const

export function pathOf(text: string, folders: Folders): string | undefined {
  if ((FOLDER_WORDS as readonly string[]).includes(text))
    return folders[text as (typeof FOLDER_WORDS)[number]]
  if (text === '~' || text.startsWith('~/')) return folders.home && join(folders.home, text.slice(1))
  return isAbsolute(text) ? text : resolve(folders.project, text)
}

export function pathsOf(texts: readonly string[] | undefined, folders: Folders): string[] {
  return (texts ?? []).flatMap((text) => pathOf(text, folders) ?? [])
}

const ANYWHERE = '*'
const SOCKET = 'unix:'

/** Addresses are all or none: neither Landlock nor Seatbelt can tell hosts apart. A sentence when that is not enough. */
export function connections(
  connect: readonly string[] = [],
  folders: Folders,
): Pick<Policy, 'network' | 'sockets'> | string {
  const sockets = connect.filter((one) => one.startsWith(SOCKET))
  const hosts = connect.filter((one) => !one.startsWith(SOCKET) && one !== ANYWHERE)
  if (hosts.length > 0)
    return `connect can be ["*"] or [], or name Unix sockets ("unix:PATH"): no system confines a program to ${hosts.join(', ')}`
  return {
    network: connect.includes(ANYWHERE),
    sockets: pathsOf(
      sockets.map((one) => one.slice(SOCKET.length)),
      folders,
    ),
  }
}
