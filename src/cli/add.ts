/** `crosshook add SOURCE…`: reviews, places and pins hooks of the gallery, an index, a folder, git, npm or the web. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { change } from '../packs/change.ts'
import { type Brought, fetchWord } from '../packs/fetch.ts'
import { readFolder } from '../packs/files.ts'
import { type IndexStore, openIndexes } from '../packs/index-store.ts'
import { type LockedPack, readLock } from '../packs/lock-file.ts'
import { openPack, type Pack } from '../packs/pack.ts'
import type { Surroundings } from '../packs/sources/pack-source.ts'
import { openKeyRing } from '../packs/trusted-keys.ts'
import { judge, type Verdict } from '../packs/trusted-signer.ts'
import { CrosshookError } from '../spec/errors.ts'
import { didYouMean } from '../spec/nearest.ts'
import { VERSION } from '../version.ts'
import { agree } from './add-agree.ts'
import { type Chosen, checkPlaces, checkVersion, chooseHooks } from './add-checks.ts'
import { GALLERY_SETS, galleryFolder, galleryNames, takeFromGallery } from './gallery.ts'
import type { Arguments } from './options.ts'
import { hooksFolder, surroundings } from './pack-places.ts'
import { painter } from './paint.ts'
import { plural, print, printJson, warn } from './print.ts'
import { problemWords, shortPath } from './problem-words.ts'
import { visible } from './visible.ts'

interface Added {
  name: string
  source: string
  version?: string
  commit?: string
  pack?: string
  digest: string
  /** Who signed it, or that nobody did; left out for the gallery, which ships with the program. */
  signed?: string
  folder: string
  runs: string
  goes_with: string[]
}

export async function run(args: Arguments): Promise<number> {
  if (args.words.length === 0)
    throw new CrosshookError('usage', 'what is to be added?', {
      fix: 'For example: crosshook add guards',
    })
  const base = hooksFolder(args)
  const { sources, notes } = await takeFromGallery(args.words)
  if (!args.flag('json')) for (const note of notes) print(`${note}\n`)
  const { around, done } = surroundings(args)
  const added: Added[] = []
  try {
    const indexes = openIndexes(around)
    if (sources.some((source) => !galleryNames().includes(source)))
      for (const note of await indexes.refresh()) warn(note)
    // Fetched together, added one after another.
    const fetched = sources.map((source) => bring(source, around, indexes))
    for (const each of fetched) each.catch(() => {}) // reported when its turn comes
    for (const [at, source] of sources.entries()) {
      const brought = await fetched[at]!
      done()
      for (const note of brought.notes ?? []) warn(note)
      added.push(...(await addFrom(brought, source, { base, args, around })))
    }
  } finally {
    done()
    // Even when a later source fails: what was added must be reported.
    if (!args.flag('json') && added.length > 0) print(nextSteps(added, args.flag('project')))
  }
  if (args.flag('json')) printJson(added)
  return 0
}

type Taken = Brought & { isGallery?: true }

async function bring(source: string, around: Surroundings, indexes: IndexStore): Promise<Taken> {
  if (galleryNames().includes(source)) {
    const path = join(galleryFolder(), source)
    return {
      files: readFolder(path),
      origin: { type: 'folder', path },
      version: VERSION,
      expect: {},
      isGallery: true,
    }
  }
  const found = await fetchWord(source, around, indexes)
  if (found) return found
  const names = [...GALLERY_SETS, ...galleryNames()]
  throw new CrosshookError(
    'not_found',
    `"${source}" is no hook of the gallery${indexes.list().length > 0 ? ', no pack of your indexes' : ''} and no folder.${didYouMean(source, names)}`,
    {
      fix: `Give a name of the gallery, a folder (./x), a git address (https://…/x.git#ref) or a package (npm:${/^[\w.@/-]+$/.test(source) ? source : 'name'}). The gallery has: ${names.join(', ')}.`,
    },
  )
}

interface Setting {
  base: string
  args: Arguments
  around: Surroundings
}

