/**
 * Trust of project hooks: a cloned repository must not run code. What a person has reviewed is pinned by a digest of
 * every byte, per user, outside the repository; that copy is what runs.
 */

import { chmodSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { findEntryPoint } from '../executors/entry-point.ts'
import { findProgram, safeFolders } from '../executors/safe-path.ts'
import type { Hook } from '../spec/hook.ts'
import { type Failure, failure, isFailure } from '../spec/outcome.ts'
import { type Fingerprints, isCurrent, isRacy } from './fingerprint.ts'
import { changedOutside, type Reach, reachOf } from './outside.ts'
import { repositoryIdentity, repositoryRoot } from './repository.ts'
import { isSealed, readSealed, seal, sealedFolder, unseal } from './seal.ts'
import { bytesDigest, digest, folderOf, look, type Snapshot } from './snapshot.ts'
import { openTrustFile, type TrustRecord } from './trust-records.ts'

export { digest, type Snapshot, snapshot } from './snapshot.ts'

/** `unproven`: it has a record that crosshook did not sign, or whose key is gone. */
export type TrustState = 'trusted' | 'untrusted' | 'changed' | 'unproven'

export interface TrustOptions {
  /** Also for the same bytes at the same place in other clones and worktrees of this repository. */
  everywhere?: boolean
  env?: NodeJS.ProcessEnv
}

export interface TrustStore {
  readonly file: string
  state(hook: Hook): TrustState
  /** Why no record of the file counts, if so. */
  wrong(): string | undefined
  /** The files outside its folder or file that hooks run. Throws when they cannot be pinned. */
  reach(hooks: readonly Hook[]): Reach
  /** Pins the current bytes, for all hooks of one folder or file. */
  trust(hooks: Hook | readonly Hook[], options?: TrustOptions): void
  untrust(hook: Hook): boolean
  /** What was pinned, to compare with the current files. */
  pinned(hook: Hook): Snapshot | undefined
  /** The hook as it was trusted: files of the sealed copy, pinned programs. */
  runnable(hook: Hook, workDir: string): Hook | Failure
}

/** `all`: everything is trusted (CROSSHOOK_TRUST=all, for CI). */
export function openTrust(stateDir: string, all: boolean): TrustStore {
  const store = openTrustFile(stateDir)
  const contents = createContents()
  const recordOf = (hook: Hook): TrustRecord | undefined => {
    const { proven } = store.read()
    return proven.get(placeOf(hook)) ?? elsewhere(hook, [...proven.values()], contents)
  }

  function state(hook: Hook): TrustState {
    if (all) return 'trusted'
    const record = recordOf(hook)
    if (!record) return store.read().unproven.has(placeOf(hook)) ? 'unproven' : 'untrusted'
    return contents.of(hook)?.digest === record.digest ? 'trusted' : 'changed'
  }

  return {
    file: store.file,
    state,
    wrong: () => store.read().wrong,
    reach: (hooks) => reachOfAll(hooks, look(hooks[0]!).bytes),
    trust(given, { everywhere = false, env = {} } = {}) {
      const hooks = Array.isArray(given) ? (given as Hook[]) : [given as Hook]
      const hook = hooks[0]!
      const { bytes } = look(hook)
      const pin = digest(bytes)
      const { files } = reachOfAll(hooks, bytes)
      const programs = Object.assign({}, ...hooks.map((each) => programsOf(each, env)))
      const copies = everywhere ? repositoryPlace(hook) : undefined
      seal(stateDir, { pin, bytes, from: folderOf(hook) })
      const record: TrustRecord = {
        name: hook.name,
        digest: pin,
        at: new Date().toISOString(),
        ...(files.length > 0 ? { outside: files } : {}),
        ...(Object.keys(programs).length > 0 ? { programs } : {}),
        ...(copies ? { everywhere: copies } : {}),
      }
      store.write(new Map([...store.read().proven, [placeOf(hook), record]]))
    },
    untrust(hook) {
      const { proven } = store.read()
      const record = proven.get(placeOf(hook))
      if (!record) return false
      const rest = new Map([...proven].filter(([place]) => place !== placeOf(hook)))
      store.write(rest)
      if (![...rest.values()].some((other) => other.digest === record.digest)) unseal(stateDir, record.digest)
      return true
    },
    pinned(hook) {
      const record = recordOf(hook)
      return record ? readSealed(stateDir, record.digest) : undefined
    },
    runnable(hook, workDir) {
      if (all || hook.scope !== 'project') return hook
      const record = recordOf(hook)
      if (!record) return refused(store.read().wrong ?? 'it is not trusted')
      const found = contents.of(hook)
      if (found?.digest !== record.digest) return refused('its files have changed since you trusted it')
      // The file that was read before the check must be the one that was checked.
      if (hook.origin.digest !== found.file) return refused('its file was replaced while it was being read')
      if (!isSealed(stateDir, record.digest))
        return refused('the copy of what you trusted is gone or damaged')
      const outside = changedOutside(record.outside ?? [], workDir)
      if (outside !== undefined) return refused(outside)
      return fromSeal(hook, sealedFolder(stateDir, record.digest), record)
    },
  }
}

function refused(why: string): Failure {
  return failure(`it did not run: ${why.replace(/\.$/, '')}. Look at it with \`crosshook trust\``, {
    retryable: false,
  })
}

/** The hook with the files of the sealed copy. */
function fromSeal(hook: Hook, folder: string, { programs }: TrustRecord): Hook {
  const sealed: Hook = programs ? { ...hook, programs } : { ...hook }
  const { dir } = hook.origin
  if (dir === undefined) return sealed
  sealed.origin = { ...hook.origin, dir: folder, file: join(folder, relative(dir, hook.origin.file)) }
  if (hook.run.type === 'module')
    sealed.run = { ...hook.run, file: join(folder, relative(dir, hook.run.file)) }
  if (hook.run.type === 'command' && 'entry' in hook.run) {
    sealed.run = { ...hook.run, entry: folder }
    copyModes(dir, folder)
  }
  return sealed
}

/** The executable bit of an entry point decides how it is started; it may change without a new review. */
function copyModes(from: string, to: string): void {
  for (const entry of ['run', 'run.sh', 'run.py']) {
    const given = statSync(join(from, 'scripts', entry), { throwIfNoEntry: false })
    const copy = join(to, 'scripts', entry)
    const sealed = statSync(copy, { throwIfNoEntry: false })
    if (!given || !sealed || (given.mode & 0o100) === (sealed.mode & 0o100)) continue
    chmodSync(copy, (given.mode & 0o100) === 0 ? 0o400 : 0o500)
  }
}

/** The interpreter of an entry point, as found now on a safe PATH. */
function programsOf(hook: Hook, env: NodeJS.ProcessEnv): Record<string, string> | undefined {
  if (hook.run.type !== 'command') return undefined
  const name =
    'entry' in hook.run
      ? interpreterOf(hook.run.entry)
      : 'argv' in hook.run
        ? hook.run.argv[0]
        : hook.run.shell
  if (name === undefined || name.includes('/')) return undefined
  const found = findProgram(name, safeFolders(env.PATH, basesOf(hook)))
  return found === undefined ? undefined : { [name]: found }
}

function interpreterOf(folder: string): string | undefined {
  const program = findEntryPoint(folder)
  return isFailure(program) ? undefined : program.file
}

/** The folders in which command lines of a project's hooks run. */
function basesOf(hook: Hook): string[] {
  const folder = folderOf(hook)
  const root = repositoryRoot(folder)
  // Settings files are in a folder of the project, such as `.tool/settings.json`, or at its top.
  const own = hook.origin.dir === undefined ? [dirname(folder), folder] : [folder.split('/.agents/')[0]!]
  return [...new Set([...(root === undefined ? [] : [root]), ...own])]
}

function repositoryPlace(hook: Hook): TrustRecord['everywhere'] {
  const root = repositoryRoot(folderOf(hook))
  const repository = root === undefined ? undefined : repositoryIdentity(root)
  return repository === undefined
    ? undefined
    : { repository, place: relative(realpathSync(root!), placeOf(hook)) }
}

/** A record for every clone of the repository, with exactly these bytes. Files outside the hook must match as well. */
function elsewhere(hook: Hook, records: readonly TrustRecord[], contents: Contents): TrustRecord | undefined {
  const copies = records.filter((record) => record.everywhere)
  if (copies.length === 0) return undefined
  const found = contents.of(hook)
  const same = copies.filter((record) => record.digest === found?.digest)
  if (same.length === 0) return undefined
  const here = repositoryPlace(hook)
  const record = same.find(
    ({ everywhere }) => everywhere!.repository === here?.repository && everywhere!.place === here?.place,
  )
  if (!record) return undefined
  const pinned = new Set(record.outside?.map((file) => file.digest))
  const { files, unpinned } = reachFrom(hook, found!)
  // Anybody can write the address of another repository into a .git/config: code of this one was seen by nobody.
  if (unpinned.length > 0) return undefined
  return files.every((file) => pinned.has(file.digest))
    ? { ...record, ...(files.length > 0 ? { outside: files } : {}) }
    : undefined
}

/** Where there is nothing outside, the same bytes reach nothing the next time either. */
function reachFrom(hook: Hook, content: Content): Reach {
  if (reachesNothing.has(content)) return { files: [], unpinned: [] }
  const reach = reachOf(hook, look(hook).bytes, basesOf(hook))
  if (reach.files.length + reach.unpinned.length === 0) reachesNothing.add(content)
  return reach
}

const reachesNothing = new WeakSet<Content>()

function reachOfAll(hooks: readonly Hook[], bytes: Snapshot): Reach {
  const all = hooks.map((hook) => reachOf(hook, bytes, basesOf(hook)))
  const files = new Map(
    all.flatMap((reach) => reach.files).map((file) => [`${file.word}\0${file.path}`, file]),
  )
  return { files: [...files.values()], unpinned: [...new Set(all.flatMap((reach) => reach.unpinned))] }
}

/** Hooks of a shared file are trusted with the whole file. */
function placeOf(hook: Hook): string {
  const path = hook.origin.dir ?? hook.origin.file
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

interface Content {
  digest: string
  /** Of the file that defines the hook. */
  file: string
  marks: Fingerprints
}

interface Contents {
  of(hook: Hook): Content | undefined
}

/** Digests of hooks' folders, cached until a file changes. */
function createContents(): Contents {
  const known = new Map<string, Content>()
  return {
    of(hook) {
      const place = hook.origin.dir ?? hook.origin.file
      const kept = known.get(place)
      if (kept && isCurrent(kept.marks)) return kept
      const now = Date.now()
      try {
        const { bytes, marks } = look(hook)
        const file = bytesDigest(bytes.get(basename(hook.origin.file)) ?? Buffer.alloc(0))
        const content = { digest: digest(bytes), file, marks }
        if (isRacy(marks, now)) known.delete(place)
        else known.set(place, content)
        return content
      } catch {
        return undefined // unreadable, so not what was trusted
      }
    },
  }
}
