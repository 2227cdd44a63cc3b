/**
 * Changes a folder of hooks atomically: folders and lock are the old ones or the new ones, whenever the process ends.
 * Everything is prepared beside the hooks; one rename decides (see dialects/lib/changing.ts); the following steps can
 * be repeated by any process.
 */

import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CHANGE_FILE, CHANGING, HOOK_FOLDER, NEW, OLD, readChange } from '../dialects/lib/changing.ts'
import { CrosshookError } from '../spec/errors.ts'
import { readText } from '../spec/read-file.ts'
import type { PackFile } from './files.ts'
import { folderDigest, type Lock, type Locked, type LockedPack, readLock, writeLock } from './lock-file.ts'

export interface Put {
  files: readonly PackFile[]
  locked: Omit<Locked, 'digest'>
  /** Nothing is changed when the written folder has another digest. */
  expected?: string
}

export interface Changes {
  /** Folders of hooks by name, with their entry in the lock. */
  put?: Record<string, Put>
  /** Hooks to remove, folder and entry. */
  take?: readonly string[]
  packs?: Record<string, LockedPack>
  dropPacks?: readonly string[]
}

/** Written down when the change is decided. */
interface Decided {
  put: string[]
  take: string[]
  hooks: Record<string, Locked>
  packs: Record<string, LockedPack>
  dropPacks: string[]
}

const PREPARING = '.preparing-'
const OWNER = 'owner.json'
const FINISHED = '.finished-'

export async function change(
  base: string,
  { put = {}, take = [], packs = {}, dropPacks = [] }: Changes,
): Promise<void> {
  await finishChange(base)
  mkdirSync(base, { recursive: true })
  const { pid, started } = self()
  const prepared = mkdtempSync(join(base, `${PREPARING}${pid}-${started}-`))
  try {
    mkdirSync(join(prepared, NEW))
    mkdirSync(join(prepared, OLD))
    const hooks: Record<string, Locked> = {}
    for (const [name, { files, locked, expected }] of Object.entries(put)) {
      if (!HOOK_FOLDER.test(name)) throw new TypeError(`${name} cannot be the name of a folder`)
      writeFiles(join(prepared, NEW, name), files)
      const digest = folderDigest(join(prepared, NEW, name))
      if (expected !== undefined && digest !== expected) throw otherBytes(name)
      hooks[name] = { ...locked, digest }
    }
    const record: Decided = {
      put: Object.keys(put),
      take: [...take],
      hooks,
      packs,
      dropPacks: [...dropPacks],
    }
    writeFileSync(join(prepared, CHANGE_FILE), JSON.stringify(record), { flush: true })
    writeFileSync(join(prepared, OWNER), JSON.stringify(self()))
    await decide(base, prepared)
  } catch (error) {
    rmSync(prepared, { recursive: true, force: true })
    throw error
  }
  carryOut(base)
}

/** Finishes another process's interrupted change and removes its leftovers. Cheap when there is none. */
export async function finishChange(base: string): Promise<void> {
  for (const since = Date.now(); existsSync(join(base, CHANGING)); await sleep(LOCK_RETRY_MS)) {
    if (takeOver(base)) carryOut(base)
    else if (Date.now() - since > LOCK_LIMIT_MS) throw busy(base)
  }
  for (const name of existsSync(base) ? readdirSync(base) : [])
    if (name.startsWith(FINISHED) || (name.startsWith(PREPARING) && isAbandoned(name)))
      rmSync(join(base, name), { recursive: true, force: true })
}

const LOCK_RETRY_MS = 20
const LOCK_LIMIT_MS = 15_000

/** One at a time: an existing folder makes the rename fail. */
async function decide(base: string, prepared: string): Promise<void> {
  for (;;) {
    try {
      renameSync(prepared, join(base, CHANGING))
      return
    } catch (error) {
      if (!['ENOTEMPTY', 'EEXIST', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
      if (!existsSync(join(base, CHANGING))) throw error
      await finishChange(base)
    }
  }
}

/** Every step may already have been done. */
function carryOut(base: string): void {
  const changing = join(base, CHANGING)
  const record = readChange(base) as unknown as Decided | undefined
  if (!record) {
    // Somebody removed the record: what was decided is unknown.
    rmSync(changing, { recursive: true, force: true })
    return
  }
  const at = (where: string, name: string) => join(changing, where, name)
  for (const name of record.take) moveAway(join(base, name), at(OLD, name))
  for (const name of record.put)
    if (existsSync(at(NEW, name))) {
      moveAway(join(base, name), at(OLD, name))
      renameSync(at(NEW, name), join(base, name))
    }
  const lock = readLock(base)
  const hooks = without(lock.hooks, record.take)
  const packs = without(lock.packs, record.dropPacks)
  const after: Lock = { hooks: { ...hooks, ...record.hooks }, packs: { ...packs, ...record.packs } }
  writeLock(base, after, changing)
  const finished = mkdtempSync(join(base, FINISHED))
  renameSync(changing, join(finished, 'change'))
  rmSync(finished, { recursive: true, force: true })
}

function moveAway(folder: string, to: string): void {
  if (!existsSync(folder)) return
  rmSync(to, { recursive: true, force: true })
  renameSync(folder, to)
}

/** Only one process carries a change out: the one that decided it or, if that is gone, one that takes over. */
function takeOver(base: string): boolean {
  const owner = join(base, CHANGING, OWNER)
  const mine = `${owner}.${process.pid}.new`
  try {
    writeFileSync(mine, JSON.stringify(self()))
    if (link(mine, owner)) return true
    // Of several that find its owner gone, one can rename the file; the next time round one can make its own.
    if (!isRunning(JSON.parse(readText(owner)) as Owner)) renameSync(owner, `${owner}.${process.pid}.gone`)
  } catch (error) {
    // It was finished or taken over just now.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  } finally {
    rmSync(mine, { force: true })
  }
  return false
}

/** Complete from the first moment, and never replacing another. */
function link(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

interface Owner {
  pid: number
  started: string
}

function self(): Owner {
  return { pid: process.pid, started: startOf(process.pid) }
}

/** Pids are reused; with the start time they are unique. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  } catch {
    return '' // no such process, or a system without /proc
  }
}

function isRunning({ pid, started }: Owner): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  return started === startOf(pid)
}

/** The name of a folder in preparation contains its owner. */
function isAbandoned(name: string): boolean {
  const [, pid = '0', started = ''] = /^\.preparing-(\d+)-(\d*)-/.exec(name) ?? []
  return !isRunning({ pid: Number(pid), started })
}

function writeFiles(folder: string, files: readonly PackFile[]): void {
  mkdirSync(folder)
  for (const { path, bytes, executable } of files) {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, bytes, { flag: 'wx' })
    chmodSync(file, executable ? 0o755 : 0o644)
  }
}

function without<T>(table: Record<string, T>, names: readonly string[]): Record<string, T> {
  return Object.fromEntries(Object.entries(table).filter(([name]) => !names.includes(name)))
}

function otherBytes(name: string): CrosshookError {
  return new CrosshookError('refused', `${name} has other bytes than the lock file says`, {
    fix: 'Nothing was written. Its source has changed what it must not, or the lock file was edited.',
  })
}

function busy(base: string): CrosshookError {
  return new CrosshookError('refused', `another crosshook is changing the hooks in ${base}`, {
    fix: 'Wait until it is done; nothing was changed.',
  })
}
