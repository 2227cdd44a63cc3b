/** The files in which records wait for the database: one that grows, and those that were put aside. */

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
import { openPlain } from '../../spec/read-file.ts'
import type { Summary } from '../port.ts'
import { uniqueHex } from '../unique.ts'
import { writeAnchor } from './anchors.ts'
import type { Tip } from './chain.ts'
import type { Store } from './store.ts'

export interface Segment {
  id: string
  path: string
  size: number
  /** When it last changed; being put aside is a change. */
  changed: number
}

/** What one process has written to a file. */
export interface Written extends Summary {
  inode: number
  bytes: number
}

/** A file of this size is put aside. */
export const FULL = 1024 * 1024
/** So much is read at once, unless somebody says otherwise. */
const PIECE = 256 * 1024

/** In a folder of its own: these files come and go, and others watch for changes of the state folder. */
export function intakePath(stateDir: string): string {
  return `${stateDir}${sep}intake${sep}journal.log`
}

/** The first line of a file: it tells one from another that comes to stand in its place. */
export function headOf(id: string): string {
  return `{"segment":"${id}"}\n`
}

/** Oldest first; the one that grows comes last. */
export function segmentsIn(stateDir: string): Segment[] {
  const path = intakePath(stateDir)
  const growing = statSync(path, { throwIfNoEntry: false })
  const id = growing && idOf(path)
  const current =
    growing && id !== undefined ? [{ id, path, size: growing.size, changed: growing.ctimeMs }] : []
  return [...asideIn(stateDir), ...current]
}

/**
 * What comes from now on goes to a new file. Two processes may do so one after the other: then the second file is
 * merely small. It keeps the id that is in it, whatever its name. How many bytes are aside comes back.
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
  return FULL * dropOldest(store)
}

/**
 * So many files may wait. More come together only when the database cannot be used for long, such as after a downgrade:
 * then the oldest go, and `verify` says so.
 */
const MOST_ASIDE = 256

/** How many are left. */
function dropOldest(store: Store): number {
  const count = asideNames(store.stateDir).length
  const most = Math.max(MOST_ASIDE, Math.ceil((2 * store.limits.bytes) / FULL))
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

/** Somebody has emptied it or written over it. */
export function hasLostHead(stateDir: string): boolean {
  const path = intakePath(stateDir)
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0 && idOf(path) === undefined
}

/** Whole lines from there on, and where they end. None when it has moved: it is found elsewhere at the next look. */
export function readLines({ id, path }: Segment, from: number, most = PIECE): { lines: Buffer; end: number } {
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

/** Of all that is in it, when it is known without reading it. */
export function knownSummary({ id, size }: Segment): Summary | undefined {
  const known = summaries.get(id)
  return known?.size === size ? known.summary : undefined
}

export function remember({ id, size }: Pick<Segment, 'id' | 'size'>, summary: Summary): Summary {
  if (summaries.size >= MOST_KNOWN) summaries.clear()
  summaries.set(id, { size, summary })
  return summary
}

const summaries = new Map<string, { size: number; summary: Summary }>()
const MOST_KNOWN = 1000

/** Of a file that nobody else has written to. */
function rememberOwn(path: string, { inode, bytes, records, counts }: Written): void {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.ino !== inode || found.size !== HEAD_SIZE + bytes) return
  const id = idOf(path)
  if (id !== undefined) remember({ id, size: found.size }, { records, counts })
}

/** Without those that are empty. */
export function linesOf(bytes: Buffer): string[] {
  return bytes
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
}

/** Where each line begins and ends; much quicker than their texts. */
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
    (name) => name.startsWith(start) && ID.test(name.slice(start.length)),
  )
}

const ID = /^[0-9a-f]{24}$/
const ID_AT = headOf('').indexOf('"}')
const HEAD_SIZE = headOf('0'.repeat(24)).length

/** A file that was put aside has a name that no other ever gets. */
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

/** Of a file that has lost its first line. */
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
  const id = text.slice(ID_AT, ID_AT + 24)
  return ID.test(id) && text === headOf(id) ? id : undefined
}

function openIfThere(path: string): number | undefined {
  try {
    return openPlain(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
