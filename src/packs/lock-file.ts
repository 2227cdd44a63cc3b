/** `hooks.lock.json` beside the hooks: the source of each added hook, and digests of all its bytes. */

import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SettingRows } from '../config/pack-settings.ts'
import { digest, snapshot } from '../config/trust.ts'
import type { Signer } from '../sign/signer.ts'
import { CrosshookError, messageOf } from '../spec/errors.ts'
import type { Hook } from '../spec/hook.ts'
import { readText } from '../spec/read-file.ts'

export const LOCK_FILE = 'hooks.lock.json'

export interface Locked {
  /** As given to `add`. */
  source: string
  /** The version of a package or of crosshook itself. */
  version?: string
  commit?: string
  /** The pack it came with, by its name in `packs`. */
  pack?: string
  /** Its name in that pack, if it was renamed here. */
  renamed?: string
  digest: string
}

export interface LockedPack {
  /** As given to `add`: what `update` fetches again. */
  source: string
  version: string
  /** Digest of everything in the pack but its signatures: what is signed. */
  content: string
  /** Exact origin of these bytes: what `sync` fetches. */
  from: Origin
  /** Publication time, according to its source. */
  published?: string
  /** Who signed it; absent: nobody. */
  signer?: Signer
  /** Hooks that were left out. */
  only?: string[]
  /** `update` skips it. */
  frozen?: true
  settings?: SettingRows
  rights: Record<string, string[]>
}

export type Origin =
  | { type: 'git'; url: string; commit: string; ref: string; path?: string }
  | { type: 'npm'; name: string; version: string; integrity?: string }
  | { type: 'web'; url: string; sha256: string; index?: string }
  | { type: 'folder'; path: string }

export interface Lock {
  hooks: Record<string, Locked>
  packs: Record<string, LockedPack>
}

export function readLock(hooksFolder: string): Lock {
  const file = join(hooksFolder, LOCK_FILE)
  if (!existsSync(file)) return { hooks: bare({}), packs: bare({}) }
  try {
    const { hooks, packs = {} } = JSON.parse(readText(file)) as Partial<Lock>
    if (!isTable(hooks)) throw new Error('it has no `hooks`')
    if (!isTable(packs)) throw new Error('its `packs` are no table')
    return { hooks: bare(hooks), packs: bare(packs) } as Lock
  } catch (error) {
    throw new CrosshookError('bad_settings', `${file} cannot be read: ${messageOf(error)}`, {
      fix: 'Repair it, or remove it: then nothing is known to have been added here.',
      cause: error,
    })
  }
}

/** Without a prototype: a hook or pack may be asked for that is called like a member of every object. */
function bare<T extends object>(table: T): T {
  return Object.assign(Object.create(null), table) as T
}

/** Written atomically, through a folder that is removed with the change; without hooks there is no file. */
export function writeLock(hooksFolder: string, { hooks, packs }: Lock, scratch: string): void {
  const file = join(hooksFolder, LOCK_FILE)
  if (Object.keys(hooks).length + Object.keys(packs).length === 0) {
    rmSync(file, { force: true })
    return
  }
  const text = {
    version: 1,
    hooks: sorted(hooks),
    ...(Object.keys(packs).length > 0 ? { packs: sorted(packs) } : {}),
  }
  const temporary = join(scratch, LOCK_FILE)
  // Readable by others: it is part of a repository.
  writeFileSync(temporary, `${JSON.stringify(text, null, 2)}\n`, { mode: 0o644 })
  renameSync(temporary, file)
}

/** The digest of a hook's current folder. */
export function digestOf(hook: Pick<Hook, 'origin'>): string {
  return digest(snapshot(hook as Hook))
}

export function folderDigest(folder: string): string {
  return digestOf({ origin: { file: join(folder, 'HOOK.md'), dir: folder } })
}

function sorted<T>(table: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(table).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function isTable(value: unknown): value is Record<string, Record<string, unknown>> {
  const isObject = (each: unknown) => typeof each === 'object' && each !== null && !Array.isArray(each)
  return isObject(value) && Object.values(value as object).every(isObject)
}
