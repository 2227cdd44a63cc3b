/** What `update` would do to one pack: the newest version that is old enough, and everything that changes with it. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Changes } from '../packs/change.ts'
import type { Brought } from '../packs/fetch.ts'
import { contentDigest, type PackFile, readFolder } from '../packs/files.ts'
import { folderDigest, type Lock } from '../packs/lock-file.ts'
import type { Newer } from '../packs/newer.ts'
import { openPack, type Pack } from '../packs/pack.ts'
import { type RightsDiff, rightsDiff, rightsOf } from '../packs/rights.ts'
import type { KeyRing } from '../packs/trusted-keys.ts'
import { judge, type Verdict } from '../packs/trusted-signer.ts'
import { CrosshookError } from '../spec/errors.ts'
import { lockedPack } from './add.ts'
import { type Chosen, checkPlaces, checkVersion, chooseHooks } from './add-checks.ts'
import { hooksIn } from './hooks-in.ts'
import type { Group } from './installed.ts'

export interface Plan {
  group: Group
  version: string
  published?: string
  verdict?: Verdict
  pack: Pack
  before: Record<string, PackFile[]>
  after: Record<string, PackFile[]>
  rights: RightsDiff[]
  changes: Changes
}

export interface Held {
  version: string
  published: string
}

export interface PlanOptions {
  base: string
  lock: Lock
  ring: KeyRing
  env: NodeJS.ProcessEnv
  scope: 'user' | 'project'
  cooldownDays: number
  now?: number
}

const DAY_MS = 24 * 60 * 60 * 1000
/** Most versions, newest first, that are checked for one that is old enough. */
const MAX_CANDIDATES = 15

export async function planUpdate(
  group: Group,
  newer: Newer,
  options: PlanOptions,
): Promise<{ plan?: Plan; held?: Held }> {
  const { cooldownDays, now = Date.now() } = options
  let held: Held | undefined
  for (const candidate of newer.candidates.slice(0, MAX_CANDIDATES)) {
    const isYoung = (published: string | undefined) =>
      published !== undefined && now - Date.parse(published) < cooldownDays * DAY_MS
    if (isYoung(candidate.published)) {
      held ??= { version: candidate.version, published: candidate.published! }
      continue
    }
    const brought = await candidate.fetch()
    const published = candidate.published ?? brought.published
    if (isYoung(published)) {
      held ??= { version: candidate.version, published: published! }
      continue
    }
    const plan = await planWith(group, brought, { ...options, version: candidate.version, published })
    if (!group.pack && isSame(plan)) return {}
    return { plan, ...(held ? { held } : {}) }
  }
  return held ? { held } : {}
}

function isSame({ before, after }: Plan): boolean {
  const all = (hooks: Record<string, PackFile[]>) =>
    Object.entries(hooks)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, files]) => `${name} ${contentDigest(files)}`)
  return all(before).join() === all(after).join()
}

