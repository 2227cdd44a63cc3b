/**
 * How records prove that none is missing. Each line of the intake names the line that was last when it was written, by
 * its end position and hash. Many processes append without a lock, so two lines may name the same one; a named line
 * always comes before it. When taken in, records get a second, strictly sequential chain.
 */

import { closeSync, constants, readSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { sha256Hex } from '../../fast/digest.ts'
import { isHex } from '../../fast/plain-words.ts'
import { within } from '../../fast/within.ts'
import { openPlain, readBytes } from '../../spec/read-file.ts'
import { intakePath } from './segments.ts'

/** The last complete line of a file. */
export interface Tail {
  /** Its end: the byte after its newline. */
  end: number
  hash: string
}

/** 128 bits: no other line with the same hash can be found. */
export const HASH_LENGTH = 32

export function hashOf(line: string | Uint8Array): string {
  return sha256Hex(line).slice(0, HASH_LENGTH)
}

/** The last line, when this process wrote it. Its hash is needed for the tip and the next line, after the answer. */
export class OwnTail implements Tail {
  readonly end: number
  private line: string
  private known: string | undefined

  constructor(end: number, line: string) {
    this.end = end
    this.line = line
  }

  get hash(): string {
    if (this.known === undefined) {
      this.known = hashOf(this.line)
      this.line = ''
    }
    return this.known
  }
}

/** The chain of the database: the previous value and the record. */
export function chained(before: string, lineHash: string): string {
  return sha256Hex(`${before}\n${lineHash}`).slice(0, HASH_LENGTH)
}

/** Before the first record. */
export const NO_CHAIN = '0'.repeat(HASH_LENGTH)

const PLACED = /^(\d{1,15})\.([0-9a-f]{32})$/
const FOLLOWING = /^\+([0-9a-f]{32})$/

/** The value of `prev` in a line. */
export function prevOf({ end, hash }: Tail): string {
  return `${end}.${hash}`
}

/** Within one write: the previous line. */
export function prevInWrite(hash: string): string {
  return `+${hash}`
}

export function parsePrev(prev: string): { end?: number; hash: string } | undefined {
  const placed = PLACED.exec(prev)
  if (placed) return { end: Number(placed[1]), hash: placed[2]! }
  const following = FOLLOWING.exec(prev)
  return following ? { hash: following[1]! } : undefined
}

const STEP = 8 * 1024
const LINE_END = 10

/** The last complete line that ends at or before `size`; a truncated rest is ignored. */
export function tailOf(file: number, size: number): Tail | undefined {
  for (let length = Math.min(STEP, size); length > 0; length = Math.min(length * 4, size)) {
    const bytes = Buffer.allocUnsafe(length)
    const got = readSync(file, bytes, 0, length, size - length)
    const last = bytes.lastIndexOf(LINE_END, got - 1)
    // Records also start with a newline, so empty lines do not count.
    let end = last
    while (end > 0 && bytes[end - 1] === LINE_END) end--
    const before = end > 0 ? bytes.lastIndexOf(LINE_END, end - 1) : -1
    const isWhole = end > 0 && (before >= 0 || length === size)
    if (isWhole) return { end: size - length + end + 1, hash: hashOf(bytes.subarray(before + 1, end)) }
    if (length === size) return undefined
  }
  return undefined
}

/** The hash of the line that ends there; undefined when none does. */
export function hashEndingAt(file: number, end: number, size: number): string | undefined {
  if (end > size || end < 2) return undefined
  const found = tailOf(file, end)
  return found?.end === end ? found.hash : undefined
}

/**
 * How far the intake has come, in a file of its own: a record that is cut off its end is missed by nobody else. Written
 * after each record, so that it may lag behind but never run ahead, whenever a process is killed.
 */
export interface Tip extends Tail {
  segment: string
}

export type Seal = (text: string) => string

export function tipPath(stateDir: string): string {
  return within(dirname(intakePath(stateDir)), 'journal.tip')
}

export function openTip(stateDir: string): number {
  return openPlain(tipPath(stateDir), constants.O_RDWR | constants.O_CREAT)
}

/** Fixed length, one write, overwrites the old one. */
export function writeTip(file: number, tip: Tip, seal: Seal | undefined): void {
  const text = `${tip.segment} ${String(tip.end).padStart(END_LENGTH, '0')} ${tip.hash}`
  writeSync(file, `${text} ${seal ? seal(text) : NO_SEAL}\n`, 0)
}

const NO_SEAL = '-'.repeat(64)

/** `forged`: the seal is not ours. Undefined when there is no tip. */
export function readTip(
  stateDir: string,
  seal: Seal | undefined,
): { tip: Tip; forged: boolean } | 'unreadable' | undefined {
  let text: string
  try {
    text = readBytes(tipPath(stateDir)).toString('latin1')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    return 'unreadable'
  }
  // Just created, not written yet.
  if (text === '') return undefined
  const found = parseTip(text)
  if (!found) return 'unreadable'
  const { segment, end, hash, given } = found
  const forged = seal !== undefined && seal(`${segment} ${end} ${hash}`) !== given
  return { tip: { segment, end: Number(end), hash }, forged }
}

/** Does not check the seal, for code that is about to overwrite it. */
export function tipIn(file: number): Tip | undefined {
  const bytes = Buffer.alloc(TIP_LENGTH)
  const found = parseTip(bytes.toString('latin1', 0, readSync(file, bytes, 0, TIP_LENGTH, 0)))
  return found && { segment: found.segment, end: Number(found.end), hash: found.hash }
}

const SEGMENT_LENGTH = 24
const END_LENGTH = 15
const SEAL_LENGTH = 64
const TIP_LENGTH = SEGMENT_LENGTH + 1 + END_LENGTH + 1 + HASH_LENGTH + 1 + SEAL_LENGTH + 1

/** Without a pattern, which V8 would compile in each cold call. */
function parseTip(text: string): { segment: string; end: string; hash: string; given: string } | undefined {
  const [segment = '', end = '', hash = '', given = ''] = text.slice(0, -1).split(' ')
  const isWhole =
    text === `${segment} ${end} ${hash} ${given}\n` &&
    isHex(segment, SEGMENT_LENGTH) &&
    end.length === END_LENGTH &&
    end === String(Number(end)).padStart(END_LENGTH, '0') &&
    isHex(hash, HASH_LENGTH) &&
    (given === NO_SEAL || isHex(given, SEAL_LENGTH))
  return isWhole ? { segment, end, hash, given } : undefined
}

export function closeTip(file: number): void {
  closeSync(file)
}
