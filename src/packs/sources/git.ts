/** Packs in git, through the user's own `git`: objects are read from a bare repository, nothing is checked out. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gt, valid } from 'semver'
import { CrosshookError } from '../../spec/errors.ts'
import { MAX_BYTES, MAX_FILES, type PackFile, shown, tooLarge, wrongPath } from '../files.ts'
import { choose } from '../pack.ts'
import { start } from './fetching-program.ts'
import type { Fetched, Surroundings } from './pack-source.ts'

const ADDRESS = /^(?:git\+)?(?:(?:https?|ssh|git|file):\/\/|[\w.-]+@[\w.-]+:)/
const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/

export interface GitRequest {
  url: string
  ref: string
}

/** `ADDRESS[#REF]`. Other kinds of addresses could start programs, and words that begin with `-` could be options. */
export function parseGit(source: string): GitRequest | undefined {
  const looksLike = ADDRESS.test(source) || /\.git(?:#|$)/.test(source)
  if (!looksLike) return undefined
  const [address, ref = 'HEAD', ...more] = source.split('#') as [string, string?, ...string[]]
  const url = address.replace(/^git\+/, '')
  if (!ADDRESS.test(url) || more.length > 0)
    throw new CrosshookError('usage', `"${source}" is no address that git may be given`, {
      fix: 'Use https://, ssh://, git:// or file://, or user@host:path; then #ref.',
    })
  const host = /^(?:\w+:\/\/)?(?:[^/@]*@)?([^/:]*)/.exec(url)?.[1] ?? ''
  if (/[\u0000-\u0020]/.test(url) || host.startsWith('-') || /@-/.test(url))
    throw new CrosshookError('usage', `"${source}" is no address that git may be given`)
  if (!/^[\w./@+-]+$/.test(ref) || ref.startsWith('-') || ref.includes('..') || ref.includes('@{'))
    throw new CrosshookError('usage', `"${ref}" cannot be a ref`, {
      fix: 'Name a branch, a tag or a commit.',
    })
  return { url, ref }
}

/** `ref` may be a branch, a tag or a commit; the last two must be on a branch of the repository. */
export async function fetchGit({ url, ref }: GitRequest, around: Surroundings, what = url): Promise<Fetched> {
  return inRepository(url, around, what, async (git) => {
    const commit = await fetchRef(git, url, ref)
    if (ref !== 'HEAD' && !(await isBranch(git, url, ref, commit))) await refuseImpostor(git, url, commit)
    const published = text(await git('show', '-s', '--format=%cI', commit))
    return {
      files: await readTree(git, commit, what),
      origin: { type: 'git', url, commit, ref },
      published: new Date(published).toISOString(),
    }
  })
}

/** One commit without its history; some servers give a commit by its hash only as part of a branch. */
async function fetchRef(git: Git, url: string, ref: string): Promise<string> {
  const fetch = ['fetch', '-q', '--no-tags', '--no-recurse-submodules']
  try {
    await git(...fetch, '--depth', '1', '--', url, ref)
    return text(await git('rev-parse', '--verify', '--end-of-options', 'FETCH_HEAD^{commit}'))
  } catch (error) {
    if (!COMMIT.test(ref)) throw error
    await git(...fetch, '--', url, '+refs/heads/*:refs/heads/*')
    return git('rev-parse', '--verify', '--end-of-options', `${ref}^{commit}`).then(text, () => {
      throw error
    })
  }
}

/** Tags that are versions, newest first, with the commit that each stands for. */
export async function gitVersions(
  url: string,
  around: Surroundings,
): Promise<{ version: string; ref: string; commit: string }[]> {
  return inRepository(url, around, url, async (git) => {
    const lines = text(await git('ls-remote', '-q', '--tags', '--', url)).split('\n')
    const commits = new Map<string, string>()
    for (const line of lines) {
      const [commit, name] = line.split('\t')
      const tag = /^refs\/tags\/([\w./@+-]+?)(\^\{\})?$/.exec(name ?? '')
      // The line with ^{} names the commit of an annotated tag, and comes after the tag's own.
      if (tag && COMMIT.test(commit ?? '')) commits.set(tag[1]!, commit!)
    }
    return [...commits]
      .flatMap(([ref, commit]) => {
        const version = valid(/^v?(\d.*)$/.exec(ref)?.[1] ?? null)
        return version === null ? [] : [{ version, ref, commit }]
      })
      .sort((a, b) => (gt(a.version, b.version) ? -1 : 1))
  })
}

/** The commit that a ref stands for now; undefined where there is no such ref. */
export async function gitRef(url: string, ref: string, around: Surroundings): Promise<string | undefined> {
  return inRepository(url, around, url, async (git) => {
    const found = text(
      await git(
        'ls-remote',
        '-q',
        '--',
        url,
        ref === 'HEAD' ? 'HEAD' : `refs/heads/${ref}`,
        `refs/tags/${ref}`,
        `refs/tags/${ref}^{}`,
      ),
    )
    return found.split('\n').at(-1)?.split('\t')[0] || undefined
  })
}

type Git = (...args: string[]) => Promise<Buffer>

/** In a scratch folder, without hooks, templates, prompts and helpers of the system's or user's configuration. */
async function inRepository<T>(
  url: string,
  { env, progress }: Surroundings,
  what: string,
  work: (git: Git & { input(text: string, ...args: string[]): Promise<Buffer> }) => Promise<T>,
): Promise<T> {
  const scratch = mkdtempSync(join(tmpdir(), 'crosshook-git-'))
  const own = Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^GIT_(?!SSH|SSL|HTTP_PROXY)/.test(name)),
  )
  const call = (args: readonly string[], input?: string) =>
    start({
      program: 'git',
      args: [
        ...['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false'],
        ...['-c', 'protocol.ext.allow=never', '-c', 'gc.auto=0', '-c', 'fetch.recurseSubmodules=false'],
        ...['-C', scratch, ...args],
      ],
      what,
      env: {
        ...own,
        GIT_DIR: scratch,
        GIT_TERMINAL_PROMPT: '0',
        GIT_ALLOW_PROTOCOL: 'https:http:ssh:git:file',
        GIT_LFS_SKIP_SMUDGE: '1',
        LC_ALL: 'C',
      },
      ...(input === undefined ? {} : { input }),
    })
  const git = Object.assign((...args: string[]) => call(args), {
    input: (given: string, ...args: string[]) => call(args, given),
  })
  try {
    progress?.(`fetching ${url}`)
    await git('init', '-q', '--bare', '--template=')
    return await work(git)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** Is it the current commit of a branch of this name? A tag may have the same name. */
async function isBranch(git: Git, url: string, ref: string, commit: string): Promise<boolean> {
  if (COMMIT.test(ref)) return false
  const found = text(await git('ls-remote', '-q', '--', url, `refs/heads/${ref}`))
  return found.split('\n').includes(`${commit}\trefs/heads/${ref}`)
}

/**
 * Forges store the commits of a repository and all its forks in one place, so that anybody's commit can be fetched by
 * its hash, or tagged, "from" a repository that never had it.
 */
async function refuseImpostor(git: Git, url: string, commit: string): Promise<void> {
  await git(
    ...['fetch', '-q', '--no-tags', '--no-recurse-submodules', '--filter=tree:0', '--unshallow', '--', url],
    '+refs/heads/*:refs/heads/*',
  ).catch(() =>
    // A repository of one commit is not shallow.
    git(
      'fetch',
      '-q',
      '--no-tags',
      '--no-recurse-submodules',
      '--filter=tree:0',
      '--',
      url,
      '+refs/heads/*:refs/heads/*',
    ),
  )
  const branches = text(await git('for-each-ref', '--contains', commit, '--count=1', 'refs/heads'))
  if (branches !== '') return
  throw new CrosshookError('refused', `commit ${commit.slice(0, 12)} is on no branch of ${url}`, {
    fix: 'Nothing was written. It may come from a copy of the repository that somebody else owns. Name a tag or commit that is on a branch.',
  })
}

/**
 * The files of the commit that belong to hooks, read as objects: no filter, attribute or link of the repository is
 * applied.
 */
async function readTree(
  git: Git & { input(text: string, ...args: string[]): Promise<Buffer> },
  commit: string,
  what: string,
): Promise<PackFile[]> {
  const rows = (await git('ls-tree', '-r', '-z', '-l', '--full-tree', commit))
    .toString('utf8')
    .split('\0')
    .filter((line) => line !== '')
    .map((line) => {
      const [, mode, type, id, size, path] = /^(\d+) (\w+) ([0-9a-f]+) +(\S+)\t(.*)$/s.exec(line) ?? []
      return { mode: mode!, type: type!, id: id!, size: Number(size), path: path! }
    })
  const { isChosen } = choose(rows.map(({ path }) => path))
  const chosen = rows.filter(({ path }) => isChosen(path))
  let total = 0
  for (const { mode, type, size, path } of chosen) {
    const wrong = wrongPath(path)
    if (type !== 'blob' || (mode !== '100644' && mode !== '100755'))
      throw new CrosshookError(
        'refused',
        `${shown(path)} is a link or a special file, which cannot be added`,
        {
          fix: 'Hooks consist of plain files.',
        },
      )
    if (wrong !== undefined)
      throw new CrosshookError('refused', `${what}: ${shown(path)} is refused: ${wrong}`)
    total += size
    if (total > MAX_BYTES || chosen.length > MAX_FILES) throw tooLarge(what)
  }
  const batch = await git.input(chosen.map(({ id }) => `${id}\n`).join(''), 'cat-file', '--batch')
  let at = 0
  return chosen.map(({ mode, path, size }) => {
    const start = batch.indexOf(0x0a, at) + 1
    at = start + size + 1
    return { path, bytes: Buffer.from(batch.subarray(start, start + size)), executable: mode === '100755' }
  })
}

function text(bytes: Buffer): string {
  return bytes.toString('utf8').trim()
}
