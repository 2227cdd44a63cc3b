/** `crosshook sync`: makes the folder match its lock file byte for byte. `--frozen` only compares. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { paths, projectHooks } from '../config/paths.ts'
import { change, finishChange, type Put } from '../packs/change.ts'
import { fetchOrigin, fetchWord } from '../packs/fetch.ts'
import { readFolder } from '../packs/files.ts'
import { type IndexStore, openIndexes } from '../packs/index-store.ts'
import { folderDigest, LOCK_FILE, type Lock, readLock } from '../packs/lock-file.ts'
import { openPack, type Pack } from '../packs/pack.ts'
import type { Fetched, Surroundings } from '../packs/sources/pack-source.ts'
import { openKeyRing } from '../packs/trusted-keys.ts'
import { judge } from '../packs/trusted-signer.ts'
import { CrosshookError } from '../spec/errors.ts'
import { VERSION } from '../version.ts'
import { chooseHooks } from './add-checks.ts'
import { galleryFolder } from './gallery.ts'
import { type Group, groupsIn } from './installed.ts'
import type { Arguments } from './options.ts'
import { surroundings } from './pack-places.ts'
import { painter } from './paint.ts'
import { plural, print, printJson } from './print.ts'
import { shortPath } from './problem-words.ts'
import { columns } from './table.ts'
import { visible } from './visible.ts'

interface Difference {
  hook: string
  what: 'missing' | 'changed' | 'pack missing'
}

export async function run(args: Arguments): Promise<number> {
  const base = args.flag('user') ? paths(args.env).userHooks : projectHooks(process.cwd())
  const isFrozen = args.flag('frozen')
  if (!isFrozen) await finishChange(base)
  if (!existsSync(join(base, LOCK_FILE)))
    throw new CrosshookError('not_found', `there is no ${shortPath(join(base, LOCK_FILE))}`, {
      fix: 'crosshook add … --project makes it; --user syncs your own hooks.',
    })
  const lock = readLock(base)
  const differences = compare(base, lock)
  if (isFrozen || differences.length === 0) return tell(args, { base, lock, differences, synced: [] })
  const { around, done } = surroundings(args)
  const synced: string[] = []
  try {
    const indexes = openIndexes(around)
    await indexes.refresh()
    const wanted = new Set(differences.map(({ hook }) => hook))
    const put: Record<string, Put> = {}
    for (const group of groupsIn(base, [], lock)) {
      const names = group.hooks.filter((name) => wanted.has(name))
      if (names.length === 0) continue
      const changed = names.filter((name) => existsSync(join(base, name)))
      if (changed.length > 0 && !args.flag('yes'))
        throw new CrosshookError(
          'exists',
          `${changed.join(', ')} ${changed.length === 1 ? 'was' : 'were'} edited, and the changes would be lost`,
          {
            fix: 'To replace what was edited by what the lock file says, say --yes.',
          },
        )
      Object.assign(put, await bring(group, names, lock, { around, indexes }))
    }
    await change(base, { put })
    synced.push(...Object.keys(put))
  } finally {
    done()
  }
  return tell(args, { base, lock, differences: compare(base, readLock(base)), synced })
}

function compare(base: string, { hooks, packs }: Lock): Difference[] {
  const found = Object.entries(hooks).flatMap(([hook, { digest, pack }]): Difference[] => {
    if (pack !== undefined && !packs[pack]) return [{ hook, what: 'pack missing' }]
    const folder = join(base, hook)
    if (!existsSync(folder)) return [{ hook, what: 'missing' }]
    return folderDigest(folder) === digest ? [] : [{ hook, what: 'changed' }]
  })
  return found
}

/** The same bytes as recorded, or an error. */
async function bring(
  group: Group,
  names: readonly string[],
  lock: Lock,
  { around, indexes }: { around: Surroundings; indexes: IndexStore },
): Promise<Record<string, Put>> {
  const { pack, provenance } = await packOf(group, around, indexes)
  if (group.pack) {
    if (pack.content !== group.pack.content)
      throw new CrosshookError('refused', `${group.name} has other bytes than the lock file says`, {
        fix: 'Nothing was written. Its source has changed what it must not, or the lock file was edited.',
      })
    const revoked = indexes.list().flatMap((index) => index.revoked)
    const builder = provenance?.signer
    judge(pack, openKeyRing(around.stateDir), { revoked, builder, locked: group.pack.signer })
  }
  if (group.isGallery) refuseOtherGallery(group, names, lock, pack)
  const originals = new Map(names.map((name) => [lock.hooks[name]!.renamed ?? name, name]))
  const chosen = await chooseHooks(pack, {
    source: group.name,
    only: [...originals.keys()],
    rename: [...originals].filter(([from, to]) => from !== to).map(([from, to]) => `${from}=${to}`),
  })
  return Object.fromEntries(
    chosen.map(({ name, files }) => {
      const { digest, ...locked } = lock.hooks[name]!
      return [name, { files, locked, expected: digest }]
    }),
  )
}

/** The gallery ships with the program: another version may have other hooks. */
function refuseOtherGallery(group: Group, names: readonly string[], lock: Lock, pack: Pack): void {
  const { version, digest } = lock.hooks[names[0]!]!
  if (
    version === VERSION ||
    folderDigest(join(galleryFolder(), group.name)) === digest ||
    pack.hooks.length === 0
  )
    return
  throw new CrosshookError(
    'refused',
    `${group.name} is wanted as it was in crosshook ${version}, and this is ${VERSION}`,
    {
      fix: `Nothing was written. Run npx crosshook@${version} sync, or take the new one: crosshook update ${group.name} --project.`,
    },
  )
}

async function packOf(
  group: Group,
  around: Surroundings,
  indexes: IndexStore,
): Promise<Pick<Fetched, 'provenance'> & { pack: Pack }> {
  const { source, from } = group.installed
  if (group.isGallery) return { pack: await openPack(readFolder(join(galleryFolder(), source)), source) }
  if (group.pack || from.type === 'git' || from.type === 'npm') {
    const fetched = await fetchOrigin(from, around, indexes)
    return { ...fetched, pack: await openPack(fetched.files, group.name) }
  }
  const found = await fetchWord(source, around, indexes)
  if (!found)
    throw new CrosshookError(
      'not_found',
      `${source}, from which ${group.hooks.join(', ')} came, is not there`,
    )
  return { ...found, pack: await openPack(found.files, source) }
}

function tell(
  args: Arguments,
  {
    base,
    lock,
    differences,
    synced,
  }: { base: string; lock: Lock; differences: Difference[]; synced: string[] },
): number {
  const ok = differences.length === 0
  const count = Object.keys(lock.hooks).length
  if (args.flag('json')) printJson({ ok, hooks: count, synced, differences })
  else {
    const paint = painter(1)
    for (const name of synced) print(`${paint.green('synced')} ${visible(name)}\n`)
    if (ok)
      print(
        `${paint.green('✓')} ${plural(count, 'hook is', 'hooks are')} what ${shortPath(join(base, LOCK_FILE))} says\n`,
      )
    else print(columns(differences.map(({ hook, what }) => [paint.red(what), visible(hook)])))
  }
  return ok ? 0 : 1
}
