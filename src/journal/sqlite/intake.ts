/**
 * Where records come in, redacted: an append-only file. A record is stored once its write has returned, whatever then happens to
 * the process; the database takes it from there when somebody needs it (see take-in.ts).
 */

import {
  closeSync,
  constants,
  fdatasyncSync,
  fstatSync,
  mkdirSync,
  type Stats,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { now } from '../../fast/clock.ts'
import { isHarmless, redactClipped, redactDeep } from '../../redact/redact.ts'
import { CrosshookError, messageOf } from '../../spec/errors.ts'
import { openPlain } from '../../spec/read-file.ts'
import { COUNTERS, type Counts, type Finding, type JournalEntry, type Summary } from '../port.ts'
import { uniqueHex } from '../unique.ts'
import { writeAnchor } from './anchors.ts'
import {
  closeTip,
  hashOf,
  NO_CHAIN,
  OwnTail,
  openTip,
  prevInWrite,
  prevOf,
  type Tail,
  tailOf,
  tipIn,
  writeTip,
} from './chain.ts'
import { withOwn } from './own-sums.ts'
import { FULL_BYTES, headOf, idIn, intakePath, putAside, type Written } from './segments.ts'
import type { Store } from './store.ts'
import { explain } from './store-errors.ts'

/** A record before it is written; its chain link goes between the two halves. */
export interface Unchained {
  head: string
  tail: string
  at: number
  entry: JournalEntry
}

/** How long a file is kept open. */
const KEPT_OPEN_MS = 1000

/** Longest text in a record; longer ones are truncated. */
const MAX_TEXT_CHARS = 4096

/** Never throws. Returns the record's id even if it could not be stored. */
export function record(
  store: Store,
  entry: JournalEntry,
  counts: Partial<Counts> = {},
): { id: string; error?: CrosshookError } {
  const at = Date.now()
  const id = `${at}-${recordHex()}`
  const error = append(store, { counts, id, at, entry })
  return error ? { id, error } : { id }
}

const own = uniqueHex(6)
let count = 0

/** Twelve digits, unique within a millisecond; cheaper than `uniqueHex`. */
function recordHex(): string {
  count = (count + 1) % 16 ** 6
  return own + count.toString(16).padStart(6, '0')
}

interface Given {
  counts: Partial<Counts>
  id: string
  at: number
  entry: JournalEntry
}

function append(store: Store, given: Given): CrosshookError | undefined {
  const { counts, id, at } = given
  try {
    const entry = isHarmless(given.entry, MAX_TEXT_CHARS) ? given.entry : redactDeep(clipTexts(given.entry))
    // `lineOf` rebuilds the same text from the database's columns.
    const head = `{"counts":${textOf(counts)},"id":"${id}","at":${at}`
    const line = { head, tail: `"entry":${JSON.stringify(entry)}}`, at, entry }
    const { gathered } = store
    if (!gathered) return keep(store, [line], { records: 1, counts })
    gathered.lines.push(line)
    addUp(gathered, { records: 1, counts })
    return undefined
  } catch (error) {
    return new CrosshookError('internal', `A record could not be written down: ${messageOf(error)}.`, {
      cause: error,
    })
  }
}

/** As JSON; JSON.stringify takes several times as long for the few numbers of a record. */
function textOf(counts: Partial<Counts>): string {
  let text = ''
  for (const name in counts) {
    const count = counts[name as keyof Counts]
    if (count !== undefined) text += `${text && ','}"${name}":${count}`
  }
  return `{${text}}`
}

/** Long texts are truncated before they are searched for secrets, to limit the cost of a record. */
function clipTexts(entry: JournalEntry): JournalEntry {
  return JSON.parse(JSON.stringify(entry), (_, value: unknown) =>
    typeof value === 'string' && value.length > MAX_TEXT_CHARS ? redactClipped(value, MAX_TEXT_CHARS) : value,
  ) as JournalEntry
}

/** Everything that `calls` appends becomes one write: many records for little more than the cost of one. */
export function appendTogether(store: Store, calls: () => void): CrosshookError | undefined {
  const gathered = { lines: [], records: 0, counts: {} }
  store.gathered = gathered
  try {
    calls()
  } finally {
    delete store.gathered
  }
  return gathered.records > 0 ? keep(store, gathered.lines, gathered) : undefined
}

function keep(store: Store, records: readonly Unchained[], summary: Summary): CrosshookError | undefined {
  try {
    const { bytes, file } = write(store, records)
    let { written } = store
    if (written?.inode !== file.ino) {
      written = store.written = { inode: file.ino, bytes: 0, records: 0, counts: {} }
      if (store.isLasting) written.unsummed = []
    }
    written.bytes += bytes
    addUp(written, summary)
    const isFull = file.size > FULL_BYTES
    if (written.unsummed) for (const { at, entry } of records) written.unsummed.push({ at, entry })
    if (isFull || (written.unsummed?.length ?? 0) > SUMMED_TOGETHER) sumUp(written)
    if (isFull) {
      const { tail, segment } = store.file ?? {}
      letGo(store)
      const tip = tail && segment ? { segment, end: tail.end, hash: tail.hash } : undefined
      store.waiting = putAside(store, written, tip)
    }
    return undefined
  } catch (error) {
    letGo(store)
    return explain(store.stateDir, error)
  }
}

/** Nobody needs the sums before the file is full. */
const SUMMED_TOGETHER = 64

function sumUp(written: Written): void {
  if (written.unsummed === undefined) return
  written.sums = withOwn(written.sums, written.unsummed)
  written.unsummed = written.sums && []
}

/** Returns the number of bytes, and the file's state afterwards. */
function write(store: Store, records: readonly Unchained[]): { bytes: number; file: Stats } {
  const open = opened(store)
  const { text, last } = linked(store, open, records)
  const before = open.size
  const written = writeSync(open.descriptor, text)
  const size = Buffer.byteLength(text)
  // A nearly full disk writes a part without an error.
  if (written < size)
    throw Object.assign(new Error(`${written} of ${size} bytes were written`), { code: 'ENOSPC' })
  if (store.durability === 'full') fdatasyncSync(open.descriptor)
  const found = fstatSync(open.descriptor)
  if (found.nlink === 0) {
    letGo(store) // somebody has removed it
    return write(store, records)
  }
  // Nobody wrote in between: the last line is ours and need not be read.
  if (found.size === before + size) {
    open.size = found.size
    open.tail = new OwnTail(found.size, last)
    tipSoon(store, open)
  } else open.tail = undefined
  return { bytes: size, file: found }
}

/** How often a busy resident process writes the tip, which takes as long as writing the records of a turn. */
const TIP_EVERY_MS = 10

/** A resident process writes the tip after the answer; a crash before that only makes it lag. */
function tipSoon(store: Store, open: OpenFile): void {
  if (!store.isLasting) {
    writeTipOf(store, open)
    return
  }
  // The next record names it: not while somebody waits for that record.
  const { tail } = open
  setImmediate(() => void tail?.hash)
  if (open.isTipDue) return
  open.isTipDue = true
  const write = () => store.file === open && writeTipOf(store, open)
  const wait = open.tipAt + TIP_EVERY_MS - now()
  if (wait > 0) setTimeout(write, wait)
  else setImmediate(write)
}

function writeTipOf(store: Store, open: OpenFile): void {
  open.isTipDue = false
  open.tipAt = now()
  if (open.segment === undefined || open.tail === undefined) return
  try {
    const { end, hash } = open.tail
    writeTip(open.tip, { segment: open.segment, end, hash }, store.seal)
  } catch {
    // A full disk: the record itself is stored.
  }
}

/** The lines, each with a link to the last line that this process has seen. */
function linked(store: Store, open: OpenFile, records: readonly Unchained[]): { text: string; last: string } {
  if (open.tail === undefined) {
    open.size = fstatSync(open.descriptor).size
    open.tail = tailOf(open.descriptor, open.size)
    if (open.isNew) checkTip(store, open)
    open.isNew = false
  }
  let last = ''
  let text = ''
  for (const { head, tail } of records) {
    const prev = last === '' ? prevOf(open.tail ?? { end: 0, hash: NO_CHAIN }) : prevInWrite(hashOf(last))
    last = `${head},"prev":"${prev}",${tail}`
    // With a leading newline: a line truncated by a full disk or a kill damages no other record.
    text += `\n${last}\n`
  }
  return { text, last }
}

/** The tip is about to be overwritten: store elsewhere what it says about records that are gone. */
function checkTip(store: Store, { descriptor, tip, segment, tail }: OpenFile): void {
  const last = tipIn(tip)
  if (last === undefined || last.segment !== segment) return
  // Read after the tip, because others write meanwhile.
  const { size } = fstatSync(descriptor)
  const where = `intake ${segment}`
  const { end } = last
  const finding: Finding | undefined =
    end > size
      ? { what: 'cut', where, message: `it is ${size} bytes long and was ${end}: its end was cut off` }
      : end === tail?.end && last.hash !== tail.hash
        ? {
            what: 'altered',
            where,
            message: `the record that ends at byte ${end} is not the one that was written`,
          }
        : undefined
  if (finding) writeAnchor(store.stateDir, { kind: 'damage', finding, at: Date.now() }, store.seal)
}

export interface OpenFile {
  descriptor: number
  until: number
  /** Undefined when its first line is missing. */
  segment: string | undefined
  tip: number
  /** Nothing written yet. */
  isNew: boolean
  /** The tip has yet to be written. */
  isTipDue: boolean
  /** When it was last written. */
  tipAt: number
  /** The last line when the file had this size. */
  size: number
  tail: Tail | undefined
}

/**
 * Kept open for a moment, since opening takes longer than writing. Another process may set the file aside meanwhile:
 * late writes to it are still found, for much longer than that.
 */
function opened(store: Store): OpenFile {
  const at = now()
  if (store.file && at < store.file.until) return store.file
  letGo(store)
  const path = intakePath(store.stateDir)
  for (;;) {
    try {
      const descriptor = openPlain(path, constants.O_RDWR | constants.O_APPEND)
      const tip = openTip(store.stateDir)
      store.file = {
        descriptor,
        until: at + KEPT_OPEN_MS,
        segment: idIn(descriptor),
        tip,
        isNew: true,
        isTipDue: false,
        tipAt: 0,
        size: -1,
        tail: undefined,
      }
      return store.file
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      begin(path)
    }
  }
}

/** `times`: multiplier for the second. */
export function addUp(sum: Summary, { records, counts }: Summary, times = 1): void {
  sum.records += times * records
  for (const name of COUNTERS)
    if (counts[name]) sum.counts[name] = (sum.counts[name] ?? 0) + times * counts[name]
}

export function letGo(store: Store): void {
  if (store.file) {
    if (store.file.isTipDue) writeTipOf(store, store.file)
    closeSync(store.file.descriptor)
    closeTip(store.file.tip)
  }
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

/** A little more than may wait, so that there is something to do. */
export function isOverfull(store: Store, leave = patienceOf(store)): boolean {
  return !store.isTakingIn && (store.waiting ?? 0) > leave + leave / 8
}

export function patienceOf({ patience = MAX_WAITING_BYTES }: Store): number {
  return patience
}

/** Bytes that may wait before a short-lived process takes them in. */
const MAX_WAITING_BYTES = 4 * FULL_BYTES
