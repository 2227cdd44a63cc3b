/**
 * Where records come in: a file that is only ever appended to. A record is kept once one write has come back, whatever
 * then happens to the process; the database takes it from there when somebody asks for it (see take-in.ts).
 */

import { closeSync, constants, fstatSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { now } from '../spec/clock.ts'
import type { CrosshookError } from '../spec/errors.ts'
import type { Counts } from './counters.ts'
import type { JournalEntry } from './journal.ts'
import { FULL, headOf, intakePath, putAside } from './segments.ts'
import type { Store } from './store.ts'
import { explain } from './store-errors.ts'
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
export function append(store: Store, line: string): CrosshookError | undefined {
  // With its own line end before it: what a full disk or a kill cut off spoils no other record.
  const text = `\n${line}\n`
  if (!store.gathered) return keep(store, text)
  store.gathered.push(text)
  return undefined
}

/** What `calls` appends becomes one write: many records for little more than the price of one. */
export function appendTogether(store: Store, calls: () => void): CrosshookError | undefined {
  const lines: string[] = []
  store.gathered = lines
  try {
    calls()
  } finally {
    delete store.gathered
  }
  return lines.length > 0 ? keep(store, lines.join('')) : undefined
}

function keep(store: Store, text: string): CrosshookError | undefined {
  try {
    if (write(store, text) > FULL) {
      letGo(store)
      store.waiting = putAside(store.stateDir)
    }
    return undefined
  } catch (error) {
    letGo(store)
    return explain(store.stateDir, error)
  }
}

/** The size of the file after it. */
function write(store: Store, text: string): number {
  const file = open(store)
  const written = writeSync(file, text)
  const size = Buffer.byteLength(text)
  // Not an error of the system: a disk that is nearly full takes a part.
  if (written < size)
    throw Object.assign(new Error(`${written} of ${size} bytes were written`), { code: 'ENOSPC' })
  const found = fstatSync(file)
  if (found.nlink > 0) return found.size
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
