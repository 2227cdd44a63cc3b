/** Which hooks of a pack are taken, under which names, and whether there is room for them. */

import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { gt } from 'semver'
import { hookEditor } from '../config/edit-hook.ts'
import { paths } from '../config/paths.ts'
import { HOOK_FOLDER } from '../dialects/lib/changing.ts'
import type { Brought } from '../packs/fetch.ts'
import type { PackFile } from '../packs/files.ts'
import { folderDigest, type Lock } from '../packs/lock-file.ts'
import type { Pack } from '../packs/pack.ts'
import { CrosshookError } from '../spec/errors.ts'
import type { Hook } from '../spec/hook.ts'
import { didYouMean } from '../spec/nearest.ts'
import { hooksIn } from './hooks-in.ts'
import { hooksNamed } from './named-hooks.ts'
import { shortPath } from './problem-words.ts'

export interface Chosen {
  /** Its name here and its name in the pack. */
  name: string
  original: string
  hook: Hook
  files: PackFile[]
  rights: string[]
}

export interface Choice {
  source: string
  level?: string | undefined
  only: readonly string[]
  rename: readonly string[]
}

export async function chooseHooks(pack: Pack, { source, level, only, rename }: Choice): Promise<Chosen[]> {
  const names = pack.hooks.map(({ hook }) => hook)
  const levels = pack.manifest?.levels ?? {}
  if (level !== undefined && !Object.hasOwn(levels, level))
    throw new CrosshookError(
      'not_found',
      `${source} has no level "${level}".${didYouMean(level, Object.keys(levels))}`,
      {
        fix: `Levels are: ${Object.keys(levels).join(', ') || 'none'}.`,
      },
    )
  const wanted = [...(level === undefined ? [] : levels[level]!), ...only]
  const hooks =
    wanted.length === 0
      ? names
      : wanted.flatMap((name) => hooksNamed(name, names, `hook in ${source} called`))
  const others = new Map(rename.map((pair) => renamePair(pair, names, source)))
  const chosen: Chosen[] = []
  for (const hook of new Set(hooks)) {
    const { files, rights } = pack.hooks.find((each) => each.hook === hook)!
    const name = others.get(hook.name) ?? hook.name
    const own = name === hook.name ? files : await renamed(files, name)
    chosen.push({ name: checkName(name), original: hook.name, hook, files: own, rights })
  }
  return chosen
}

function renamePair(pair: string, hooks: readonly Hook[], source: string): [string, string] {
  const [from, to, ...more] = pair.split('=')
  if (!from || !to || more.length > 0)
    throw new CrosshookError('usage', `--rename ${pair}: OLD=NEW is expected`)
  hooksNamed(from, hooks, `hook in ${source} called`)
  return [from, to]
}

/** Its HOOK.md gets the new name and is otherwise unchanged. */
async function renamed(files: readonly PackFile[], name: string): Promise<PackFile[]> {
  const { editFields } = await hookEditor()
  return files.map((file) =>
    file.path === 'HOOK.md'
      ? {
          ...file,
          bytes: Buffer.from(editFields(file.bytes.toString('utf8'), [{ path: ['name'], value: name }])),
        }
      : file,
  )
}

/** A name becomes a folder name. */
function checkName(name: string): string {
  if (HOOK_FOLDER.test(name)) return name
  throw new CrosshookError('refused', `${JSON.stringify(name)} cannot be the name of a folder`, {
    fix: 'Use letters, digits, hyphens and underscores.',
  })
}

export interface Where {
  base: string
  lock: Lock
  pack: string | undefined
  env: NodeJS.ProcessEnv
  scope: 'user' | 'project'
}

/** Overwrites no file of a person, uses no managed hook's name, and gives no two hooks one name. */
export async function checkPlaces(
  chosen: readonly Chosen[],
  { base, lock, pack, env }: Where,
): Promise<void> {
  const managed = await hooksIn(paths(env).managedHooks)
  const here = await hooksIn(base)
  const folders = existsSync(base) ? readdirSync(base) : []
  for (const { name } of chosen) {
    if (managed.has(name))
      throw new CrosshookError('refused', `a managed hook of this machine is called ${name}`, {
        fix: `Nothing was written. Leave it out, or give it another name: --rename ${name}=OTHER`,
      })
    const owner = lock.hooks[name]?.pack
    if (lock.hooks[name] && owner !== pack)
      throw new CrosshookError(
        'exists',
        `${name} is there already, from ${owner ?? lock.hooks[name].source}`,
        {
          fix: `Nothing was written. Give it another name (--rename ${name}=OTHER), leave it out (--only), or \`crosshook remove ${name}\` first.`,
        },
      )
    const twin = folders.find((folder) => folder !== name && folder.toLowerCase() === name.toLowerCase())
    const dir = here.get(name)?.origin.dir ?? (twin === undefined ? undefined : join(base, twin))
    if (dir !== undefined && dir !== join(base, name))
      throw new CrosshookError('exists', `a hook called ${name} is there already: ${shortPath(dir)}`, {
        fix: `Nothing was written. Give one of them another name: --rename ${name}=OTHER`,
      })
    refuseOverwriting(name, join(base, name), lock)
  }
}

/** A hook that was added before and not edited since may be replaced: that is an update. */
function refuseOverwriting(name: string, target: string, lock: Lock): void {
  if (!existsSync(target)) return
  const pinned = lock.hooks[name]
  if (pinned && pinned.digest === folderDigest(target)) return
  throw new CrosshookError(
    'exists',
    `${shortPath(target)} is there already${pinned ? ', and was changed since it was added' : ''}`,
    { fix: `Look at it, then \`crosshook remove ${name}\`.` },
  )
}

/** It must match the index, and be neither older than the installed one nor the same version with other bytes. */
export function checkVersion(
  pack: Pack,
  { listed, origin }: Pick<Brought, 'listed' | 'origin'>,
  lock: Lock,
  mayGoBack: boolean,
): void {
  const { manifest } = pack
  const refuse = (why: string, fix = 'Nothing was written. Tell whoever published it.') => {
    throw new CrosshookError('refused', why, { fix })
  }
  if (listed) {
    if (manifest?.name !== listed.name)
      refuse(`the index lists ${listed.name}, and the pack calls itself ${manifest?.name ?? 'nothing'}`)
    if (manifest?.version !== listed.version)
      refuse(`the index lists version ${listed.version}, and the pack says ${manifest?.version}`)
    if (pack.content !== listed.record.content)
      refuse(`${listed.name} ${listed.version} has other bytes than the index lists`)
  }
  const before = manifest ? lock.packs[manifest.name] : undefined
  if (!manifest || !before) return
  // A local folder is exempt: its owner edits it.
  if (before.version === manifest.version && before.content !== pack.content && origin.type !== 'folder')
    refuse(
      `${manifest.name} ${manifest.version} has other bytes than when it was added`,
      'Nothing was written. A version never changes: somebody has moved its tag or replaced it. Ask its author.',
    )
  if (gt(before.version, manifest.version) && !mayGoBack)
    refuse(
      `${manifest.name} ${before.version} is here, and this is the older ${manifest.version}`,
      'Nothing was written. If you want to go back, say --downgrade.',
    )
}
