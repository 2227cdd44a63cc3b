/** `crosshook outdated`: what is newer than what was added, held back, yanked, moved or gone. Changes nothing. */

import { join } from 'node:path'
import { paths } from '../config/paths.ts'
import { readSettings } from '../config/settings.ts'
import { finishChange } from '../packs/change.ts'
import { readFolder } from '../packs/files.ts'
import type { IndexStore } from '../packs/index-store.ts'
import { openIndexes } from '../packs/index-store.ts'
import { folderDigest, readLock } from '../packs/lock-file.ts'
import { findNewer, type Newer } from '../packs/newer.ts'
import type { Surroundings } from '../packs/sources/pack-source.ts'
import { openKeyRing } from '../packs/trusted-keys.ts'
import { reasonAgainst } from '../packs/trusted-signer.ts'
import { CrosshookError } from '../spec/errors.ts'
import { VERSION } from '../version.ts'
import { galleryFolder } from './gallery.ts'
import { type Group, groupsIn } from './installed.ts'
import type { Arguments } from './options.ts'
import { hooksFolder, surroundings } from './pack-places.ts'
import { painter } from './paint.ts'
import { print, printJson, warn } from './print.ts'
import { columns } from './table.ts'
import { type Held, type Plan, planUpdate } from './update-plan.ts'
import { visible } from './visible.ts'

export interface Looked {
  group: Group
  newer?: Newer
  plan?: Plan
  held?: Held
  /** Why the key that signed the installed version is no longer trusted. */
  revoked?: string
  /** Why the newer version must not be taken. */
  error?: string
}

export async function run(args: Arguments): Promise<number> {
  const base = hooksFolder(args)
  await finishChange(base)
  const { around, done } = surroundings(args)
  const looked = await lookAll(base, { args, around, indexes: openIndexes(around) })
  done()
  return show(looked, args)
}

/** Fails when something is outdated. */
export function show(looked: readonly Looked[], args: Arguments): number {
  const rows = looked.map((each) => ({
    name: each.group.name,
    version: each.group.installed.version ?? null,
    signed: each.group.isGallery || each.group.pack?.signer !== undefined,
    newest: each.plan?.version ?? null,
    note: stateWords(each) ?? null,
  }))
  const isOutdated = looked.some(needsAttention)
  if (args.flag('json')) printJson({ ok: !isOutdated, packs: rows })
  else if (rows.length === 0) print('Nothing was added here.\n')
  else {
    const paint = painter(1)
    print(
      columns(
        rows.map(({ name, version, signed, newest, note }) => [
          paint.bold(visible(name)),
          signed ? (version ?? '') : `${version ?? ''} ${paint.yellow('unsigned')}`.trim(),
          newest === null
            ? note === null
              ? paint.green('is the newest')
              : ''
            : paint.yellow(`→ ${visible(newest)}`),
          visible(note ?? ''),
        ]),
      ),
    )
  }
  return isOutdated ? 1 : 0
}

/** Frozen or held back is fine. */
function needsAttention({ plan, newer, error, revoked }: Looked): boolean {
  const { yanked, renamed, gone, unreachable, moved } = newer ?? {}
  return (
    plan !== undefined ||
    [error, revoked, yanked, renamed, gone, unreachable, moved].some((why) => why !== undefined)
  )
}

const COOLDOWN_DAYS = 3

export async function lookAll(
  base: string,
  { args, around, indexes }: { args: Arguments; around: Surroundings; indexes: IndexStore },
): Promise<Looked[]> {
  const where = paths(args.env)
  const { settings } = await readSettings([where.settings, where.managedSettings], where.home)
  const given = args.value('cooldown')
  const cooldownDays = given === undefined ? (settings.updates.cooldown_days ?? COOLDOWN_DAYS) : Number(given)
  if (!(cooldownDays >= 0))
    throw new CrosshookError('usage', `--cooldown ${given}: a number of days is expected`)
  const lock = readLock(base)
  const groups = groupsIn(base, args.words, lock)
  if (groups.some(({ isGallery }) => !isGallery)) for (const note of await indexes.refresh()) warn(note)
  const ring = openKeyRing(around.stateDir)
  const scope = args.flag('project') ? ('project' as const) : ('user' as const)
  const found: Looked[] = []
  const revokedKeys = indexes.list().flatMap((index) => index.revoked)
  for (const group of groups) {
    const against =
      group.pack?.signer === undefined ? undefined : reasonAgainst(group.pack.signer, ring, revokedKeys)
    const revoked = against === undefined ? {} : { revoked: against }
    if (group.pack?.frozen) {
      found.push({ group, ...revoked })
      continue
    }
    const newer = group.isGallery
      ? fromGallery(group, base, lock.hooks)
      : await findNewer(group.installed, around, indexes)
    try {
      if (newer.moved !== undefined) found.push({ group, newer, ...revoked })
      else
        found.push({
          group,
          newer,
          ...revoked,
          ...(await planUpdate(group, newer, { base, lock, ring, env: args.env, scope, cooldownDays })),
        })
    } catch (error) {
      if (!(error instanceof CrosshookError)) throw error
      found.push({ group, newer, ...revoked, error: `${error.message}. ${error.fix}` })
    }
  }
  return found
}

/**
 * A hook of the gallery is newer when this crosshook has another one of that name. No cooldown: it ships with the
 * program.
 */
function fromGallery({ name }: Group, _base: string, hooks: Record<string, { digest: string }>): Newer {
  const path = join(galleryFolder(), name)
  if (hooks[name] === undefined || folderDigest(path) === hooks[name].digest) return { candidates: [] }
  const fetch = async () => ({
    files: readFolder(path),
    origin: { type: 'folder' as const, path },
    version: VERSION,
    expect: {},
  })
  return { candidates: [{ version: VERSION, fetch }] }
}

/** A note beside a newer version; undefined when there is none. */
export function stateWords({ group, newer, held, error, revoked }: Looked): string | undefined {
  const words = [
    ...(group.pack?.frozen ? ['frozen: update leaves it as it is'] : []),
    ...(newer?.moved === undefined ? [] : [`REFUSED: ${newer.moved}; a version never changes`]),
    ...(error === undefined ? [] : [`REFUSED: ${error}`]),
    ...(revoked === undefined
      ? []
      : [`the key that signed it was REVOKED: ${revoked}; look at it, or remove it`]),
    ...(newer?.yanked === undefined ? [] : [`the version that is here was YANKED: ${newer.yanked}`]),
    ...(newer?.renamed === undefined
      ? []
      : [
          `it is published as ${newer.renamed} now: crosshook remove ${group.name} && crosshook add ${newer.renamed}`,
        ]),
    ...(newer?.gone === undefined ? [] : [`gone upstream (${newer.gone}); what is here stays`]),
    ...(newer?.unreachable === undefined ? [] : [`could not be asked: ${newer.unreachable}`]),
    ...(held === undefined ? [] : [`${held.version} is too young: published ${held.published.slice(0, 10)}`]),
  ]
  return words.length === 0 ? undefined : words.join('; ')
}
