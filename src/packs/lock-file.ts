/** `hooks.lock.json` beside the hooks: where each that was added came from, and digests of every byte of it. */

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
  /** As it was given to `add`. */
  source: string
  /** The version of a package or of crosshook itself. */
  version?: string
  commit?: string
  /** The pack that it came with, by its name in `packs`. */
  pack?: string
  /** Its name in that pack, where it was given another here. */
  renamed?: string
  digest: string
}

export interface LockedPack {
  /** As it was given to `add`: what `update` asks again. */
  source: string
  version: string
  /** Of everything in the pack but its signatures: what is signed. */
  content: string
  /** Exactly where these bytes are: what `sync` asks. */
  from: Origin
  /** When it was published, as its source says. */
  published?: string
  /** Who signed it; absent: nobody. */
  signer?: Signer
  /** Hooks that were left out. */
  only?: string[]
  /** `update` leaves it as it is. */
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
  if (!existsSync(file)) return { hooks: {}, packs: {} }
  try {
    const { hooks, packs = {} } = JSON.parse(readText(file)) as Partial<Lock>
    if (!isTable(hooks)) throw new Error('it has no `hooks`')
    if (!isTable(packs)) throw new Error('its `packs` are no table')
    return { hooks, packs } as Lock
  } catch (error) {
    throw new CrosshookError('bad_settings', `${file} cannot be read: ${messageOf(error)}`, {
      fix: 'Repair it, or remove it: then nothing is known to have been added here.',
      cause: error,
    })
  }
}

/** Written whole or not at all, by way of a folder that goes when the change is done; without hooks there is no file. */
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
  // For others too: it is part of a repository.
  writeFileSync(temporary, `${JSON.stringify(text, null, 2)}\n`, { mode: 0o644 })
  renameSync(temporary, file)
}

/** The digest of what is in a hook's folder now. */
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
