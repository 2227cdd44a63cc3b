/**
 * Copies of trusted hooks, stored under their digest in the state folder. Hooks of projects run from here, so a write
 * to the project between check and start does not change what runs.
 */

import { chmodSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Fingerprints, isCurrent, isRacy } from './fingerprint.ts'
import { makeFolder } from './make-folder.ts'
import { digest, look, type Snapshot } from './snapshot.ts'

export function sealedFolder(stateDir: string, pin: string): string {
  return join(stateDir, 'sealed', pin)
}

/** Copies the bytes; the executable bits come from the original folder. */
export function seal(
  stateDir: string,
  { pin, bytes, from }: { pin: string; bytes: Snapshot; from: string },
): void {
  const folder = sealedFolder(stateDir, pin)
  if (readSealed(stateDir, pin)) return
  const temporary = `${folder}.${process.pid}.tmp`
  try {
    makeFolder(dirname(folder))
    rmSync(temporary, { recursive: true, force: true })
    mkdirSync(temporary, { mode: 0o700 })
    for (const [path, content] of bytes) {
      const file = join(temporary, path)
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
      writeFileSync(file, content, { mode: 0o600 })
      chmodSync(file, isProgram(join(from, path)) ? 0o500 : 0o400)
    }
    // It exists but could not be read back, so it is damaged.
    rmSync(folder, { recursive: true, force: true })
    renameSync(temporary, folder)
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

/** Sealed copies whose bytes were verified in this process, valid while their files do not change. */
const proven = new Map<string, Fingerprints>()

/** Undefined when there is no copy, or one that does not match its digest. */
export function readSealed(stateDir: string, pin: string): Snapshot | undefined {
  const folder = sealedFolder(stateDir, pin)
  const now = Date.now()
  try {
    const { bytes, marks } = look({ origin: { file: folder, dir: folder } })
    if (digest(bytes) !== pin) return undefined
    if (!isRacy(marks, now)) proven.set(folder, marks)
    return bytes
  } catch {
    return undefined // missing or unreadable: the caller reports it
  }
}

export function isSealed(stateDir: string, pin: string): boolean {
  const marks = proven.get(sealedFolder(stateDir, pin))
  return marks && isCurrent(marks) ? true : readSealed(stateDir, pin) !== undefined
}

export function unseal(stateDir: string, pin: string): void {
  rmSync(sealedFolder(stateDir, pin), { recursive: true, force: true })
}

function isProgram(file: string): boolean {
  return ((statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o111) !== 0
}
