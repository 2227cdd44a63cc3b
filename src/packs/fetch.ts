/** Resolves a word given by a person to files, from any kind of source, and what is expected of them. */

import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { CrosshookError } from '../spec/errors.ts'
import { chooseVersion, type VersionRecord } from './description.ts'
import { readFolder } from './files.ts'
import { tokenOf } from './index-fetch.ts'
import type { IndexStore, KnownIndex } from './index-store.ts'
import type { Origin } from './lock-file.ts'
import { type Listed, lookUp, parseNamed } from './named.ts'
import { choose } from './pack.ts'
import { fetchGit, parseGit } from './sources/git.ts'
import { fetchNpm, parseNpm } from './sources/npm.ts'
import type { Fetched, Surroundings } from './sources/pack-source.ts'
import { fetchArchive, fetchWeb, isYanked, parseWeb } from './sources/web.ts'
import type { Expectations } from './trusted-signer.ts'

export interface Brought extends Fetched {
  expect: Expectations
  /** What an index says about it. */
  listed?: { name: string; version: string; record: VersionRecord }
  level?: string
}

/** Undefined when the word is neither a URL nor a folder, and no index knows it. */
export async function fetchWord(
  word: string,
  around: Surroundings,
  indexes: IndexStore,
): Promise<Brought | undefined> {
  const revoked = indexes.list().flatMap((index) => index.revoked)
  const plain = async (work: Promise<Fetched>) => expecting(await work, { revoked })
  const web = parseWeb(word)
  if (web) return plain(fetchWeb(web, around))
  const npm = parseNpm(word)
  if (npm) return plain(fetchNpm(npm, around))
  const git = parseGit(word)
  if (git) return plain(fetchGit(git, around, word))
  const folder = /[/.]/.test(word) && statSync(resolve(word), { throwIfNoEntry: false })?.isDirectory()
  const named = parseNamed(word)
  const found = named ? lookUp(named.name, indexes) : undefined
  if (folder && found)
    throw new CrosshookError(
      'usage',
      `"${word}" is a folder here and a pack of the index ${found.index.name}`,
      {
        fix: `Write ./${word} for the folder.`,
      },
    )
  if (folder) return plain(Promise.resolve(fromFolder(word)))
  if (!named || !found) return undefined
  const version = chooseVersion(found.record, named.range)
  const brought = await fetchListed(found, version, around, indexes)
  return { ...brought, ...(named.level === undefined ? {} : { level: named.level }) }
}

export function expecting(fetched: Fetched, expect: Expectations): Brought {
  return { ...fetched, expect: { ...expect, builder: fetched.provenance?.signer } }
}

export function fromFolder(path: string): Fetched {
  return { files: readFolder(resolve(path), choose), origin: { type: 'folder', path }, root: path }
}

export async function fetchListed(
  { index, record }: Listed,
  version: string,
  around: Surroundings,
  indexes: IndexStore,
  mayBeYanked = false,
): Promise<Brought> {
  const row = record.versions[version]!
  if (row.yanked !== undefined && !mayBeYanked) throw isYanked(record.name, version, row.yanked)
  const fetched = await fetchPlace(row, index, around)
  const revoked = indexes.list().flatMap((each) => each.revoked)
  return {
    ...expecting(fetched, { keys: record.keys, revoked }),
    published: row.published,
    listed: { name: record.name, version, record: row },
    ...(record.renamed_to === undefined
      ? {}
      : {
          notes: [...(fetched.notes ?? []), `${record.name} is published as ${record.renamed_to} now.`],
        }),
  }
}

async function fetchPlace(
  { from }: VersionRecord,
  index: KnownIndex,
  around: Surroundings,
): Promise<Fetched> {
  if (from.type === 'git') {
    const found = await fetchGit({ url: checkedGit(from.url), ref: from.commit }, around)
    return { ...found, origin: { type: 'git', url: from.url, commit: from.commit, ref: from.ref } }
  }
  if (from.type === 'npm') {
    const expected = from.integrity === undefined ? {} : { integrity: from.integrity }
    return fetchNpm({ name: from.name, range: from.version }, around, expected)
  }
  around.progress?.(`fetching ${from.url}`)
  const bases = [index.url, ...index.mirrors].map((base) => (base.endsWith('/') ? base : `${base}/`))
  const urls = [...new Set(bases.map((base) => new URL(from.url, base).href))]
  const isOwn = new URL(urls[0]!).origin === new URL(index.url).origin
  const token = isOwn ? tokenOf(index, around.env) : undefined
  const found = await fetchArchive(urls, around, { expected: from, access: { token, ca: index.ca } })
  return { ...found, origin: { ...(found.origin as Extract<Origin, { type: 'web' }>), index: index.name } }
}

/**
 * An index may only name a remote repository: nothing on this machine, and nothing that git could take for an option.
 */
function checkedGit(url: string): string {
  const request = parseGit(url)
  if (!request || /^file:/.test(request.url))
    throw new CrosshookError(
      'refused',
      `the index names ${JSON.stringify(url)}, from which nothing is fetched`,
    )
  return request.url
}

/** Exactly the bytes that a lock file records. */
export async function fetchOrigin(
  origin: Origin,
  around: Surroundings,
  indexes: IndexStore,
): Promise<Fetched> {
  switch (origin.type) {
    case 'git':
      return fetchGit({ url: parseGit(origin.url)?.url ?? origin.url, ref: origin.commit }, around)
    case 'npm':
      return fetchNpm({ name: origin.name, range: origin.version }, around, origin)
    case 'folder':
      return fromFolder(origin.path)
    case 'web': {
      const index = indexes.list().find(({ name }) => name === origin.index)
      const access = index ? { token: tokenOf(index, around.env), ca: index.ca } : {}
      const mirrors = index
        ? [...index.mirrors].map((base) => new URL(relativeTo(origin.url, index.url), base).href)
        : []
      return fetchArchive([origin.url, ...mirrors], around, { expected: origin, access })
    }
  }
}

function relativeTo(url: string, base: string): string {
  return url.startsWith(base) ? url.slice(base.length) : url
}
