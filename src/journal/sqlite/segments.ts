/** The files in which records wait for the database: the one that grows, and those that were set aside. */

import {
  closeSync,
  existsSync,
  fstatSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { isHex } from '../../fast/plain-words.ts'
import { openPlain } from '../../spec/read-file.ts'
import type { JournalEntry, Summary } from '../port.ts'
import { uniqueHex } from '../unique.ts'
import { writeAnchor } from './anchors.ts'
import type { Tip } from './chain.ts'
import type { OwnSums } from './own-sums.ts'
import type { Store } from './store.ts'

export interface Segment {
  id: string
  path: string
  size: number
  /** Time of its last change; setting it aside counts as one. */
  changed: number
}

/** What this process has written to a file. */
export interface Written extends Known {
  inode: number
  bytes: number
  /** Records that are not in the sums yet. Undefined when there will be no sums. */
  unsummed?: { at: number; entry: JournalEntry }[] | undefined
}

/** What is known of a file's records without reading it. */
export interface Known extends Summary {
  /** Until the file is taken in. */
  sums?: OwnSums | undefined
}

/** A file of this size is set aside. */
export const FULL_BYTES = 1024 * 1024
/** Default size of a read. */
const PIECE_BYTES = 256 * 1024

/** In its own folder: these files come and go, and others watch the state folder for changes. */
export function intakePath(stateDir: string): string {
  return `${stateDir}${sep}intake${sep}journal.log`
}

/** The first line of a file: identifies it when another file takes its place. */
export function headOf(id: string): string {
  return `{"segment":"${id}"}\n`
}

/** Oldest first; the growing one last. */
export function segmentsIn(stateDir: string): Segment[] {
  const path = intakePath(stateDir)
  const growing = statSync(path, { throwIfNoEntry: false })
  const id = growing && idOf(path)
  const current =
    growing && id !== undefined ? [{ id, path, size: growing.size, changed: growing.ctimeMs }] : []
  return [...asideIn(stateDir), ...current]
}

/**
 * New records go to a new file. When two processes do this in turn, the second file is merely small. It keeps the id in
 * its first line, whatever its name. Returns the number of bytes set aside.
 */
export function putAside(store: Store, written?: Written, tip?: Tip): number {
  const { stateDir } = store
  const path = intakePath(stateDir)
  try {
    if (written) rememberOwn(path, written)
    if (tip) writeAnchor(stateDir, { kind: 'segment', ...tip, at: Date.now() }, store.seal)
    renameSync(path, `${path}.${uniqueHex(24)}`)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  return FULL_BYTES * dropOldest(store)
}

/**
 * Most files that may wait. There are more only when the database is unusable for long, as after a downgrade: then the
 * oldest are removed, and `verify` reports it.
 */
const MAX_SET_ASIDE = 256

/** Returns the number left. */
function dropOldest(store: Store): number {
  const count = asideNames(store.stateDir).length
  const most = Math.max(MAX_SET_ASIDE, Math.ceil((2 * store.limits.bytes) / FULL_BYTES))
  if (count <= most) return count
  for (const { id, path, size } of asideIn(store.stateDir).slice(0, count - most)) {
    writeAnchor(store.stateDir, { kind: 'done', segment: id, at: Date.now(), dropped: size }, store.seal)
    rmSync(path, { force: true })
    store.warnings.push(
      `The database of the journal cannot take records in; the oldest ${size} bytes of those that wait were dropped.`,
    )
  }
  return most
}

/** True when somebody has emptied or overwritten it. */
export function hasLostHead(stateDir: string): boolean {
  const path = intakePath(stateDir)
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0 && idOf(path) === undefined
}

/** Complete lines from `from` on, and where they end. None when the file has moved: the next look finds it. */
export function readLines(
  { id, path }: Segment,
  from: number,
  most = PIECE_BYTES,
): { lines: Buffer; end: number } {
  const file = openIfThere(path)
  if (file === undefined) return { lines: NOTHING, end: from }
  try {
    if ((idIn(file) ?? nameIdOf(path)) !== id) return { lines: NOTHING, end: from }
    const left = fstatSync(file).size - from
    for (let length = Math.min(most, left); length > 0; length = Math.min(2 * length, left)) {
      const bytes = Buffer.allocUnsafe(length)
      const got = readSync(file, bytes, 0, length, from)
      const last = bytes.lastIndexOf(LINE_END, got - 1)
      if (last >= 0) return { lines: bytes.subarray(0, last + 1), end: from + last + 1 }
      if (length === left) break
    }
    return { lines: NOTHING, end: from }
  } finally {
    closeSync(file)
  }
}

export function knownSummary({ id, size }: Segment): Known | undefined {
  const known = summaries.get(id)
  return known?.size === size ? known.summary : undefined
}

export function remember({ id, size }: Pick<Segment, 'id' | 'size'>, summary: Known): Known {
  if (summaries.size >= MAX_CACHED) summaries.clear()
  summaries.set(id, { size, summary })
  return summary
}

const summaries = new Map<string, { size: number; summary: Known }>()
const MAX_CACHED = 1000

/** For a file that only this process has written to. */
function rememberOwn(path: string, { inode, bytes, records, counts, sums }: Written): void {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.ino !== inode || found.size !== HEAD_SIZE + bytes) return
  const id = idOf(path)
  if (id !== undefined) remember({ id, size: found.size }, { records, counts, sums })
}

/** Without empty lines. */
export function linesOf(bytes: Buffer): string[] {
  return bytes
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
}

/** Start and end of each line; much faster than their texts. */
export function eachLine(bytes: Buffer, use: (start: number, end: number) => void): void {
  for (let start = 0, end = 0; ; start = end + 1) {
    end = bytes.indexOf(LINE_END, start)
    if (end < 0) return
    if (end > start) use(start, end)
  }
}

const LINE_END = 10
const NOTHING = Buffer.alloc(0)

function asideIn(stateDir: string): Segment[] {
  const folder = dirname(intakePath(stateDir))
  return asideNames(stateDir)
    .flatMap((name) => {
      const path = join(folder, name)
      const found = statSync(path, { throwIfNoEntry: false })
      return found ? [{ id: asideId(path), path, size: found.size, changed: found.ctimeMs }] : []
    })
    .sort((a, b) => a.changed - b.changed)
}

function asideNames(stateDir: string): string[] {
  const path = intakePath(stateDir)
  if (!existsSync(dirname(path))) return []
  const start = `${basename(path)}.`
  return readdirSync(dirname(path)).filter(
    (name) => name.startsWith(start) && isHex(name.slice(start.length), ID_LENGTH),
  )
}

const ID_AT = headOf('').indexOf('"}')
const ID_LENGTH = 24
const HEAD_SIZE = headOf('0'.repeat(ID_LENGTH)).length

/** A file that was set aside has a unique name. */
function asideId(path: string): string {
  let id = asideIds.get(path)
  if (id === undefined) {
    id = idOf(path) ?? nameIdOf(path)
    if (asideIds.size > 1000) asideIds.clear()
    asideIds.set(path, id)
  }
  return id
}

const asideIds = new Map<string, string>()

/** For a file without its first line. */
function nameIdOf(path: string): string {
  return path.slice(-24)
}

function idOf(path: string): string | undefined {
  const file = openIfThere(path)
  if (file === undefined) return undefined
  try {
    return idIn(file)
  } finally {
    closeSync(file)
  }
}

export function idIn(file: number): string | undefined {
  const bytes = Buffer.alloc(HEAD_SIZE)
  readSync(file, bytes, 0, HEAD_SIZE, 0)
  const text = bytes.toString('latin1')
  const id = text.slice(ID_AT, ID_AT + ID_LENGTH)
  return isHex(id, ID_LENGTH) && text === headOf(id) ? id : undefined
}

function openIfThere(path: string): number | undefined {
  try {
    return openPlain(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
