/** What a confined program may do, on any system. Everything that is not listed is refused. */

import { realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path'

export interface Policy {
  /** Read and run what is at or below these paths. */
  read: readonly string[]
  /** Also write there. */
  write: readonly string[]
  /** Exceptions below the paths above. */
  hide: readonly string[]
  /** TCP and UDP, to anywhere. */
  network: boolean
  /** Unix sockets that it may connect to. */
  sockets: readonly string[]
  /** Per process; 0: no limit set by us. */
  memory_mb: number
  /** It cannot leave its process group, so that killing the group ends all of it. */
  stays_in_group: boolean
}

/** What a person writes: paths, and words for folders that differ per event. */
export interface Wish {
  read?: readonly string[]
  write?: readonly string[]
  connect?: readonly string[]
  hide?: readonly string[]
  memory_mb?: number
}

export interface Folders {
  /** Base of relative paths. */
  work: string
  /** What `project` means: the working folder and the root of its repository. */
  project: readonly string[]
  home: string | undefined
  temp: readonly string[]
  /** Where crosshook listens: whoever connects there is taken for the person. */
  own: readonly string[]
}

/** Paths, and the words `project`, `home` and `temp` for folders of the event. */
export function pathsOf(texts: readonly string[] | undefined, folders: Folders): string[] {
  return (texts ?? []).flatMap((text) => {
    if (text === 'project') return folders.project
    if (text === 'temp') return folders.temp
    if (text === 'home') return folders.home ?? []
    if (text === '~' || text.startsWith('~/')) return folders.home ? join(folders.home, text.slice(1)) : []
    return isAbsolute(text) ? text : resolve(folders.work, text)
  })
}

const ANYWHERE = '*'
const SOCKET = 'unix:'

/** Entries of `connect` that cannot be enforced. */
export function hostsIn(connect: readonly string[]): string[] {
  return connect.filter((one) => !one.startsWith(SOCKET) && one !== ANYWHERE)
}

/**
 * All addresses or none: neither Landlock nor Seatbelt can tell hosts apart. Returns a sentence when that is not
 * enough.
 */
export function connections(
  connect: readonly string[] = [],
  folders: Folders,
): Pick<Policy, 'network' | 'sockets'> | string {
  const sockets = connect.filter((one) => one.startsWith(SOCKET))
  const hosts = hostsIn(connect)
  if (hosts.length > 0)
    return `connect can be ["*"] or [], or name Unix sockets ("unix:PATH"): no system confines a program to ${hosts.join(', ')}`
  const paths = pathsOf(
    sockets.map((one) => one.slice(SOCKET.length)),
    folders,
  )
  const forbidden = paths.find((path) =>
    folders.own.some((own) => isWithin(path, own) || isWithin(own, path)),
  )
  if (forbidden !== undefined)
    return `${forbidden} leads to crosshook's own sockets, which nothing confined may reach`
  return { network: connect.includes(ANYWHERE), sockets: paths }
}

function isWithin(path: string, folder: string): boolean {
  const [inner, outer] = [realPath(path), realPath(folder)]
  return inner === outer || inner.startsWith(outer === sep ? sep : outer + sep)
}

/** Resolves the existing part of the path. */
function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    const above = dirname(path)
    return above === path ? path : join(realPath(above), basename(path))
  }
}
