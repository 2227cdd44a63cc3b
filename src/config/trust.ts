/**
 * Trust of project hooks: a cloned repository must not run code. What a person has looked at is pinned by a
 * digest of every byte, per user, outside the repository.
 */

import { readdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CrosshookError, messageOf } from '../spec/errors.ts'
import type { Hook } from '../spec/hook.ts'
import { fingerprint, isRacy } from './fingerprint.ts'
import { makeFolder } from './make-folder.ts'

export interface TrustRecord {
  name: string
  digest: string
  at: string
}

export type TrustState = 'trusted' | 'untrusted' | 'changed'

/** Everything of a hook that a person would have to look at: relative path → bytes. */
export type Snapshot = Map<string, Buffer>

const MOST_FILES = 2000
const MOST_BYTES = 64 * 1024 * 1024

export interface TrustStore {
  readonly file: string
  state(hook: Hook): TrustState
  /** Pins what is there now. */
  trust(hook: Hook): void
  untrust(hook: Hook): boolean
  /** What was pinned, to compare with what is there. */
  pinned(hook: Hook): Snapshot | undefined
}

/** `all`: everything is trusted (CROSSHOOK_TRUST=all, for CI). */
export function openTrust(stateDir: string, all: boolean): TrustStore {
  const file = join(stateDir, 'trust.json')
  let known: { mark: string; racy: boolean; records: Record<string, TrustRecord> } | undefined
  const records = () => {
    const now = Date.now()
    const mark = fingerprint(file)
    if (known?.mark !== mark || known.racy)
      known = { mark, racy: isRacy({ [file]: mark }, now), records: mark === '-' ? {} : readRecords(file) }
    return known.records
  }
  const save = (next: Record<string, TrustRecord>) => {
    writeWhole(file, `${JSON.stringify({ version: 1, hooks: next }, null, 2)}\n`)
    known = undefined
  }
  return {
    file,
    state(hook) {
      if (all) return 'trusted'
      const record = records()[trustKey(hook)]
      if (!record) return 'untrusted'
      try {
        return digest(snapshot(hook)) === record.digest ? 'trusted' : 'changed'
      } catch {
        return 'changed'
      }
    },
    trust(hook) {
      const bytes = snapshot(hook)
      const pin = digest(bytes)
      writeWhole(
        join(stateDir, 'trusted', `${pin}.json`),
        JSON.stringify(
          Object.fromEntries([...bytes].map(([path, content]) => [path, content.toString('base64')])),
        ),
      )
      save({ ...records(), [trustKey(hook)]: { name: hook.name, digest: pin, at: new Date().toISOString() } })
    },
    untrust(hook) {
      const { [trustKey(hook)]: found, ...rest } = records()
      if (found) save(rest)
      return found !== undefined
    },
    pinned(hook) {
      const record = records()[trustKey(hook)]
      if (!record) return undefined
      try {
        const stored = JSON.parse(
          readFileSync(join(stateDir, 'trusted', `${record.digest}.json`), 'utf8'),
        ) as Record<string, string>
        return new Map(
          Object.entries(stored).map(([path, content]) => [path, Buffer.from(content, 'base64')]),
        )
      } catch {
        // The copy only serves to show a difference; without it everything is shown as new.
        return undefined
      }
    },
  }
}

/** All of it or nothing: half a file would be no trust at all, and nobody would know why. */
function writeWhole(file: string, text: string): void {
  const temporary = `${file}.${process.pid}.tmp`
  try {
    makeFolder(dirname(file))
    writeFileSync(temporary, text, { mode: 0o600 })
    renameSync(temporary, file)
  } catch (error) {
    removeQuietly(temporary)
    throw new CrosshookError('store', `What you trust could not be kept: ${messageOf(error)}.`, {
      fix: 'Nothing was changed. Make room on the disk of the state folder, or let crosshook write there; then try again.',
      cause: error,
    })
  }
}

function removeQuietly(file: string): void {
  try {
    rmSync(file, { force: true })
  } catch {
    // On a disk that can only be read there is nothing to remove either.
  }
}

/** Every byte of the hook's folder, or of the file that defines it. Links count with what they lead to. */
export function snapshot(hook: Hook): Snapshot {
  const found: Snapshot = new Map()
  if (hook.origin.dir === undefined) {
    found.set(hook.origin.file, readFileSync(hook.origin.file))
    return found
  }
  let bytes = 0
  const walk = (folder: string, prefix: string, depth: number) => {
    if (depth > 20)
      throw new CrosshookError('not_trusted', `${folder}: folders nested too deeply (a link in a circle?)`)
    for (const entry of readdirSync(folder).sort()) {
      const path = join(folder, entry)
      const stat = statSync(path)
      if (stat.isDirectory()) walk(path, `${prefix}${entry}/`, depth + 1)
      else if (stat.isFile()) {
        bytes += stat.size
        if (found.size >= MOST_FILES || bytes > MOST_BYTES)
          throw new CrosshookError(
            'not_trusted',
            `${hook.origin.dir} holds more than ${MOST_FILES} files or 64 MiB`,
            {
              fix: 'Keep a hook small: its folder is what a person has to look at.',
            },
          )
        found.set(prefix + entry, readFileSync(path))
      }
    }
  }
  walk(hook.origin.dir, '', 0)
  return found
}

export function digest(bytes: Snapshot): string {
  // Only project hooks need it, so it is loaded here.
  const hash = process.getBuiltinModule('node:crypto').createHash('sha256')
  for (const [path, content] of bytes) hash.update(`${path}\0${content.length}\0`).update(content)
  return hash.digest('hex')
}

/** A hook of a file shared by several is trusted with the whole file. */
function trustKey(hook: Hook): string {
  const path = hook.origin.dir ?? hook.origin.file
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

function readRecords(file: string): Record<string, TrustRecord> {
  try {
    const parsed = JSON.parse(readFileSync(file, 'utf8')) as { hooks?: Record<string, TrustRecord> }
    return parsed.hooks ?? {}
  } catch (error) {
    throw new CrosshookError('store', `${file} cannot be read: ${messageOf(error)}`, {
      fix: `Mend or remove ${file} in ${dirname(file)}; hooks must then be trusted again.`,
      cause: error,
    })
  }
}
