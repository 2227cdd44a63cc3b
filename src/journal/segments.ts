/** The files in which records wait for the database: one that grows, and those that were put aside. */

import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { uniqueHex } from './unique.ts'

export interface Segment {
  id: string
  path: string
  size: number
  /** When it last changed; being put aside is a change. */
  changed: number
}

/** A file of this size is put aside. */
export const FULL = 1024 * 1024
/** So much is read at once, unless somebody says otherwise. */
const PIECE = 256 * 1024

/** In a folder of its own: these files come and go, and others watch for changes of the state folder. */
export function intakePath(stateDir: string): string {
  return join(stateDir, 'intake', 'journal.log')
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
export function putAside(stateDir: string): number {
  const path = intakePath(stateDir)
  try {
    renameSync(path, `${path}.${uniqueHex(24)}`)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  return FULL * asideNames(stateDir).length
}

/** Somebody has emptied it or written over it. */
export function hasLostHead(stateDir: string): boolean {
  const path = intakePath(stateDir)
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0 && idOf(path) === undefined
}

/** Whole lines from there on, and where they end. None when it has moved: it is found elsewhere at the next look. */
export function readLines(
  { id, path }: Segment,
  from: number,
  most = PIECE,
): { lines: string[]; end: number } {
  const file = openIfThere(path)
  if (file === undefined) return { lines: [], end: from }
  try {
    if ((idIn(file) ?? nameIdOf(path)) !== id) return { lines: [], end: from }
    const left = fstatSync(file).size - from
    for (let length = Math.min(most, left); length > 0; length = Math.min(2 * length, left)) {
      const bytes = Buffer.allocUnsafe(length)
      const got = readSync(file, bytes, 0, length, from)
      const last = bytes.lastIndexOf(10, got - 1)
      if (last >= 0) return { lines: linesOf(bytes.toString('utf8', 0, last)), end: from + last + 1 }
      if (length === left) break
    }
    return { lines: [], end: from }
  } finally {
    closeSync(file)
  }
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '')
}

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

function idIn(file: number): string | undefined {
  const bytes = Buffer.alloc(HEAD_SIZE)
  readSync(file, bytes, 0, HEAD_SIZE, 0)
  const text = bytes.toString('latin1')
  const id = text.slice(ID_AT, ID_AT + 24)
  return ID.test(id) && text === headOf(id) ? id : undefined
}

function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
