/**
 * Anchors: now and then the state of the chains is written to a second place, sealed with the state folder's key.
 * Whoever rewrites the database from some record on would have to forge the later anchors.
 */

import { statSync } from 'node:fs'
import { join } from 'node:path'
import { appendText, readText } from '../../spec/read-file.ts'
import type { Finding } from '../port.ts'
import { writeDurably } from '../write-durably.ts'
import type { Seal } from './chain.ts'

export type Anchor =
  /** This record was the last in the database. */
  | { kind: 'record'; epoch: string; seq: number; chain: string; at: number }
  /** How far a file of the intake had come when it was set aside. */
  | { kind: 'segment'; segment: string; end: number; hash: string; at: number }
  /** It was read to its end, or dropped because it could not be taken in. */
  | { kind: 'done'; segment: string; at: number; dropped?: number }
  /** Damage found in waiting records. */
  | { kind: 'damage'; finding: Finding; at: number }
  /** A new database was created in place of a damaged one. */
  | { kind: 'begun'; epoch: string; at: number; instead?: string }

export function anchorsPath(stateDir: string): string {
  return join(stateDir, 'journal.anchors')
}

/** Never throws: a missing anchor is no damage. */
export function writeAnchor(stateDir: string, anchor: Anchor, seal: Seal | undefined): void {
  const text = JSON.stringify(anchor)
  try {
    appendText(anchorsPath(stateDir), `${seal ? seal(text) : NO_SEAL} ${text}\n`)
    makeRoom(stateDir)
  } catch {
    // The record itself is stored.
  }
}

const NO_SEAL = '-'.repeat(64)
const MAX_FILE_BYTES = 512 * 1024

/** Removes the older half: later anchors cover it. */
function makeRoom(stateDir: string): void {
  const path = anchorsPath(stateDir)
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) < MAX_FILE_BYTES) return
  const lines = readText(path).split('\n')
  writeDurably(path, lines.slice(Math.floor(lines.length / 2)).join('\n'))
}

export interface ReadAnchors {
  anchors: Anchor[]
  /** Number of lines with a seal that is not ours. */
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
      // Written while the key was unreadable: proves nothing, but is no forgery.
      else if (given !== NO_SEAL) found.forged++
    } catch {
      found.unreadable++
    }
  }
  return found
}