export async function planWith(
  group: Group,
  brought: Brought,
  {
    base,
    lock,
    ring,
    env,
    scope,
    version,
    published,
  }: PlanOptions & { version: string; published?: string | undefined },
): Promise<Plan> {
  const pack = await openPack(brought.files, group.name, brought.root)
  const [error] = pack.problems.filter(({ level }) => level === 'error')
  if (error)
    throw new CrosshookError(
      'invalid_hooks',
      `${group.name} ${version} does not load: ${error.file}: ${error.message}`,
      {
        fix: 'What is here stays. Tell its author.',
      },
    )
  if (group.pack && pack.manifest?.name !== group.name)
    throw new CrosshookError(
      'refused',
      `${group.installed.source} calls itself ${pack.manifest?.name ?? 'nothing'} now, and was ${group.name}`,
      {
        fix: `What is here stays. If that is right: crosshook remove ${group.name}, then add the new one.`,
      },
    )
  refuseChanged(group, base, lock)
  const verdict = group.isGallery
    ? undefined
    : judge(pack, ring, { ...brought.expect, locked: group.pack?.signer })
  checkVersion(pack, brought, lock, false)
  const chosen = await chosenAgain(group, pack, lock)
  await checkPlaces(chosen, { base, lock, pack: pack.manifest?.name, env, scope })
  const gone = group.hooks.filter((name) => !chosen.some((each) => each.name === name))
  const before = Object.fromEntries(group.hooks.map((name) => [name, readFolder(join(base, name))]))
  const current = await hooksIn(base)
  const was = Object.fromEntries(
    group.hooks.flatMap((name) => (current.has(name) ? [[name, rightsOf(current.get(name)!)]] : [])),
  )
  const will = Object.fromEntries(chosen.map(({ name, rights }) => [name, rights]))
  const isPack = pack.manifest !== undefined
  return {
    group,
    version: pack.manifest?.version ?? version,
    ...(published === undefined ? {} : { published }),
    ...(verdict ? { verdict } : {}),
    pack,
    before,
    after: Object.fromEntries(chosen.map(({ name, files }) => [name, files])),
    rights: rightsDiff(was, will),
    changes: {
      put: Object.fromEntries(
        chosen.map((each) => [
          each.name,
          { files: each.files, locked: lockedOf(each, group, pack, brought) },
        ]),
      ),
      take: gone,
      packs: isPack
        ? {
            [group.name]: lockedPack(pack, brought, {
              source: sourceOf(group, brought),
              chosen,
              verdict: verdict!,
            }),
          }
        : {},
    },
  }
}

/** A hook that the person edited is never overwritten. */
function refuseChanged(group: Group, base: string, lock: Lock): void {
  for (const name of group.hooks) {
    const folder = join(base, name)
    if (existsSync(folder) && folderDigest(folder) === lock.hooks[name]!.digest) continue
    throw new CrosshookError(
      'exists',
      `${name} ${existsSync(folder) ? 'was changed since it was added' : 'is gone'}`,
      {
        fix: `Look at it. \`crosshook sync\` brings back what was added; \`crosshook remove ${name}\` takes it away.`,
      },
    )
  }
}

/** The hooks that were taken before, under their given names; all unless some were left out. */
async function chosenAgain(group: Group, pack: Pack, lock: Lock): Promise<Chosen[]> {
  const originals = new Map(group.hooks.map((name) => [lock.hooks[name]!.renamed ?? name, name]))
  const there = new Set(pack.hooks.map(({ hook }) => hook.name))
  const only =
    group.pack && group.pack.only === undefined ? [] : [...originals.keys()].filter((name) => there.has(name))
  const rename = [...originals]
    .filter(([from, to]) => from !== to && there.has(from))
    .map(([from, to]) => `${from}=${to}`)
  if (only.length === 0 && !(group.pack && group.pack.only === undefined))
    throw new CrosshookError('refused', `${group.name} does not hold ${group.hooks.join(', ')} any more`, {
      fix: 'What is here stays. Remove it if you do not want it.',
    })
  return chooseHooks(pack, { source: group.name, only, rename })
}

function lockedOf({ name, original }: Chosen, group: Group, pack: Pack, brought: Brought) {
  const { origin } = brought
  const version = pack.manifest?.version ?? brought.version
  return {
    source: sourceOf(group, brought),
    ...(version === undefined ? {} : { version }),
    ...(origin.type === 'git' ? { commit: origin.commit } : {}),
    ...(pack.manifest ? { pack: pack.manifest.name } : {}),
    ...(original === name ? {} : { renamed: original }),
  }
}

/** A source that names a tag gets the new tag. */
function sourceOf(group: Group, { origin }: Brought): string {
  const { source } = group.installed
  if (origin.type !== 'git' || !source.includes('#')) return source
  return `${source.split('#')[0]}#${origin.ref}`
}
