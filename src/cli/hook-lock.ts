/** `hooks.lock.json` beside the hooks: where each that was added came from, and a digest of every byte of it. */

import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { digest, snapshot } from '../config/trust.ts'
import { isObject } from '../pipeline/decode/event.ts'
import { CrosshookError, messageOf } from '../spec/errors.ts'
import type { Hook } from '../spec/hook.ts'

export const LOCK_FILE = 'hooks.lock.json'

export interface Locked {
  /** As it was given to `add`. */
  source: string
  /** The version of a package or of crosshook itself, or the commit. */
  version?: string
  commit?: string
  digest: string
}

export type Lock = Record<string, Locked>

export function readLock(hooksFolder: string): Lock {
  const file = join(hooksFolder, LOCK_FILE)
  if (!existsSync(file)) return {}
  try {
    const { hooks } = JSON.parse(readFileSync(file, 'utf8')) as { hooks?: unknown }
    if (!isObject(hooks)) throw new Error('it has no `hooks`')
    return hooks as Lock
  } catch (error) {
    throw new CrosshookError('bad_settings', `${file} cannot be read: ${messageOf(error)}`, {
      fix: 'Mend it, or remove it: then nothing is known to have been added here.',
      cause: error,
    })
  }
}

/** Written whole or not at all; without hooks there is no file. */
export function writeLock(hooksFolder: string, lock: Lock): void {
  const file = join(hooksFolder, LOCK_FILE)
  const names = Object.keys(lock).sort()
  if (names.length === 0) {
    rmSync(file, { force: true })
    return
  }
  mkdirSync(hooksFolder, { recursive: true })
  const hooks = Object.fromEntries(names.map((name) => [name, lock[name]]))
  const temporary = `${file}.${process.pid}.tmp`
  writeFileSync(temporary, `${JSON.stringify({ version: 1, hooks }, null, 2)}\n`)
  renameSync(temporary, file)
}

/** The digest of what is in a hook's folder now. */
export function digestOf(hook: Pick<Hook, 'origin'>): string {
  return digest(snapshot(hook as Hook))
}
