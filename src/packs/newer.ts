/** Looks for a newer version of what was added, at its source and within the same range. */

import { gt, satisfies, valid, validRange } from 'semver'
import { CrosshookError, messageOf } from '../spec/errors.ts'
import { versionsOf } from './description.ts'
import { type Brought, expecting, fetchListed, fromFolder } from './fetch.ts'
import { isGone } from './fetch-file.ts'
import type { IndexStore } from './index-store.ts'
import type { Origin } from './lock-file.ts'
import { lookUp, parseNamed } from './named.ts'
import { openPack } from './pack.ts'
import { fetchGit, gitRef, gitVersions, parseGit } from './sources/git.ts'
import { fetchNpm, npmVersions, parseNpm } from './sources/npm.ts'
import type { Fetched, Surroundings } from './sources/pack-source.ts'
import { fetchArchive, parseWeb, readRecord } from './sources/web.ts'

export interface Installed {
  /** As it was given to `add`. */
  source: string
  version?: string
  from: Origin
  content?: string
}

/** What is newer, and what else a person must know about the source. */
export interface Newer {
  /** Newest first; those that are too young are held back. */
  candidates: Candidate[]
  /** Why the installed version should not be used. */
  yanked?: string
  /** Another name under which it is published now. */
  renamed?: string
  /** The source no longer exists; the installed version stays. */
  gone?: string
  /** The source could not be reached. */
  unreachable?: string
  /** The installed version has other bytes at its source. */
  moved?: string
}

export interface Candidate {
  version: string
  published?: string
  fetch(): Promise<Brought>
}

export async function findNewer(
  installed: Installed,
  around: Surroundings,
  indexes: IndexStore,
): Promise<Newer> {
  try {
    return await ask(installed, around, indexes)
  } catch (error) {
    if (!(error instanceof CrosshookError)) throw error
    if (isGone(error) || /E404|not found|does not appear to be a git repository/i.test(error.message))
      return { candidates: [], gone: error.message }
    return { candidates: [], unreachable: error.message }
  }
}

async function ask(installed: Installed, around: Surroundings, indexes: IndexStore): Promise<Newer> {
  const { source, from } = installed
  const later: Later = (work) => async () =>
    expecting(await work(), { revoked: indexes.list().flatMap((index) => index.revoked) })
  const web = parseWeb(source)
  if (web) return fromWeb(web, installed, around, later)
  if (from.type === 'npm' && parseNpm(source)) return fromNpm(source, installed, around, later)
  if (from.type === 'git' && parseGit(source)) return fromGit(source, from, installed, around, later)
  const named = parseNamed(source)
  const listed = named ? lookUp(named.name, indexes) : undefined
  if (named && listed) {
    const { record } = listed
    const now = installed.version === undefined ? undefined : record.versions[installed.version]
    return {
      ...(now?.yanked === undefined ? {} : { yanked: now.yanked }),
      ...(record.renamed_to === undefined ? {} : { renamed: record.renamed_to }),
      ...(now && installed.content !== undefined && now.content !== installed.content
        ? { moved: `the index has other bytes for ${record.name} ${installed.version}` }
        : {}),
      candidates: versionsOf(record)
        .filter(
          (version) =>
            record.versions[version]!.yanked === undefined && isNewer(version, installed, named.range),
        )
        .map((version) => ({
          version,
          published: record.versions[version]!.published,
          fetch: () => fetchListed(listed, version, around, indexes),
        })),
    }
  }
  if (from.type === 'folder') return fromLocal(from.path, installed, later)
  return { candidates: [], gone: `no index knows ${named?.name ?? source} any more` }
}

type Later = (work: () => Promise<Fetched>) => () => Promise<Brought>

async function fromWeb(
  { url, range }: { url: string; range?: string },
  installed: Installed,
  around: Surroundings,
  later: Later,
): Promise<Newer> {
  // An archive has only one version.
  if (!url.endsWith('/')) return { candidates: [] }
  const record = await readRecord(url, around)
  const now = record.versions[installed.version ?? '']
  return {
    ...(now?.yanked === undefined ? {} : { yanked: now.yanked }),
    ...(now && installed.content !== undefined && now.content !== installed.content
      ? { moved: `${url} has other bytes for version ${installed.version}` }
      : {}),
    candidates: versionsOf(record).flatMap((version) => {
      const { from, published, yanked } = record.versions[version]!
      if (yanked !== undefined || from.type !== 'archive' || !isNewer(version, installed, range)) return []
      const fetch = later(() => fetchArchive([new URL(from.url, url).href], around, { expected: from }))
      return [{ version, published, fetch }]
    }),
  }
}

async function fromNpm(
  source: string,
  installed: Installed,
  around: Surroundings,
  later: Later,
): Promise<Newer> {
  const { name, range } = parseNpm(source)!
  const { versions, time } = await npmVersions(name, around)
  const wanted = range === 'latest' ? undefined : range
  return {
    candidates: versions
      .filter((version) => isNewer(version, installed, wanted))
      .toSorted((a, b) => (gt(a, b) ? -1 : 1))
      .map((version) => ({
        version,
        ...(time[version] === undefined ? {} : { published: time[version] }),
        fetch: later(() => fetchNpm({ name, range: version }, around)),
      })),
  }
}

async function fromGit(
  source: string,
  from: Extract<Origin, { type: 'git' }>,
  installed: Installed,
  around: Surroundings,
  later: Later,
): Promise<Newer> {
  const { url, ref } = parseGit(source)!
  const versions = await gitVersions(url, around)
  const tag = versions.find((row) => row.ref === ref)
  const isTag = valid(/^v?(\d.*)$/.exec(ref)?.[1] ?? null) !== null
  if (isTag) {
    const current = valid(ref.replace(/^v/, '')) ?? undefined
    const known = { ...installed, version: installed.version ?? current ?? '0.0.0' }
    return {
      ...(tag && tag.commit !== from.commit
        ? { moved: `the tag ${ref} of ${url} stands for another commit now` }
        : {}),
      ...(tag ? {} : { gone: `${url} has no tag ${ref} any more` }),
      candidates: versions
        .filter(({ version }) => isNewer(version, known, undefined))
        .map((row) => ({
          version: row.version,
          fetch: later(() => fetchGit({ url, ref: row.ref }, around)),
        })),
    }
  }
  const commit = /^[0-9a-f]{40,64}$/.test(ref) ? from.commit : await gitRef(url, ref, around)
  if (commit === undefined) return { candidates: [], gone: `${url} has no branch ${ref} any more` }
  if (commit === from.commit) return { candidates: [] }
  return {
    candidates: [{ version: commit.slice(0, 12), fetch: later(() => fetchGit({ url, ref }, around)) }],
  }
}

async function fromLocal(path: string, installed: Installed, later: Later): Promise<Newer> {
  let pack: Awaited<ReturnType<typeof openPack>>
  try {
    pack = await openPack(fromFolder(path).files, path)
  } catch (error) {
    return { candidates: [], gone: messageOf(error) }
  }
  if (pack.content === installed.content) return { candidates: [] }
  const fetch = later(async () => fromFolder(path))
  return { candidates: [{ version: pack.manifest?.version ?? 'as it is now', fetch }] }
}

function isNewer(version: string, { version: now }: Installed, range: string | undefined): boolean {
  if (valid(version) === null || (now !== undefined && valid(now) !== null && !gt(version, now))) return false
  if (range === undefined) return !version.includes('-') || (now?.includes('-') ?? false)
  return validRange(range) !== null && satisfies(version, range)
}
