/**
 * Where records come in: a file that is only ever appended to. A record is kept once one write has come back, whatever
 * then happens to the process; the database takes it from there when somebody asks for it (see take-in.ts).
 */

import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  type Stats,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { now } from '../fast/clock.ts'
import type { CrosshookError } from '../spec/errors.ts'
import type { JournalEntry } from './journal.ts'
import { FULL, headOf, intakePath, putAside } from './segments.ts'
import type { Store } from './store.ts'
import { explain } from './store-errors.ts'
import { addUp, type Counts, type Summary } from './summary.ts'
import { uniqueHex } from './unique.ts'

/** One record, as it waits. */
export interface Line {
  counts: Partial<Counts>
  id: string
  at: number
  entry: JournalEntry
}

const KEPT_OPEN = 1000

/** Never throws: what cannot be kept must not change a decision. */
export function append(store: Store, line: string, counts: Partial<Counts>): CrosshookError | undefined {
  // With its own line end before it: what a full disk or a kill cut off spoils no other record.
  const text = `\n${line}\n`
  const { gathered } = store
  if (!gathered) return keep(store, text, { records: 1, counts })
  gathered.lines.push(text)
  addUp(gathered, { records: 1, counts })
  return undefined
}

/** What `calls` appends becomes one write: many records for little more than the price of one. */
export function appendTogether(store: Store, calls: () => void): CrosshookError | undefined {
  const gathered = { lines: [], records: 0, counts: {} }
  store.gathered = gathered
  try {
    calls()
  } finally {
    delete store.gathered
  }
  return gathered.records > 0 ? keep(store, gathered.lines.join(''), gathered) : undefined
}

function keep(store: Store, text: string, summary: Summary): CrosshookError | undefined {
  try {
    const { bytes, file } = write(store, text)
    if (store.written?.inode !== file.ino)
      store.written = { inode: file.ino, bytes: 0, records: 0, counts: {} }
    store.written.bytes += bytes
    addUp(store.written, summary)
    if (file.size > FULL) {
      letGo(store)
      store.waiting = putAside(store.stateDir, store.written)
    }
    return undefined
  } catch (error) {
    letGo(store)
    return explain(store.stateDir, error)
  }
}

/** How much it was, and the file after it. */
function write(store: Store, text: string): { bytes: number; file: Stats } {
  const file = open(store)
  const written = writeSync(file, text)
  const size = Buffer.byteLength(text)
  // Not an error of the system: a disk that is nearly full takes a part.
  if (written < size)
    throw Object.assign(new Error(`${written} of ${size} bytes were written`), { code: 'ENOSPC' })
  const found = fstatSync(file)
  if (found.nlink > 0) return { bytes: size, file: found }
  letGo(store) // somebody has removed it
  return write(store, text)
}

/**
 * Kept open for a moment, since opening takes longer than writing. Another process may put the file aside meanwhile: what
 * is written to it then is found all the same, for much longer than that.
 */
function open(store: Store): number {
  const at = now()
  if (store.file && at < store.file.until) return store.file.descriptor
  letGo(store)
  const path = intakePath(store.stateDir)
  for (;;) {
    try {
      const descriptor = openSync(path, constants.O_WRONLY | constants.O_APPEND)
      store.file = { descriptor, until: at + KEPT_OPEN }
      return descriptor
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      begin(path)
    }
  }
}

export function letGo(store: Store): void {
  if (store.file) closeSync(store.file.descriptor)
  delete store.file
}

function begin(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  try {
    writeFileSync(path, headOf(uniqueHex(24)), { flag: 'ax', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
