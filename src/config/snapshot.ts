/** Every byte of a hook that a person has to review, and one digest of it. */

import { readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { sha256 } from '../fast/sha256.ts'
import { CrosshookError } from '../spec/errors.ts'
import type { Hook } from '../spec/hook.ts'
import { readBytes } from '../spec/read-file.ts'
import { type Fingerprints, fingerprint } from './fingerprint.ts'

/** Path relative to the hook's folder, or to the folder of the file that defines it → bytes. */
export type Snapshot = Map<string, Buffer>

export interface Looked {
  bytes: Snapshot
  /** Fingerprints taken before reading: while they hold, so does the snapshot. */
  marks: Fingerprints
}

const MAX_FILES = 2000
const MAX_BYTES = 64 * 1024 * 1024
const MAX_DEPTH = 20
/** Above this size a new process is faster with `node:crypto`, including the time to load it. */
const WORTH_LOADING_BYTES = 64 * 1024

/** Left behind by interpreters, file managers and editors. Neither pinned nor copied, so it never runs. */
const LITTER =
  /^(?:__pycache__|\.DS_Store|Thumbs\.db|desktop\.ini|\.(?:pytest|ruff|mypy)_cache)$|\.py[co]$|\.sw[op]$|~$/

export function snapshot(hook: Hook): Snapshot {
  return look(hook).bytes
}

/** Links count as their targets. */
export function look({ origin }: Pick<Hook, 'origin'>): Looked {
  const bytes: Snapshot = new Map()
  const marks: Fingerprints = {}
  if (origin.dir === undefined) {
    marks[origin.file] = fingerprint(origin.file)
    bytes.set(basename(origin.file), readBytes(origin.file))
    return { bytes, marks }
  }
  let size = 0
  const walk = (folder: string, prefix: string, depth: number) => {
    if (depth > MAX_DEPTH)
      throw new CrosshookError('not_trusted', `${folder}: folders nested too deeply (a link cycle?)`)
    marks[folder] = fingerprint(folder)
    for (const entry of readdirSync(folder).sort()) {
      if (LITTER.test(entry)) continue
      const path = join(folder, entry)
      const stat = statSync(path)
      if (stat.isDirectory()) walk(path, `${prefix}${entry}/`, depth + 1)
      else if (stat.isFile()) {
        size += stat.size
        if (bytes.size >= MAX_FILES || size > MAX_BYTES)
          throw new CrosshookError(
            'not_trusted',
            `${origin.dir} holds more than ${MAX_FILES} files or ${MAX_BYTES / 1024 / 1024} MiB`,
            { fix: 'Keep a hook small: its folder is what a person has to look at.' },
          )
        marks[path] = fingerprint(path)
        bytes.set(prefix + entry, readBytes(path))
      }
    }
  }
  walk(origin.dir, '', 0)
  return { bytes, marks }
}

/** The folder that the paths of a snapshot are relative to. */
export function folderOf({ origin }: Pick<Hook, 'origin'>): string {
  return origin.dir ?? dirname(origin.file)
}

export function digest(bytes: Snapshot): string {
  const parts = [...bytes].flatMap(([path, content]) => [
    Buffer.from(`${path}\0${content.length}\0`),
    content,
  ])
  return bytesDigest(Buffer.concat(parts))
}

export function bytesDigest(bytes: Uint8Array): string {
  if (bytes.length < WORTH_LOADING_BYTES) return sha256(bytes)
  return process.getBuiltinModule('node:crypto').hash('sha256', bytes, 'hex')
}
