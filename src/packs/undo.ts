/** State before the last update of a folder of hooks, so that it can be reverted. */

import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { isMac, mac, stateKey } from '../config/state-key.ts'
import { writeWhole } from '../config/write-whole.ts'
import { canonicalJson } from '../fast/digest.ts'
import { CrosshookError, messageOf } from '../spec/errors.ts'
import { readText } from '../spec/read-file.ts'
import type { Changes } from './change.ts'
import { type PackFile, readFolder } from './files.ts'
import type { Lock, Locked, LockedPack } from './lock-file.ts'

interface Kept {
  at: string
  base: string
  hooks: Record<string, { locked: Locked; files: { path: string; bytes: string; executable: boolean }[] }>
  take: string[]
  packs: Record<string, LockedPack>
  dropPacks: string[]
}

/** Stores the hooks and packs that a change touches, as they are now. */
export function keepBefore(stateDir: string, base: string, lock: Lock, changes: Changes): void {
  const names = [...Object.keys(changes.put ?? {}), ...(changes.take ?? [])]
  const packs = [...Object.keys(changes.packs ?? {}), ...(changes.dropPacks ?? [])]
  const kept: Kept = {
    at: new Date().toISOString(),
    base,
    hooks: Object.fromEntries(
      names
        .filter((name) => Object.hasOwn(lock.hooks, name))
        .map((name) => [
          name,
          { locked: lock.hooks[name]!, files: readFolder(join(base, name)).map(toText) },
        ]),
    ),
    take: names.filter((name) => !Object.hasOwn(lock.hooks, name)),
    packs: Object.fromEntries(packs.flatMap((name) => (lock.packs[name] ? [[name, lock.packs[name]]] : []))),
    dropPacks: packs.filter((name) => !lock.packs[name]),
  }
  const proof = mac(stateKey(stateDir), 'packs', canonicalJson(kept))
  writeWhole(fileOf(stateDir, base), JSON.stringify({ kept, mac: proof }))
}

/** The change that reverts the last update; undefined when there is none. */
export function undoOf(stateDir: string, base: string): { at: string; changes: Changes } | undefined {
  const file = fileOf(stateDir, base)
  let found: { kept: Kept; mac?: unknown }
  try {
    found = JSON.parse(readText(file)) as typeof found
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw unusable(file, messageOf(error))
  }
  if (!isMac(found?.mac, stateKey(stateDir), 'packs', canonicalJson(found?.kept)) || found.kept.base !== base)
    throw unusable(file, 'somebody else than crosshook has written it')
  const { at, hooks, take, packs, dropPacks } = found.kept
  const put = Object.fromEntries(
    Object.entries(hooks).map(([name, { locked, files }]) => [
      name,
      { files: files.map(fromText), locked, expected: locked.digest },
    ]),
  )
  return { at, changes: { put, take, packs, dropPacks } }
}

export function forgetUndo(stateDir: string, base: string): void {
  rmSync(fileOf(stateDir, base), { force: true })
}

function fileOf(stateDir: string, base: string): string {
  const name = createHash('sha256').update(base).digest('hex').slice(0, 32)
  return join(stateDir, 'packs', `undo-${name}.json`)
}

function toText({ path, bytes, executable }: PackFile) {
  return { path, bytes: bytes.toString('base64'), executable }
}

function fromText({ path, bytes, executable }: ReturnType<typeof toText>): PackFile {
  return { path, bytes: Buffer.from(bytes, 'base64'), executable }
}

function unusable(file: string, why: string): CrosshookError {
  return new CrosshookError('store', `what was kept of the last update cannot be used: ${why}`, {
    fix: `Remove ${file}; then add the older version by its number.`,
  })
}
