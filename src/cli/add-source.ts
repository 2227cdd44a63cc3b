/** Brings the hooks that `add` was asked for into a folder that can be looked at. Nothing of them is executed. */

import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { CrosshookError, messageOf } from '../spec/errors.ts'
import { didYouMean } from '../spec/nearest.ts'
import { VERSION } from '../version.ts'
import { GALLERY_SETS, galleryFolder, galleryNames } from './gallery.ts'

export interface Fetched {
  kind: 'gallery' | 'folder' | 'git' | 'npm'
  folder: string
  version?: string
  commit?: string
  /** Removes what was fetched. */
  remove(): void
}

const GIT = /^(?:(?:https?|ssh|git|file):\/\/|[\w.-]+@[\w.-]+:)|\.git(?:#|$)/
const NPM = /^npm:((?:@[\w.-]+\/)?[\w.-]+(?:@[\w.^~+-]+)?)$/

export async function fetchSource(source: string, env: NodeJS.ProcessEnv): Promise<Fetched> {
  if (galleryNames().includes(source))
    return { kind: 'gallery', folder: join(galleryFolder(), source), version: VERSION, remove() {} }
  if (GIT.test(source)) return inScratch((scratch) => clone(source, scratch, env))
  const name = NPM.exec(source)?.[1]
  if (name !== undefined) return inScratch((scratch) => pack(name, scratch, env))
  const folder = resolve(source)
  if (/[/.]/.test(source) && statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    return { kind: 'folder', folder, remove() {} }
  throw new CrosshookError(
    'not_found',
    `"${source}" is no hook of the gallery and no folder.${didYouMean(source, [...GALLERY_SETS, ...galleryNames()])}`,
    {
      fix: `Give a name of the gallery, a folder (./x), a git address (https://…/x.git#ref) or a package (npm:${/^[\w.@/-]+$/.test(source) ? source : 'name'}). The gallery has: ${[...GALLERY_SETS, ...galleryNames()].join(', ')}.`,
    },
  )
}

type Found = Omit<Fetched, 'remove'>

async function inScratch(work: (scratch: string) => Promise<Found>): Promise<Fetched> {
  const scratch = mkdtempSync(join(tmpdir(), 'crosshook-add-'))
  const remove = () => rmSync(scratch, { recursive: true, force: true })
  try {
    return { ...(await work(scratch)), remove }
  } catch (error) {
    remove()
    throw error
  }
}

/** `ADDRESS#REF`: one commit, without its history, submodules or hooks. */
async function clone(source: string, scratch: string, env: NodeJS.ProcessEnv): Promise<Found> {
  const [address, ref = 'HEAD'] = source.split('#') as [string, string?]
  if (ref.startsWith('-')) throw new CrosshookError('usage', `"${ref}" cannot be a ref`)
  const folder = join(scratch, 'clone')
  mkdirSync(folder)
  const git = (...args: string[]) =>
    start(
      'git',
      ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false', '-C', folder, ...args],
      source,
      {
        ...env,
        GIT_TERMINAL_PROMPT: '0',
        GIT_ALLOW_PROTOCOL: 'https:http:ssh:git:file',
      },
    )
  await git('init', '-q', '--template=')
  await git('fetch', '-q', '--depth', '1', '--no-tags', '--no-recurse-submodules', '--', address, ref)
  await git('checkout', '-q', '--detach', 'FETCH_HEAD')
  const commit = (await git('rev-parse', 'HEAD')).trim()
  rmSync(join(folder, '.git'), { recursive: true, force: true })
  return { kind: 'git', folder, commit }
}

/** The tarball of the registry, unpacked; no script of the package runs. */
async function pack(name: string, scratch: string, env: NodeJS.ProcessEnv): Promise<Found> {
  await start(
    'npm',
    ['pack', '--ignore-scripts', '--silent', '--pack-destination', scratch, '--', name],
    name,
    env,
    scratch,
  )
  const tarball = readdirSync(scratch).find((file) => file.endsWith('.tgz'))
  if (tarball === undefined) throw new CrosshookError('bad_source', `npm gave no package for ${name}`)
  const folder = join(scratch, 'package-files')
  mkdirSync(folder)
  await start('tar', ['-xzf', join(scratch, tarball), '-C', folder, '--strip-components=1'], name, env)
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
  return { kind: 'npm', folder, version }
}

async function start(
  program: string,
  args: string[],
  what: string,
  env: NodeJS.ProcessEnv,
  cwd?: string,
): Promise<string> {
  try {
    const options = {
      env,
      timeout: 120_000,
      ...(cwd === undefined ? {} : { cwd }),
    }
    return (await promisify(execFile)(program, args, options)).stdout
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string }
    const said = stderr.trim().split('\n').at(-1) || messageOf(error)
    throw new CrosshookError('bad_source', `${what}: ${program} could not bring it: ${said}`, {
      fix: `Check the address, and that ${program} can reach it.`,
      cause: error,
    })
  }
}

/** Where in a repository or package hooks usually are: itself, `hooks` or `.agents/hooks`. */
export function hooksFolderIn(folder: string): string {
  const hasHooks = (at: string) =>
    existsSync(join(at, 'HOOK.md')) ||
    (existsSync(at) && readdirSync(at).some((name) => existsSync(join(at, name, 'HOOK.md'))))
  return ['.', 'hooks', '.agents/hooks'].map((path) => join(folder, path)).find(hasHooks) ?? folder
}
