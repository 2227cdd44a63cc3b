/** The files in which records wait for the database: one that grows, and those that were put aside. */

import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { FULL, HEAD_SIZE, headOf, intakePath } from './intake.ts'
import { uniqueHex } from './unique.ts'

export interface Segment {
  id: string
  path: string
}

/** So much is read at once. */
const PIECE = 256 * 1024

/** Oldest first; the one that grows comes last. */
export function segmentsIn(stateDir: string): Segment[] {
  const path = intakePath(stateDir)
  const aside = asideIn(stateDir)
  const id = sizeOf(path) > 0 ? idOf(path) : undefined
  return id === undefined ? aside : [...aside, { id, path }]
}

/** Is it time to put the file aside? One that somebody has emptied or written over has lost its first line. */
export function isOver(stateDir: string): boolean {
  const path = intakePath(stateDir)
  const size = sizeOf(path)
  return size > FULL || (size > 0 && idOf(path) === undefined)
}

/** Only while no other process does so. It is known by its name from then on. */
export function putAside(stateDir: string): void {
  const path = intakePath(stateDir)
  if (isOver(stateDir)) renameSync(path, `${path}.${idOf(path) ?? uniqueHex(24)}`)
}

export function asideIn(stateDir: string): Segment[] {
  if (!existsSync(stateDir)) return []
  const start = `${basename(intakePath(stateDir))}.`
  return readdirSync(stateDir)
    .filter((name) => name.startsWith(start) && /^[0-9a-f]{24}$/.test(name.slice(start.length)))
    .map((name) => ({ id: name.slice(start.length), path: join(stateDir, name) }))
    .sort((a, b) => changedAt(a.path) - changedAt(b.path))
}

export function changedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.ctimeMs ?? 0
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

/** Whole lines from there on, and where they end. */
export function readLines({ path }: Segment, from: number): { lines: string[]; end: number } {
  const file = openIfThere(path)
  if (file === undefined) return { lines: [], end: from } // put aside or removed meanwhile
  try {
    const size = fstatSync(file).size
    for (let length = Math.min(PIECE, size - from); length > 0; length = Math.min(2 * length, size - from)) {
      const bytes = Buffer.allocUnsafe(length)
      const got = readSync(file, bytes, 0, length, from)
      const last = bytes.lastIndexOf(10, got - 1)
      if (last >= 0) return { lines: linesOf(bytes.toString('utf8', 0, last)), end: from + last + 1 }
      if (length === size - from) break
    }
    return { lines: [], end: from }
  } finally {
    closeSync(file)
  }
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '')
}

export function remove({ path }: Segment): void {
  rmSync(path, { force: true })
}

function idOf(path: string): string | undefined {
  const bytes = Buffer.alloc(HEAD_SIZE)
  const file = openIfThere(path)
  if (file === undefined) return undefined
  try {
    readSync(file, bytes, 0, HEAD_SIZE, 0)
  } finally {
    closeSync(file)
  }
  const text = bytes.toString('latin1')
  const id = text.slice(ID_AT, ID_AT + 24)
  return /^[0-9a-f]{24}$/.test(id) && text === headOf(id) ? id : undefined
}

const ID_AT = headOf('').indexOf('"}')

function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
