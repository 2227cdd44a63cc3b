/** Moves one piece of an intake file to the database, together with the read position: both or neither. */

import { closeSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { openPlain } from '../../spec/read-file.ts'
import type { JournalLimits, Summary } from '../port.ts'
import { chained, hashOf, NO_CHAIN } from './chain.ts'
import { addCounts } from './counters.ts'
import { orThrow, prepared, read, write } from './database.ts'
import { addUp } from './intake.ts'
import { type Line, lineOf, parseLine, partsOf } from './intake-line.ts'
import { type Break, createLinkCheck, type LinkCheck } from './link-check.ts'
import { metaOf } from './meta.ts'
import { prune } from './retention.ts'
import { createRollups, hasQuestions } from './rollups.ts'
import { eachLine, type Known, knownSummary, readLines, type Segment } from './segments.ts'
import type { Store } from './store.ts'

/** Returns the number of bytes done. */
export function takePiece(store: Store, segment: Segment, bounds: JournalLimits, isKept: boolean): number {
  const from = read(store, (db) => positionOf(db, segment))
  const known = knownSummary(segment)
  const isTaken = !isKept && from === 0 && known !== undefined && takeSums(store, segment, known)
  delete known?.sums
  if (isTaken) return segment.size
  const { lines, end } = readLines(segment, from)
  if (end === from) return 0
  const error = write(store, (db) => {
    // Another process was quicker: its work is seen at the next look.
    if (positionOf(db, segment) !== from) return
    insert(store, db, { segment, from, bytes: lines, isKept })
    prepared(db, SET_POSITION).run(segment.id, end)
    if (isKept) prune(store, db, bounds)
  })
  orThrow(error)
  return end - from
}

/** Adds the sums of a whole file whose records are only counted. False: the file must be read. */
function takeSums(store: Store, segment: Segment, { sums, counts }: Known): boolean {
  if (!sums) return false
  let isTaken = false
  orThrow(
    write(store, (db) => {
      if (positionOf(db, segment) !== 0 || (sums.endsTools && hasQuestions(db))) return
      createRollups(db, sums).write()
      addCounts(db, counts)
      prepared(db, SET_POSITION).run(segment.id, segment.size)
      isTaken = true
    }),
  )
  return isTaken
}

export function positionsIn(db: DatabaseSync): Map<string, number> {
  const rows = prepared(db, 'SELECT segment, position FROM intake').all()
  return new Map(rows.map(({ segment, position }) => [String(segment), Number(position)]))
}

export function positionOf(db: DatabaseSync, { id }: Segment): number {
  return Number(prepared(db, 'SELECT position FROM intake WHERE segment = ?').get(id)?.position ?? 0)
}

const SET_POSITION =
  'INSERT INTO intake (segment, position) VALUES (?, ?) ON CONFLICT (segment) DO UPDATE SET position = excluded.position'

const INSERT =
  'INSERT INTO events (id, at_ms, event, session_id, decision, hooks, bytes, body, counts, prev, chain) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'

interface Piece {
  segment: Segment
  /** Where the piece starts in the file. */
  from: number
  bytes: Buffer
  /** False: only counted, because enough newer records exist. */
  isKept: boolean
}

function insert(store: Store, db: DatabaseSync, { segment, from, bytes, isKept }: Piece): void {
  const sum: Summary = { records: 0, counts: {} }
  const rollups = createRollups(db)
  const check = isKept ? linkCheck(segment) : undefined
  const breaks: Break[] = []
  let chain = lastChain(db)
  let unreadable = 0
  try {
    eachLine(bytes, (start, end) => {
      const text = bytes.toString('utf8', start, end)
      const line = parseLine(text)
      if (line === undefined) unreadable++
      const hash = isKept ? hashOf(bytes.subarray(start, end)) : ''
      const found = check?.next({ start: from + start, end: from + end + 1, hash, line })
      if (found) breaks.push(...found)
      if (!line?.entry) return
      addUp(sum, { records: 1, counts: line.counts })
      rollups.add(line)
      if (isKept) chain = insertLine(db, line, { text, hash }, chain)
    })
    if (check) breaks.push(...check.over())
  } finally {
    check?.close()
  }
  for (const each of breaks)
    prepared(
      db,
      'INSERT OR IGNORE INTO breaks (segment, place, at_ms, what, message) VALUES (?, ?, ?, ?, ?)',
    ).run(segment.id, each.place, Date.now(), each.what, each.message)
  rollups.write()
  addCounts(db, sum.counts)
  if (unreadable > 0)
    store.warnings.push(
      `${unreadable} ${unreadable === 1 ? 'record' : 'records'} of the journal cannot be read: a process was stopped while it wrote, or the disk was full.`,
    )
}

/** Returns the chain value after it. */
function insertLine(
  db: DatabaseSync,
  { id, at, entry, prev = '' }: Line,
  { text, hash }: { text: string; hash: string },
  before: string,
): string {
  const { body, counts } = partsOf(text)
  const names = `\n${entry.hooks.map(({ name }) => name).join('\n')}\n`
  const rebuilt = lineOf({ counts, id, at, prev, body })
  // What is kept can be proved again only from the columns: they differ from a line in other words or not in UTF-8.
  const chain = chained(before, rebuilt === text && !text.includes(NO_LETTER) ? hash : hashOf(rebuilt))
  const { event, session_id, decision } = entry
  prepared(db, INSERT).run(
    ...[id, at, event, session_id, decision, names],
    ...[Buffer.byteLength(body), body, counts, prev, chain],
  )
  return chain
}

/** In place of bytes that are not UTF-8. */
const NO_LETTER = '\ufffd'

function linkCheck(segment: Segment): LinkCheck | undefined {
  try {
    const file = openPlain(segment.path)
    return createLinkCheck(file, () => closeSync(file))
  } catch {
    return undefined // it was just set aside: its links are not checked, its records are kept
  }
}

/** Chain value of the newest record, or of the newest one removed by the limits. */
export function lastChain(db: DatabaseSync): string {
  const row = prepared(db, 'SELECT chain FROM events ORDER BY seq DESC LIMIT 1').get()
  return String(row?.chain || metaOf(db, 'pruned_chain') || NO_CHAIN)
}
