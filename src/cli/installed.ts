/** What was added to a folder of hooks, grouped by pack or, without one, by source. */

import { type Lock, type LockedPack, readLock } from '../packs/lock-file.ts'
import type { Installed } from '../packs/newer.ts'
import { parseGit } from '../packs/sources/git.ts'
import { parseNpm } from '../packs/sources/npm.ts'
import { CrosshookError } from '../spec/errors.ts'
import { didYouMean } from '../spec/nearest.ts'
import { galleryNames } from './gallery.ts'

export interface Group {
  /** Name of the pack, else its source. */
  name: string
  /** Names of the hooks here. */
  hooks: string[]
  pack?: LockedPack
  isGallery: boolean
  installed: Installed
}

export function groupsIn(base: string, wanted: readonly string[] = [], lock: Lock = readLock(base)): Group[] {
  const all = [...packs(lock), ...others(lock)]
  if (wanted.length === 0) return all
  return wanted.map((word) => {
    const found = all.find(({ name, hooks }) => name === word || hooks.includes(word))
    if (found) return found
    const names = all.flatMap(({ name, hooks }) => [name, ...hooks])
    throw new CrosshookError('not_found', `"${word}" was not added here.${didYouMean(word, names)}`, {
      fix: 'crosshook outdated lists what was added.',
    })
  })
}

function packs({ hooks, packs: all }: Lock): Group[] {
  return Object.entries(all).map(([name, pack]) => ({
    name,
    hooks: Object.keys(hooks).filter((hook) => hooks[hook]!.pack === name),
    pack,
    isGallery: false,
    installed: { source: pack.source, version: pack.version, from: pack.from, content: pack.content },
  }))
}

function others({ hooks }: Lock): Group[] {
  const own = Object.entries(hooks).filter(([, locked]) => locked.pack === undefined)
  const gallery = new Set(galleryNames())
  return [...Map.groupBy(own, ([, { source }]) => source)].map(([source, rows]) => {
    const { version, commit } = rows[0]![1]
    const git = gallery.has(source) ? undefined : parseGit(source)
    const npm = parseNpm(source)
    return {
      name: source,
      hooks: rows.map(([name]) => name),
      isGallery: gallery.has(source),
      installed: {
        source,
        ...(version === undefined ? {} : { version }),
        from:
          git && commit !== undefined
            ? { type: 'git', url: git.url, commit, ref: git.ref }
            : npm
              ? { type: 'npm', name: npm.name, version: version ?? 'latest' }
              : { type: 'folder', path: source },
      },
    }
  })
}
