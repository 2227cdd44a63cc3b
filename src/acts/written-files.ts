/** Files that the line itself wrote, fetched, unpacked or linked: what is in them. */

import { atMost, cutShort } from './cut.ts'
import { namesGuardsOfProject } from './guard-places.ts'
import { absolute, normal } from './locate.ts'
import { locatePaths } from './locate-paths.ts'
import { filesOfPatch, stripped } from './patch-files.ts'
import type { ActEffect, Effect } from './program.ts'
import type { Run } from './shell/followed-call.ts'
import type { ShellState } from './shell/state.ts'
import type { Flow, Word } from './word.ts'

/** What an archive holds comes from where the archive came from. Gives the guards that this line packed into it. */
export function unpack(
  run: Run,
  state: ShellState,
  { unpacks, into }: Extract<Effect, { unpacks: Word | null }>,
  input: Flow | null,
): ActEffect[] {
  const archives = unpacks
    ? locatePaths(run, state, unpacks, 'read').map(({ path }) => state.files.get(path))
    : [input]
  const hosts = archives.flatMap((flow) => flow?.hosts ?? [])
  if (hosts.length > 0)
    for (const { path } of locatePaths(run, state, into, 'run'))
      state.files.set(`${path.replace(/\/$/, '')}/`, { hosts })
  const names = archives.flatMap((flow) => flow?.paths ?? []).flatMap(guardsAtEnd)
  return [...new Set(names)].map((name) => ({
    does: 'write',
    path: { ...into, text: `${into.text.replace(/\/$/, '')}/${name}/` },
    certain: false,
    why: 'unpacks files that guard',
  }))
}

/** `.claude` of `/tmp/x/.claude`: what the file may be called in the archive. */
function guardsAtEnd(path: string): string[] {
  const parts = path.split('/')
  const at = parts.findLastIndex(
    (part, index) => part !== '' && namesGuardsOfProject(parts.slice(index).join('/')),
  )
  return at === -1 ? [] : [parts.slice(at).join('/')]
}

const MAX_PATCHED = 500
const MAX_PATCH_BYTES = 4_000_000

/** What a patch changes: one that the line gives, wrote before or finds on the disk. */
export function patchEffects(
  run: Run,
  state: ShellState,
  { patches, into, strips }: Extract<Effect, { patches: Word | null }>,
  input: Flow | null,
): ActEffect[] {
  const texts =
    patches === null || patches.text === '-' || patches.flow
      ? [textOf(run, state, patches?.flow ?? input)]
      : locatePaths(run, state, patches, 'read').map(({ path }) =>
          textOf(run, state, state.files.get(path) ?? { paths: [path] }),
        )
  const files = texts.flatMap((text) => (text === undefined ? [] : filesOfPatch(text)))
  const folder = into.text.replace(/\/+$/, '')
  return atMost(files, MAX_PATCHED, 'files of a patch').flatMap((file) =>
    [...new Set(strips.map((count) => stripped(file, count)))].flatMap((name) =>
      name === undefined
        ? []
        : [
            {
              does: file.does,
              path: { ...into, text: name.startsWith('/') ? name : `${folder}/${name}` },
              why: 'the patch names it',
            },
          ],
    ),
  )
}

function textOf(run: Run, state: ShellState, flow: Flow | null): string | undefined {
  if (flow?.text !== undefined || state.elsewhere !== undefined) return flow?.text
  const texts = flow?.paths?.map((path) => patchOnDisk(run, path)) ?? []
  return texts.length === 0 ? undefined : texts.join('\n')
}

function patchOnDisk({ world: { disk } }: Run, path: string): string {
  const text = disk?.text(path, MAX_PATCH_BYTES)
  if (text === undefined && disk?.stat(path)?.isFile())
    cutShort(`the patch ${path} cannot be read, or is longer than ${MAX_PATCH_BYTES} bytes`)
  return text ?? ''
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