async function addFrom(brought: Taken, source: string, { base, args, around }: Setting): Promise<Added[]> {
  const pack = await openPack(brought.files, source, brought.root)
  refuseInvalid(pack, source, args)
  const lock = readLock(base)
  const ring = openKeyRing(around.stateDir)
  const verdict = brought.isGallery
    ? undefined
    : judge(pack, ring, { ...brought.expect, locked: lock.packs[pack.manifest?.name ?? '']?.signer })
  checkVersion(pack, brought, lock, args.flag('downgrade'))
  const chosen = await chooseHooks(pack, {
    source,
    level: brought.level,
    only: args.values('only'),
    rename: args.values('rename'),
  })
  await checkPlaces(chosen, {
    base,
    lock,
    pack: pack.manifest?.name,
    env: args.env,
    scope: args.flag('project') ? 'project' : 'user',
  })
  // The gallery ships with the program itself.
  if (!brought.isGallery)
    await agree({ chosen, pack, verdict: verdict!, provenance: brought.provenance }, args)
  const packName = pack.manifest?.name
  const version = pack.manifest?.version ?? brought.version
  const { origin } = brought
  const gone =
    packName === undefined
      ? []
      : Object.keys(lock.hooks).filter(
          (name) => lock.hooks[name]!.pack === packName && !chosen.some((each) => each.name === name),
        )
  await change(base, {
    put: Object.fromEntries(
      chosen.map(({ name, files, original }) => [
        name,
        {
          files,
          locked: {
            source,
            ...(version === undefined ? {} : { version }),
            ...(origin.type === 'git' ? { commit: origin.commit } : {}),
            ...(packName === undefined ? {} : { pack: packName }),
            ...(original === name ? {} : { renamed: original }),
          },
        },
      ]),
    ),
    take: gone,
    packs:
      packName === undefined
        ? {}
        : { [packName]: lockedPack(pack, brought, { source, chosen, verdict: verdict! }) },
  })
  if (packName !== undefined && verdict?.signer !== undefined) ring.pin(packName, verdict.signer)
  const after = readLock(base)
  return chosen.map(({ name, hook }) => ({
    name,
    ...after.hooks[name]!,
    ...(verdict ? { signed: verdict.how } : {}),
    folder: join(base, name),
    runs: hook.run.type,
    goes_with: companions(hook.metadata, base),
  }))
}

export function lockedPack(
  pack: Pack,
  brought: Pick<Brought, 'origin' | 'published'>,
  { source, chosen, verdict }: { source: string; chosen: readonly Chosen[]; verdict: Verdict },
): LockedPack {
  const { version, settings } = pack.manifest!
  const isPart = chosen.length < pack.hooks.length
  return {
    source,
    version,
    content: pack.content,
    from: brought.origin,
    ...(brought.published === undefined ? {} : { published: brought.published }),
    ...(verdict.signer === undefined ? {} : { signer: verdict.signer }),
    ...(isPart ? { only: chosen.map(({ original }) => original).sort() } : {}),
    ...(settings === undefined ? {} : { settings: settings as LockedPack['settings'] & object }),
    rights: Object.fromEntries(chosen.map(({ name, rights }) => [name, rights])),
  }
}

/** When a hook of a pack does not validate, nothing of the pack is added. */
export function refuseInvalid(pack: Pack, source: string, args: Arguments): void {
  const errors = pack.problems.filter(({ level }) => level === 'error')
  if (errors.length === 0) return
  const paint = painter(2)
  if (!args.flag('json')) print(errors.map((problem) => problemWords(problem, paint)).join(''))
  throw new CrosshookError(
    'invalid_hooks',
    `${source} has ${plural(errors.length, 'error')}; nothing was added`,
    { fix: 'Fix it at its source.' },
  )
}

/** Hooks that its author recommends and that are not installed. */
function companions(metadata: Record<string, unknown> | undefined, base: string): string[] {
  const names = Array.isArray(metadata?.goes_with) ? metadata.goes_with.map(String) : []
  return names.filter((name) => !existsSync(join(base, name)))
}

function nextSteps(added: readonly Added[], isProject: boolean): string {
  const paint = painter(1)
  const names = added.map(({ name }) => name)
  const missing = new Set(
    added.flatMap(({ goes_with: others }) => others).filter((name) => !names.includes(name)),
  )
  const [only, ...more] = names
  const [it, its, name] = more.length === 0 ? ['it', 'its', ` ${only}`] : ['them', 'their', '']
  const steps = [
    [`crosshook test${name}`, `runs ${its} cases`],
    ...(isProject ? [[`crosshook trust${name}`, `lets ${it} run in this project`]] : []),
    ['crosshook install', `lets your agents use ${it}`],
  ] as const
  const width = Math.max(...steps.map(([command]) => command.length)) + 2
  return [
    ...added.map(
      ({ name, folder, signed }) =>
        `${paint.green('added')} ${visible(name)} in ${shortPath(folder)}${signed === 'unsigned' ? paint.yellow(' (unsigned)') : ''}`,
    ),
    ...(missing.size > 0
      ? [`${more.length === 0 ? 'It goes' : 'They go'} well with: ${[...missing].map(visible).join(', ')}`]
      : []),
    '',
    ...steps.map(([command, what]) => `  ${paint.bold(command.padEnd(width))}${what}`),
    '',
  ].join('\n')
}
