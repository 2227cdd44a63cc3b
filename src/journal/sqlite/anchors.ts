/**
 * Anchors: now and then the state of the chains is written to a second place, sealed with the key of the state folder.
 * Who rewrites the database from some record on would have to forge the anchors after it.
 */

import { statSync } from 'node:fs'
import { join } from 'node:path'
import { appendText, readText } from '../../spec/read-file.ts'
import type { Finding } from '../port.ts'
import { writeDurably } from '../write-durably.ts'
import type { Seal } from './chain.ts'

export type Anchor =
  /** The record of this number was the last in the database. */
  | { kind: 'record'; epoch: string; seq: number; chain: string; at: number }
  /** How far a file of the intake had come when it was put aside. */
  | { kind: 'segment'; segment: string; end: number; hash: string; at: number }
  /** It was read to its end, or dropped because nobody could take it in. */
  | { kind: 'done'; segment: string; at: number; dropped?: number }
  /** What was found to be wrong with records that waited. */
  | { kind: 'damage'; finding: Finding; at: number }
  /** A new database was begun in place of one that was damaged. */
  | { kind: 'begun'; epoch: string; at: number; instead?: string }

export function anchorsPath(stateDir: string): string {
  return join(stateDir, 'journal.anchors')
}

/** Never throws: an anchor that is missing is missed by nobody. */
export function writeAnchor(stateDir: string, anchor: Anchor, seal: Seal | undefined): void {
  const text = JSON.stringify(anchor)
  try {
    appendText(anchorsPath(stateDir), `${seal ? seal(text) : NO_SEAL} ${text}\n`)
    makeRoom(stateDir)
  } catch {
    // The record itself is kept.
  }
}

const NO_SEAL = '-'.repeat(64)
const MAX_FILE_BYTES = 512 * 1024

/** The older half goes: what is anchored later stands for it. */
function makeRoom(stateDir: string): void {
  const path = anchorsPath(stateDir)
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) < MAX_FILE_BYTES) return
  const lines = readText(path).split('\n')
  writeDurably(path, lines.slice(Math.floor(lines.length / 2)).join('\n'))
}

export interface ReadAnchors {
  anchors: Anchor[]
  /** Lines whose seal is not ours. */
  forged: number
  unreadable: number
}

export function readAnchors(stateDir: string, seal: Seal | undefined): ReadAnchors {
  const found: ReadAnchors = { anchors: [], forged: 0, unreadable: 0 }
  let text: string
  try {
    text = readText(anchorsPath(stateDir))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return found
    throw error
  }
  for (const line of text.split('\n')) {
    if (line === '') continue
    const given = line.slice(0, 64)
    const body = line.slice(65)
    try {
      const anchor = JSON.parse(body) as Anchor
      if (!seal || seal(body) === given) found.anchors.push(anchor)
      // Written while the key could not be read: it proves nothing, and forges nothing.
      else if (given !== NO_SEAL) found.forged++
    } catch {
      found.unreadable++
    }
  }
  return found
}
