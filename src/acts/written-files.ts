/** Files that the line itself wrote, fetched, unpacked or linked: what is in them. */

import { absolute, normal } from './locate.ts'
import { locatePaths } from './locate-paths.ts'
import type { Effect } from './program.ts'
import type { Run } from './shell/run.ts'
import type { ShellState } from './shell/state.ts'
import type { Flow, Word } from './word.ts'

/** What an archive holds comes from where the archive came from. */
export function unpack(
  run: Run,
  state: ShellState,
  { unpacks, into }: Extract<Effect, { unpacks: Word | null }>,
  input: Flow | null,
): void {
  const archives = unpacks
    ? locatePaths(run, state, unpacks, 'read').map(({ path }) => state.files.get(path))
    : [input]
  const hosts = archives.flatMap((flow) => flow?.hosts ?? [])
  if (hosts.length > 0)
    for (const { path } of locatePaths(run, state, into, 'run'))
      state.files.set(`${path.replace(/\/$/, '')}/`, { hosts })
}

/** What this line wrote to a path, or unpacked there: of what was there before nothing is said. */
export function heldAt(run: Run, state: ShellState, path: string): Flow | undefined {
  const own = state.files.get(path)
  if (own || !path.startsWith('/')) return own
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
    const unpacked = state.files.get(path.slice(0, at + 1))
    if (unpacked) return run.world.disk?.realpath(path) === undefined ? unpacked : undefined
  }
  return undefined
}

export function descriptor(text: string, state: ShellState): Flow | undefined {
  const number = /^\/(?:dev|proc\/self)\/fd\/(\d+)$/.exec(text)?.[1]
  return number === undefined ? undefined : state.descriptors.get(Number(number))
}

/** A link that this line made is not on the disk yet. */
export function throughLinks(run: Run, state: ShellState, path: Word): Word {
  if (state.links.size === 0 || path.unknown) return path
  const raw = absolute(run.world, path.text, state.cwd)
  if (raw === null) return path
  let text = normal(raw)
  for (let hops = 0; hops < 8; hops++) {
    const link = [...state.links.keys()].find((each) => text === each || text.startsWith(`${each}/`))
    if (link === undefined) break
    text = state.links.get(link)! + text.slice(link.length)
  }
  return text === normal(raw) ? path : { ...path, text }
}
